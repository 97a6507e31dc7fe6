import type { Pod } from '../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../shared/model/trace-event.ts'
import type { MergedPod } from './config/pod-config.ts'
import type { UpdatePodOptions } from './workers/update-pod-options.ts'

/**
 * What the sync loop calls for each kind of input (seed: SyncHandler). They hand work to the pod
 * workers and block for two things only: additions and resizes for a preemption (admission#preemption), clean-ups for the
 * runtime's list.
 */
export interface SyncHandler {
  /**
   * Pods that a source has brought, in order of creation: into the pod manager, through admission, to a worker. A
   * refused one gets no worker but a final status. A mirror updates its static pod. Resolves when all are dealt with.
   */
  readonly handlePodAdditions: (pods: readonly MergedPod[], causes: TraceCauses) => Promise<void>
  /** Pods that changed, a deletionTimestamp among the changes: to the pod manager and the workers, without admission. */
  readonly handlePodUpdates: (pods: readonly MergedPod[], causes: TraceCauses) => Promise<void>
  /** Pods that their source no longer has: removed from the pod manager, and killed if all sources are ready; else not retried. */
  readonly handlePodRemoves: (pods: readonly MergedPod[], causes: TraceCauses) => Promise<void>
  /** Pods of which only the status changed. Wakes a worker only where the Ready condition has to follow readiness gates. */
  readonly handlePodReconcile: (pods: readonly MergedPod[], causes: TraceCauses) => Promise<void>
  /** Has the workers sync these pods, with the current mirrors of their names. */
  readonly handlePodSyncs: (pods: readonly Pod[], causes: TraceCauses) => void
  /** The same for the pod of a uid, never a mirror's; nothing where the pod manager knows none. */
  readonly handlePodSyncByUID: (uid: string, causes: TraceCauses) => void
  /**
   * Housekeeping: finished workers, orphaned statuses and mirrors, pods without a worker, and containers without a pod.
   * Meanwhile no config change reaches the workers. Never rejects; a runtime that does not answer ends it early.
   */
  readonly handlePodCleanups: () => Promise<void>
}

/** What the loop and its handlers ask of the pod workers (seed: PodWorkers). */
export interface LoopPodWorkers {
  readonly updatePod: (options: UpdatePodOptions) => void
  readonly isPodKnownTerminated: (uid: string) => boolean
  readonly isPodTerminationRequested: (uid: string) => boolean
  readonly shouldPodContentBeRemoved: (uid: string) => boolean
  readonly isPodForMirrorPodTerminatingByFullName: (fullName: string) => boolean
}
