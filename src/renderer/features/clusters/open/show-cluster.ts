import type { ClusterView } from '../../../../shared/model/cluster-view.ts'
import type { State } from '../../../store/state.ts'

/** Shows a cluster: the nodes of one that is only looked at, else the pods of its first node. */
export function showCluster(
  { id, nodes, seen }: ClusterView,
  { showNode, show }: Pick<State, 'showNode' | 'show'>,
): void {
  showNode({ cluster: id, node: seen === null ? (nodes[0]?.name ?? '') : '' })
  show(seen === null ? 'pods' : 'nodes')
}
