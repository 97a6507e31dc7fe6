import type { NodeRef } from '../../shared/ipc/contract.ts'
import type { ClusterView, LoopView, NodeView } from '../../shared/model/cluster-view.ts'
import type { PodKey } from '../../shared/model/pod-row.ts'

/** What says which cluster and node the page is about. */
export interface Shown {
  readonly clusters: readonly ClusterView[]
  /** The person's choice; null, and one that is not there (any more): the first. */
  readonly shown: NodeRef | null
}

/** The cluster that the page is about; undefined before anything is known. */
export function shownCluster({ clusters, shown }: Shown): ClusterView | undefined {
  return clusters.find(({ id }) => id === shown?.cluster) ?? clusters[0]
}

/** The node that the page is about. */
export function shownNode(state: Shown): NodeView | undefined {
  const cluster = shownCluster(state)
  const { shown } = state
  const chosen =
    shown !== null && shown.cluster === cluster?.id
      ? cluster.nodes.find(({ name }) => name === shown.node)
      : undefined
  return chosen ?? cluster?.nodes[0]
}

/** The sync loop of the shown node; undefined while its kubelet does not run. */
export function shownLoop(state: Shown): LoopView | undefined {
  const node = shownNode(state)
  return shownCluster(state)?.loops.find((loop) => loop.node === node?.name)
}

/** The shown node by its names; null where the shown cluster has none. A new object at each call. */
export function shownRef(state: Shown): NodeRef | null {
  const cluster = shownCluster(state)
  const node = shownNode(state)
  return cluster === undefined || node === undefined
    ? null
    : { cluster: cluster.id, node: node.name }
}

/** The folder, or file, of static pod manifests of the shown node; empty where it has none. */
export function shownManifestsPath(state: Shown): string {
  const file = shownNode(state)?.sources.find(({ source }) => source === 'file')
  return file?.location ?? ''
}

/** Which rows tables and counts are about: those of one node, or with `node` null of a whole cluster. */
export interface RowScope {
  readonly cluster: string
  readonly node: string | null
}

/** Null, since nothing is known yet: no row is in it. */
export function isInScope({ cluster, node }: NodeRef, scope: RowScope | null): boolean {
  return cluster === scope?.cluster && (scope.node === null || scope.node === node)
}

/** The same for lists of pods: one that no node has yet belongs to all nodes of its cluster. */
export function isListedIn(of: NodeRef, scope: RowScope | null): boolean {
  return isInScope(of, scope) || (of.node === '' && of.cluster === scope?.cluster)
}

/** Whether both name the same node, or the same rows. */
export function isSameNode(left: RowScope | null, right: RowScope | null): boolean {
  return left?.cluster === right?.cluster && left?.node === right?.node
}

/** Where nodes must be told apart by name. */
export function hasSeveralNodes({ clusters }: Pick<Shown, 'clusters'>): boolean {
  return clusters.length > 1 || (clusters[0]?.nodes.length ?? 0) > 1
}

/** One text for one node, to compare and to keep things by. */
export function nodeId({ cluster, node }: NodeRef): string {
  return `${cluster}/${node}`
}

/** The node that a pod's key names, empty where no node has the pod. A cluster's name may hold slashes; a node's and a uid never. */
export function nodeOfKey(key: PodKey): NodeRef {
  const uidAt = key.lastIndexOf('/')
  const nodeAt = key.lastIndexOf('/', uidAt - 1)
  return { cluster: key.slice(0, nodeAt), node: key.slice(nodeAt + 1, uidAt) }
}

/** The node on which a pod is looked at: its own; for a pod without one the shown node, if that is of its cluster. */
export function homeOfKey(state: Shown, key: PodKey): NodeRef {
  const of = nodeOfKey(key)
  if (of.node !== '') return of
  const shown = state.shown?.cluster === of.cluster ? state.shown : of
  return shownRef({ clusters: state.clusters, shown }) ?? of
}
