import type { NodeRef } from '../../shared/ipc/contract.ts'
import type { ClusterView, LoopView, NodeView } from '../../shared/model/cluster-view.ts'
import { unknownNode } from '../../shared/model/node/unknown-node.ts'
import type { PodKey } from '../../shared/model/pod-row.ts'
import type { SeenNode, SeenView } from '../../shared/model/seen-cluster.ts'

/** The part of the state that determines the shown cluster and node. */
export interface Shown {
  readonly clusters: readonly ClusterView[]
  /** The user's choice; null, and a node that no longer exists, stand for the first. */
  readonly shown: NodeRef | null
}

/** The shown cluster; undefined before the first snapshot. */
export function shownCluster({ clusters, shown }: Shown): ClusterView | undefined {
  return clusters.find(({ id }) => id === shown?.cluster) ?? clusters[0]
}

/** The shown node. */
export function shownNode(state: Shown): NodeView | undefined {
  const cluster = shownCluster(state)
  const { shown } = state
  const chosen =
    shown !== null && shown.cluster === cluster?.id
      ? cluster.nodes.find(({ name }) => name === shown.node)
      : undefined
  return chosen ?? cluster?.nodes[0]
}

const nodeViews = new WeakMap<SeenNode, NodeView>()

/** What the API says of a node, as one that runs here: its sources are not known. The same for the same node. */
function nodeViewOf(node: SeenNode): NodeView {
  const known = nodeViews.get(node)
  if (known !== undefined) return known
  const { name, status, lease } = node
  const view: NodeView = {
    ...unknownNode(name),
    registered: true,
    status,
    object: node,
    leaseRenewedAt: lease?.renewedAt ?? null,
    leaseDurationSeconds: lease?.durationSeconds ?? 0,
  }
  nodeViews.set(node, view)
  return view
}

/** The node whose flow is drawn: one that runs here, or one that is only looked at. */
export function flowNode(state: Shown): NodeView | undefined {
  const seen = shownSeenNode(state)
  return seen === undefined ? shownNode(state) : nodeViewOf(seen)
}

/** By its names. A new object at each call. */
export function flowRef(state: Shown): NodeRef | null {
  return refOf(state, flowNode(state))
}

/** The sync loop of the shown node; undefined while its kubelet does not run. */
export function shownLoop(state: Shown): LoopView | undefined {
  const node = shownNode(state)
  return shownCluster(state)?.loops.find((loop) => loop.node === node?.name)
}

function refOf(state: Shown, node: NodeView | undefined): NodeRef | null {
  const cluster = shownCluster(state)
  return cluster === undefined || node === undefined
    ? null
    : { cluster: cluster.id, node: node.name }
}

/** The shown node by its names; null if the shown cluster has none. A new object at each call. */
export function shownRef(state: Shown): NodeRef | null {
  return refOf(state, shownNode(state))
}

/** What is known of the shown cluster if it is only looked at; else undefined. */
export function shownSeen(state: Shown): SeenView | undefined {
  return shownCluster(state)?.seen ?? undefined
}

/** The chosen node of a cluster that is only looked at; undefined: the whole cluster is shown. */
export function shownSeenNode(state: Shown): SeenNode | undefined {
  const { shown } = state
  if (shown === null || shownCluster(state)?.id !== shown.cluster) return undefined
  return shownSeen(state)?.nodes.find(({ name }) => name === shown.node)
}

/**
 * The shown node, or with an empty `node` the whole cluster, which only a cluster that is only looked at shows. Null
 * before the first snapshot. A new object at each call.
 */
export function shownPlace(state: Shown): NodeRef | null {
  const cluster = shownCluster(state)
  if (cluster === undefined || cluster.seen === null) return shownRef(state)
  return { cluster: cluster.id, node: shownSeenNode(state)?.name ?? '' }
}

/** The rows of the shown place. A new object at each call. */
export function shownScope(state: Shown): RowScope | null {
  const place = shownPlace(state)
  return place === null ? null : { cluster: place.cluster, node: place.node || null }
}

/** The folder or file of static pod manifests of the shown node; empty if it has none. */
export function shownManifestsPath(state: Shown): string {
  const file = shownNode(state)?.sources.find(({ source }) => source === 'file')
  return file?.location ?? ''
}

/** The rows of tables and counts: those of one node, or with `node` null of a whole cluster. */
export interface RowScope {
  readonly cluster: string
  readonly node: string | null
}

/** Whether a pod of this node is in the scope; null, before the first snapshot, has no pods. */
export function isInScope({ cluster, node }: NodeRef, scope: RowScope | null): boolean {
  return cluster === scope?.cluster && (scope.node === null || scope.node === node)
}

/** The same for lists of pods, where an unbound pod is listed with every node of its cluster. */
export function isListedIn(of: NodeRef, scope: RowScope | null): boolean {
  return isInScope(of, scope) || (of.node === '' && of.cluster === scope?.cluster)
}

/** Whether both are the same node or scope. */
export function isSameNode(left: RowScope | null, right: RowScope | null): boolean {
  return left?.cluster === right?.cluster && left?.node === right?.node
}

/** Whether there is more than one node. */
export function hasSeveralNodes({ clusters }: Pick<Shown, 'clusters'>): boolean {
  return (
    clusters.reduce((sum, { nodes, seen }) => sum + nodes.length + (seen?.nodes.length ?? 0), 0) > 1
  )
}

/** A node as one text, for keys. */
export function nodeId({ cluster, node }: NodeRef): string {
  return `${cluster}/${node}`
}

/** `nodeId` of the shown node or whole cluster; empty if there is none. */
export function shownNodeId(state: Shown): string {
  const ref = shownPlace(state)
  return ref === null ? '' : nodeId(ref)
}

/** The node in a pod's key, empty for an unbound pod. A cluster's name may contain slashes; a node's name and a UID cannot. */
export function nodeOfKey(key: PodKey): NodeRef {
  const uidAt = key.lastIndexOf('/')
  const nodeAt = key.lastIndexOf('/', uidAt - 1)
  return { cluster: key.slice(0, nodeAt), node: key.slice(nodeAt + 1, uidAt) }
}

/** The node to show with a pod: its own; for an unbound pod the shown node, if that is in its cluster. */
export function nodeForPod(state: Shown, key: PodKey): NodeRef {
  const of = nodeOfKey(key)
  const place = shownPlace(state)
  const isSeen = state.clusters.some(({ id, seen }) => id === of.cluster && seen !== null)
  if (isSeen) return isSameNode(place, of) ? of : { cluster: of.cluster, node: '' }
  if (of.node !== '') return of
  const shown = state.shown?.cluster === of.cluster ? state.shown : of
  return shownRef({ clusters: state.clusters, shown }) ?? of
}
