import type { Pod, PodStatus } from '../../../shared/kubernetes/objects.ts'
import type { PodUpdateType, TraceCauses } from '../../../shared/model/trace-event.ts'
import type { RuntimePod } from '../container/runtime.ts'

/** Overrides the status of a pod at the time it is killed; gets the latest status, returns the one to use. */
export type PodStatusFunc = (status: PodStatus) => PodStatus

/** How a pod is to be killed (seed: KillPodOptions). */
export interface KillPodOptions {
  /**
   * Go's CompletedCh: called once the containers have stopped, at once when they have already or when the
   * update stops nothing. Never called for a pod whose worker has finished (pod-workers#updatepod, step 5). Must not throw.
   */
  readonly onCompleted?: (() => void) | undefined
  /** A kubelet's own eviction: content may be removed at once. */
  readonly evict?: boolean | undefined
  readonly podStatusFunc?: PodStatusFunc | undefined
  /** Seconds. */
  readonly gracePeriodSecondsOverride?: number | undefined
}

/** One update for a pod's worker (seed: UpdatePodOptions). Either `pod` or `runningPod` is needed. */
export interface UpdatePodOptions {
  readonly updateType: PodUpdateType
  /** ms on the clock, when the change came in. */
  readonly startTime?: number | undefined
  readonly pod?: Pod | undefined
  /** The mirror as the pod manager had it, for a static pod. */
  readonly mirrorPod?: Pod | undefined
  /** A pod that only the runtime knows; it can only be killed. Ignored when `pod` is given. */
  readonly runningPod?: RuntimePod | undefined
  readonly killPodOptions?: KillPodOptions | undefined
  readonly causes: TraceCauses
}

/** Causes named at most by one event: a pod that waits for long collects an update every few seconds. */
const causesKept = 32

/** Both lists without repeats, the newest if there are too many. */
export function joinCauses(older: TraceCauses, newer: TraceCauses): TraceCauses {
  return [...new Set([...older, ...newer])].slice(-causesKept)
}
