import type { ClusterView, NodeView } from '../../shared/model/cluster-view.ts'
import type { NodeAct, NodeActFacts } from '../../shared/model/node-act.ts'
import { forecastNodeAct, givenUp } from '../../shared/model/node-act.ts'
import type { NodeDialog } from '../store/slices/node-acts-slice.ts'
import type { IconName } from '../ui/Icon.tsx'

/** What the forecast of an act on a node asks for, from its view. Pure. */
function nodeActFacts(
  { sandbox, gotcha }: ClusterView,
  { name, agent, machine, shutdown, isCutOff }: NodeView,
  readOnly: boolean,
): NodeActFacts {
  return {
    node: name,
    agent,
    machine,
    isShuttingDown: shutdown.phase !== 'off',
    isCutOff,
    sandbox,
    // Actions in a gotcha reach no other cluster.
    readOnly: readOnly && gotcha === null,
  }
}

/** The acts that a node's standing puts to choice: of each pair the one that changes something. Pure. */
function offeredActs({
  agent,
  machine,
  isShuttingDown,
  isCutOff,
}: NodeActFacts): readonly NodeAct[] {
  const way = isCutOff === null ? [] : [isCutOff ? ('reconnect' as const) : ('cutOff' as const)]
  if (machine === 'off') return ['boot', ...way]
  return [
    ...(agent === 'running' ? (['restartAgent', 'stopAgent'] as const) : (['startAgent'] as const)),
    isShuttingDown ? 'cancelShutDown' : 'shutDown',
    'powerOff',
    ...way,
  ]
}

const nodeActIcons: Readonly<Record<NodeAct, IconName>> = {
  restartAgent: 'undo',
  stopAgent: 'kill',
  startAgent: 'play',
  shutDown: 'evict',
  cancelShutDown: 'close',
  powerOff: 'plug',
  boot: 'play',
  cutOff: 'unlink',
  reconnect: 'link',
}

/** The acts after which nothing is worse than before: the focus may stand on them. */
export function isSafeAct(act: NodeDialog['act']): boolean {
  switch (act) {
    case 'startAgent':
    case 'cancelShutDown':
    case 'boot':
    case 'reconnect':
    case 'restartAgent':
      return true
    case 'stopAgent':
    case 'shutDown':
    case 'powerOff':
    case 'cutOff':
    default:
      return false
  }
}

/** What is said before the way from a cluster's nodes to its API server is cut, or there again. */
interface LinkForecast {
  readonly title: string
  readonly summary: string
  readonly cluster: string
}

const linkForecasts: Readonly<Record<'cutOff' | 'reconnect', LinkForecast>> = {
  cutOff: {
    title: 'Cut all nodes off from the API server',
    summary:
      'No kubelet of this cluster can reach its API server; kubectl and this page still can. Kubelets keep syncing their current pods: they restart containers, read manifests and enforce grace periods. Updates of statuses, mirrors, events and leases wait, and the kubelets receive no API changes.',
    cluster: `No lease is renewed. ${givenUp('the nodes')}`,
  },
  reconnect: {
    title: 'Reconnect all nodes',
    summary:
      'The kubelets can reach the API server again. Each kubelet lists its pods, writes the pending statuses, and terminates pods that were deleted in the meantime.',
    cluster:
      'Leases are renewed within seconds. A node is Ready again when its kubelet has listed its Node and written its status: after a long outage, the next attempt can take up to a minute.',
  },
}

/** One act on a node or its cluster's nodes, as menus offer it. */
export interface OfferedAct {
  readonly dialog: NodeDialog
  readonly icon: IconName
  readonly title: string
  /** Why it may not be done; else empty. */
  readonly refusal: string
}

const readOnlyRefusal = 'Nodescope was started with --read-only.'

/** The acts on the way from all nodes to the API server that would change something; none where one node is all. Pure. */
function linkActs(
  { id, isCutOff, gotcha, nodes }: ClusterView,
  readOnly: boolean,
): readonly OfferedAct[] {
  if (isCutOff === null || nodes.length < 2) return []
  const isAnyCut = nodes.some((node) => node.isCutOff === true)
  const acts = [
    ...(isCutOff ? [] : (['cutOff'] as const)),
    ...(isAnyCut ? (['reconnect'] as const) : []),
  ]
  return acts.map((act) => ({
    dialog: { kind: 'link', act, cluster: id },
    icon: nodeActIcons[act],
    title: linkForecasts[act].title,
    refusal: readOnly && gotcha === null ? readOnlyRefusal : '',
  }))
}

/** What menus offer for a node, in their order. Pure. */
export function nodeActs(
  cluster: ClusterView,
  node: NodeView,
  readOnly: boolean,
): readonly OfferedAct[] {
  const facts = nodeActFacts(cluster, node, readOnly)
  const ref = { cluster: cluster.id, node: node.name }
  const acts = offeredActs(facts).map((act): OfferedAct => {
    const { title, refusal } = forecastNodeAct(act, facts)
    return { dialog: { kind: 'node', act, node: ref }, icon: nodeActIcons[act], title, refusal }
  })
  return [...acts, ...linkActs(cluster, readOnly)]
}

/** Said before the click of a dialog about a node. */
export interface NodeDialogWords {
  readonly icon: IconName
  readonly title: string
  /** The node, or the nodes. */
  readonly who: string
  readonly label: string
  readonly summary: string
  /** What the cluster sees of it. */
  readonly cluster: string
  /** Why it may not be done now; else empty. */
  readonly refusal: string
}

/** What a dialog says, of the node as it is now; undefined when it is not here any more. Pure. */
export function nodeDialogWords(
  clusters: readonly ClusterView[],
  dialog: NodeDialog,
  readOnly: boolean,
): NodeDialogWords | undefined {
  const id = dialog.kind === 'link' ? dialog.cluster : dialog.node.cluster
  const cluster = clusters.find((view) => view.id === id)
  if (cluster === undefined) return undefined
  const { label } = cluster
  if (dialog.kind === 'link')
    return {
      icon: nodeActIcons[dialog.act],
      who: cluster.nodes.map(({ name }) => name).join(', '),
      label,
      ...linkForecasts[dialog.act],
      refusal: readOnly && cluster.gotcha === null ? readOnlyRefusal : '',
    }
  const node = cluster.nodes.find(({ name }) => name === dialog.node.node)
  if (node === undefined) return undefined
  const { title, summary, refusal, ...forecast } = forecastNodeAct(
    dialog.act,
    nodeActFacts(cluster, node, readOnly),
  )
  return {
    icon: nodeActIcons[dialog.act],
    title,
    who: node.name,
    label,
    summary,
    cluster: forecast.cluster,
    refusal,
  }
}
