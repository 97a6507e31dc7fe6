import type { NodeView } from '../../../shared/model/cluster-view.ts'
import { shownNode } from '../../store/shown-node.ts'
import { useAppState } from '../../store/store-context.ts'

/** Why nothing of the shown node's kubelet moves; empty while it runs. Pure. */
function standstillOf(node: Pick<NodeView, 'agent' | 'machine'> | undefined): string {
  if (node?.machine === 'off') return 'Machine off: last state known to the kubelet'
  return node?.agent === 'stopped' ? 'Kubelet stopped: last state known to the kubelet' : ''
}

export function useStandstill(): string {
  return useAppState((state) => standstillOf(shownNode(state)))
}
