import type { ContainerView } from '../../../shared/model/pod-detail.ts'
import type { WorkerStateWord } from '../../../shared/model/pod-row.ts'
import type { TraceEvent } from '../../../shared/model/trace-event.ts'
import type { PodKnowledge } from '../rows/pod-knowledge.ts'

/** The data for an answer. Times in ms on the cluster's clock. */
export interface WhyFacts {
  readonly known: PodKnowledge
  readonly containers: readonly ContainerView[]
  /** About this pod, newest first. */
  readonly trace: readonly TraceEvent[]
  /** The other worker that holds the full name of this static pod. */
  readonly holder: NameHolder | undefined
  /** Whether every source has been read once; before that nothing is deleted. */
  readonly areSourcesReady: boolean
  readonly now: number
}

export interface NameHolder {
  readonly uid: string
  readonly state: WorkerStateWord
  /** When SIGKILL ends its grace period; null if no stop is in progress. */
  readonly killAt: number | null
}
