import type { ClusterView, NodeView } from '../../../shared/model/cluster-view.ts'

/** One cluster of the menu, with its nodes that match the filter. */
export interface NodeGroup {
  readonly cluster: ClusterView
  readonly nodes: readonly NodeView[]
}

/** All nodes by cluster; each word of the filter must be in a node's name, its STATUS or its cluster's label. Pure. */
export function nodeGroups(clusters: readonly ClusterView[], filter: string): readonly NodeGroup[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return clusters
    .map((cluster) => ({
      cluster,
      nodes: cluster.nodes.filter(({ name, status }) => {
        const text = `${cluster.label} ${name} ${status}`.toLowerCase()
        return words.every((word) => text.includes(word))
      }),
    }))
    .filter(({ nodes }) => nodes.length > 0)
}
