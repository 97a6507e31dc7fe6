import type { Pod, PodStatus } from '../../../shared/kubernetes/objects.ts'
import type { GraceView } from '../../../shared/model/pod-row.ts'
import type { WorkerView } from '../../../shared/model/worker-view.ts'
import type { NotSimulated } from '../../../shared/not-simulated/not-simulated.ts'

/** All that one node knows of one pod, gathered at one moment. */
export interface PodKnowledge {
  readonly cluster: string
  readonly node: string
  /** The pod as the kubelet knows it; an orphaned mirror stands for itself. */
  readonly pod: Pod
  readonly mirror: Pod | undefined
  /**
   * The object that the API server has now, for a static pod its mirror; null where it has none, undefined where only
   * the kubelet's last copy of it can be seen.
   */
  readonly api: Pod | null | undefined
  /** Why no kubelet has the pod, in one sentence; empty where one has it. */
  readonly noKubelet: string
  /** `noKubelet` passes by itself. */
  readonly isMomentary?: boolean
  /** The node is cut off from the API server by hand. */
  readonly isCutOff?: boolean
  /** The status manager's cache. */
  readonly localStatus: PodStatus | undefined
  readonly worker: WorkerView | undefined
  /** The stop under way in the runtime, if there is one. */
  readonly grace: GraceView | undefined
  /** Whether the runtime reports anything running. */
  readonly runningContainers: number
  /** Whether the pod manager has it: false when its source has dropped it and only the worker still does. */
  readonly isListed: boolean
  /** Why the last try left a static pod without a mirror. */
  readonly mirrorTrouble: string | undefined
  readonly isServerAway: boolean
  /** What of the pod the simulator does not do. */
  readonly notSimulated: readonly NotSimulated[]
}
