import type { Pod } from '../../shared/kubernetes/objects.ts'
import { isTerminalPhase } from './pod/identity.ts'
import type { PodStatusProvider } from './status/status-manager-api.ts'
import type { LoopPodWorkers } from './sync-handler.ts'

/**
 * The pods that count against the node: not known to have stopped, and not over, unless their stop is still
 * under way (kubelet filterOutInactivePods; admission#active-pods).
 */
export function filterOutInactivePods(
  pods: readonly Pod[],
  {
    podWorkers,
    statusManager,
  }: {
    readonly podWorkers: Pick<LoopPodWorkers, 'isPodKnownTerminated' | 'isPodTerminationRequested'>
    readonly statusManager: PodStatusProvider
  },
): readonly Pod[] {
  return pods.filter((pod) => {
    const { uid } = pod.metadata
    if (podWorkers.isPodKnownTerminated(uid)) return false
    const isOver =
      isTerminalPhase(pod.status?.phase) || isTerminalPhase(statusManager.getPodStatus(uid)?.phase)
    return !isOver || podWorkers.isPodTerminationRequested(uid)
  })
}
