/** What the sync functions, the loop and the views ask of the StatusManager (docs/kubelet/status.md). */
import type { Pod, PodStatus } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import type { ResizeConditions } from './resize-conditions.ts'

export interface PodStatusProvider {
  /** The cached status; a mirror's uid is translated to its static pod's. */
  readonly getPodStatus: (uid: string) => PodStatus | undefined
}

export interface StatusManagerApi extends PodStatusProvider {
  readonly resizeConditions: ResizeConditions
  /** Answers whether the cached status says the same, so that it stays. */
  readonly setPodStatus: (pod: Pod, status: PodStatus, causes: TraceCauses) => boolean
  readonly setContainerReadiness: (
    podUid: string,
    containerId: string,
    isReady: boolean,
    causes: TraceCauses,
  ) => void
  readonly setContainerStartup: (
    podUid: string,
    containerId: string,
    isStarted: boolean,
    causes: TraceCauses,
  ) => void
  /** Marks the pod finished; forces a write, after which the API object may be deleted (status#calls). */
  readonly terminatePod: (pod: Pod, causes: TraceCauses) => void
  readonly removeOrphanedStatuses: (uids: ReadonlySet<string>) => void
  /** Cached version and the last one sent for the API object; undefined while there is none. For the views. */
  readonly versions: (
    uid: string,
  ) => { readonly cached: number; readonly sent: number | undefined } | undefined
}
