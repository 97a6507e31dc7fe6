import type { ClusterView, NodeView } from '../../shared/model/cluster-view.ts'
import type { PodRow } from '../../shared/model/pod-row.ts'
import { fakeCluster, fakeRow } from './fake-views.ts'

/** A node like that of `fakeCluster`, with its own manifest folder. */
export function fakeNode(name: string, part: Partial<NodeView> = {}): NodeView {
  const [node] = fakeCluster().nodes
  if (node === undefined) throw new Error('the cluster has a node')
  const sources = node.sources.map((source) =>
    source.source === 'file' ? { ...source, location: `/manifests/${name}` } : source,
  )
  return { ...node, name, sources, ...part }
}

/** The sandbox with `count` nodes: `scope-node-1`, `scope-node-2`, … */
export function fakeNodes(count: number, part: Partial<ClusterView> = {}): ClusterView {
  const names = Array.from({ length: count }, (_, index) => `scope-node-${index + 1}`)
  return fakeCluster({
    nodes: names.map((name) => fakeNode(name, { isCutOff: part.isCutOff ?? false })),
    loops: names.map((node) => ({ node, iterations: 0, recent: [] })),
    ...part,
  })
}

/** A regular pod on a node of a cluster. */
export function fakeRowOn(
  node: string,
  part: Partial<PodRow> & { readonly name: string },
  cluster = 'sandbox',
): PodRow {
  const uid = part.uid ?? `uid-of-${part.name}`
  return fakeRow({ cluster, node, key: `${cluster}/${node}/${uid}`, ...part, uid })
}
