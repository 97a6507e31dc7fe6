import type { Pod, PodStatus } from '../../shared/kubernetes/objects.ts'
import { isTerminalPhase } from './pod/identity.ts'

/**
 * The pods that count against the node: not known to have stopped, and not over, unless their stop is still
 * under way (kubelet filterOutInactivePods; admission#active-pods).
 */
export function activePods(
  pods: readonly Pod[],
  deps: {
    readonly isPodKnownTerminated: (uid: string) => boolean
    readonly isPodTerminationRequested: (uid: string) => boolean
    readonly getPodStatus: (uid: string) => PodStatus | undefined
  },
): readonly Pod[] {
  return pods.filter((pod) => {
    const { uid } = pod.metadata
    if (deps.isPodKnownTerminated(uid)) return false
    const isOver =
      isTerminalPhase(pod.status?.phase) || isTerminalPhase(deps.getPodStatus(uid)?.phase)
    return !isOver || deps.isPodTerminationRequested(uid)
  })
}
