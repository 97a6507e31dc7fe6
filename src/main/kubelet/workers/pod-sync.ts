import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { PodUpdateType, TraceCauses } from '../../../shared/model/trace-event.ts'
import type { Result } from '../../../shared/result.ts'
import type { PodRuntimeStatus, RuntimePod } from '../container/runtime.ts'
import type { Cancellation } from '../ports.ts'
import type { PodStatusFunc } from './update-pod-options.ts'

/** `cancelled`: exactly because the worker cancelled it, so that another update waits; anything else is `failed`. */
export type PodSyncFailure =
  { readonly kind: 'cancelled' } | { readonly kind: 'failed'; readonly message: string }

/** The text by which the worker knows that only the network is missing, and retries soon (pod-workers#worker-loop). */
export const networkNotReadyMessage = 'network is not ready'

/**
 * What a worker does with its pod (pod-workers#sync-functions). One call per uid at a time. `causes` are the events
 * that led to the call. A throw counts as a failure.
 */
export interface PodSyncer {
  /** Brings the pod to what its spec says. `isTerminal`: it has ended by itself and its containers may be stopped. */
  readonly syncPod: (
    cancellation: Cancellation,
    work: {
      readonly updateType: PodUpdateType
      readonly pod: Pod
      readonly mirrorPod: Pod | undefined
      readonly status: PodRuntimeStatus
      readonly causes: TraceCauses
    },
  ) => Promise<Result<{ readonly isTerminal: boolean }, PodSyncFailure>>
  /** Stops all containers of the pod; success means that none runs. Grace in seconds; undefined: the pod's own. */
  readonly syncTerminatingPod: (
    cancellation: Cancellation,
    work: {
      readonly pod: Pod
      readonly status: PodRuntimeStatus
      readonly gracePeriodSeconds: number | undefined
      readonly podStatusFunc: PodStatusFunc | undefined
      readonly causes: TraceCauses
    },
  ) => Promise<Result<undefined, PodSyncFailure>>
  /** Stops what only the runtime knows. */
  readonly syncTerminatingRuntimePod: (
    cancellation: Cancellation,
    work: { readonly runningPod: RuntimePod; readonly causes: TraceCauses },
  ) => Promise<Result<undefined, PodSyncFailure>>
  /** Cleans up after a stopped pod and marks its status as final. */
  readonly syncTerminatedPod: (
    cancellation: Cancellation,
    work: {
      readonly pod: Pod
      readonly status: PodRuntimeStatus
      readonly causes: TraceCauses
    },
  ) => Promise<Result<undefined, PodSyncFailure>>
}
