import type { ActFacts } from './act.ts'
import type { PodRow } from './pod-row.ts'
import type { TraceEvent } from './trace-event.ts'
import type { WorkerView } from './worker-view.ts'

export interface ContainerView {
  readonly name: string
  readonly image: string
  /** `running`, `waiting` or `terminated`, with kubectl's reason where there is one. */
  readonly state: string
  readonly reason: string
  readonly ready: boolean
  readonly restarts: number
  readonly startedAt: string | null
  readonly exitCode: number | null
  readonly lastExitCode: number | null
}

/** Everything the panel of one chosen pod shows. Sent only for pods that somebody looks at. */
export interface PodDetail {
  readonly row: PodRow
  /** Null: the pod has no worker; `row.workerReason` says why. */
  readonly worker: WorkerView | null
  readonly containers: readonly ContainerView[]
  readonly facts: ActFacts
  readonly podIP: string
  readonly message: string
  /** Newest first, bounded. */
  readonly trace: readonly TraceEvent[]
}

/** Both directions of UID translation, for one static pod. */
export interface UidTranslation {
  readonly node: string
  readonly staticUid: string
  /** Empty while there is no mirror. */
  readonly mirrorUid: string
}
