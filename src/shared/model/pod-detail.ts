import type { NotSimulated } from '../not-simulated/not-simulated.ts'
import type { ActFacts } from './act.ts'
import type { PodRow } from './pod-row.ts'
import type { TraceEvent } from './trace-event.ts'
import type { WhyAnswer } from './why.ts'
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
  readonly kind: 'init' | 'sidecar' | 'container' | 'ephemeral'
  /** `containerd://…` as the status has it; empty before the first start. */
  readonly containerId: string
  readonly finishedAt: string | null
  /** The kubelet's message for the state, where there is one. */
  readonly message: string
  /** When the crash loop's back-off ends, ms on the cluster's clock; null when it is not waiting for that. */
  readonly backOffUntil: number | null
  readonly lastTermination: {
    readonly exitCode: number
    readonly reason: string
    /** Its termination message, where there is one. */
    readonly message: string
    readonly startedAt: string | null
    readonly finishedAt: string | null
  } | null
}

/** Everything the panel of one chosen pod shows. Sent only for pods that a page shows. */
export interface PodDetail {
  readonly row: PodRow
  /** Null: the pod has no worker; `row.workerReason` says why. */
  readonly worker: WorkerView | null
  readonly containers: readonly ContainerView[]
  readonly facts: ActFacts
  /** Null where nothing has to be explained: it runs, and its mirror is in step. */
  readonly why: WhyAnswer | null
  /** What of the pod has no effect here, or less than on a real node. */
  readonly notSimulated: readonly NotSimulated[]
  /** The annotations that a simulated runtime follows; null: the runtime of the node is a real one. */
  readonly behavior: Readonly<Record<string, string>> | null
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
