import type { Pod } from '../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../shared/model/trace-event.ts'
import type { MergedPod } from './config/pod-config.ts'
import type { UpdatePodOptions } from './workers/update-pod-options.ts'

/**
 * What the sync loop calls for each kind of input (seed: SyncHandler). They hand work to the pod
 * workers and block for two things only: additions for a preemption (semantics 8.10), clean-ups for the runtime's list.
 */
export interface SyncHandler {
  readonly handlePodAdditions: (pods: readonly MergedPod[], causes: TraceCauses) => Promise<void>
  readonly handlePodUpdates: (pods: readonly MergedPod[], causes: TraceCauses) => void
  readonly handlePodRemoves: (pods: readonly MergedPod[], causes: TraceCauses) => void
  readonly handlePodReconcile: (pods: readonly MergedPod[], causes: TraceCauses) => void
  readonly handlePodSyncs: (pods: readonly Pod[], causes: TraceCauses) => void
  readonly handlePodSyncByUID: (uid: string, causes: TraceCauses) => void
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
