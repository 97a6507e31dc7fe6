import type { Container, Pod, PodStatus } from '../../../shared/kubernetes/objects.ts'
import type { GraceView, WorkerStateWord } from '../../../shared/model/pod-row.ts'
import type { WhyAnswer } from '../../../shared/model/why.ts'
import type { WorkerView } from '../../../shared/model/worker-view.ts'
import type { NotSimulated } from '../../../shared/not-simulated/not-simulated.ts'
import type { BackOffView } from '../../kubelet/container/back-off.ts'
import type { PodRuntimeStatus } from '../../kubelet/container/runtime.ts'

/** What a worker must be that cannot be asked. */
export interface InferredWorkerState {
  readonly worker: WorkerStateWord
  /** Why, in a sentence or two. */
  readonly because: string
  /** Of a pod that is being stopped; null: it is not, or that is not known. */
  readonly why: WhyAnswer | null
}

/** All that is known of one pod of one node at one time. */
export interface PodKnowledge {
  readonly cluster: string
  readonly node: string
  /** The kubelet's pod; an orphaned mirror is its own pod. */
  readonly pod: Pod
  readonly mirror?: Pod | undefined
  /**
   * The object that the API server has now, for a static pod its mirror; null if it has none, undefined if only the
   * kubelet's last copy is known.
   */
  readonly api: Pod | null | undefined
  /** Why no kubelet has the pod, in one sentence; empty if one has it. */
  readonly noKubelet: string
  /** The reason in `noKubelet` ends without an action. */
  readonly isMomentary?: boolean
  /** A user has disconnected the node from the API server. */
  readonly isCutOff?: boolean
  /** The status manager's cache. */
  readonly localStatus?: PodStatus | undefined
  readonly worker?: WorkerView | undefined
  /** Of a pod whose kubelet is not this program; absent: not even that is known. */
  readonly inferred?: InferredWorkerState | undefined
  /** The stop in progress in the runtime. */
  readonly grace?: GraceView | undefined
  /** As the runtime has reported it; absent without a kubelet. */
  readonly runtimeStatus?: PodRuntimeStatus | undefined
  /** The crash-loop back-off of one of its containers, if it has one. */
  readonly backOff?: ((container: Container) => BackOffView | undefined) | undefined
  /** How many containers run, as the runtime reports. */
  readonly runningContainers: number
  /** Whether the pod manager has it: false if its source has dropped it and only the worker still has it. */
  readonly isListed: boolean
  /** Why the last attempt to create the mirror failed. */
  readonly mirrorFailure?: string | undefined
  readonly isServerAway: boolean
  /** What the simulator does not do for this pod. */
  readonly notSimulated: readonly NotSimulated[]
}
