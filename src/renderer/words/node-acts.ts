import type { ClusterView, NodeView } from '../../shared/model/cluster-view.ts'
import type { NodeAct, NodeActFacts, NodeActForecast } from '../../shared/model/node-act.ts'
import { forecastNodeAct } from '../../shared/model/node-act.ts'
import type { CallFault } from '../../shared/model/node/node-faults.ts'
import type { NodeDialog } from '../store/slices/node-acts-slice.ts'
import { text } from '../text/text.ts'
import type { IconName } from '../ui/Icon.tsx'

const icons: Readonly<Record<NodeAct, IconName>> = {
  restartAgent: 'undo',
  stopAgent: 'kill',
  startAgent: 'play',
  shutDown: 'evict',
  cancelShutDown: 'close',
  powerOff: 'plug',
  boot: 'play',
  cutOff: 'unlink',
  reconnect: 'link',
  runtimeDown: 'unlink',
  runtimeHangs: 'pause',
  runtimeAnswers: 'link',
  failCall: 'close',
  callsAnswer: 'link',
  fillDisk: 'grow',
  freeDisk: 'trash',
  slowMounts: 'clock',
  usualMounts: 'undo',
}

/** What the dialog about a failing call suggests. */
export const usualCallFault: CallFault = { call: 'StartContainer', how: 'fails', pod: null }

/** The acts that make nothing worse: their button may have the focus. */
export const safeActs: ReadonlySet<NodeAct> = new Set<NodeAct>([
  'startAgent',
  'cancelShutDown',
  'boot',
  'reconnect',
  'restartAgent',
  'runtimeAnswers',
  'callsAnswer',
  'freeDisk',
  'usualMounts',
])

/** An act on a node, or on the link from all nodes of a cluster to its API server, as menu and dialog show it. */
export interface NodeActWords extends Pick<
  NodeActForecast,
  'title' | 'summary' | 'cluster' | 'refusal'
> {
  readonly dialog: NodeDialog
  readonly icon: IconName
  /** The node, or the nodes. */
  readonly names: string
  /** The cluster's. */
  readonly label: string
}

function isAtWork({ agent, machine, isCutOff }: NodeView): boolean {
  return agent === 'running' && machine === 'on' && isCutOff !== true
}

/** What the forecast of an act on a node needs, from its view. Pure. */
function nodeActFacts(
  { kind, scenario, nodes }: ClusterView,
  { name, agent, machine, shutdown, isCutOff, faults }: NodeView,
  isReadOnly: boolean,
): NodeActFacts {
  return {
    node: name,
    agent,
    machine,
    isShuttingDown: shutdown.phase !== 'off',
    isCutOff,
    faults,
    hasOtherNodes:
      kind === 'sandbox' ? nodes.some((other) => other.name !== name && isAtWork(other)) : null,
    sandbox: kind === 'sandbox',
    // A gotcha has a cluster of its own, made for acts.
    readOnly: isReadOnly && scenario === null,
  }
}

/** The acts that change something about a node as it is now. Pure. */
function offeredActs({
  agent,
  machine,
  isShuttingDown,
  isCutOff,
  faults,
}: NodeActFacts): readonly NodeAct[] {
  const link = isCutOff === null ? [] : [isCutOff ? ('reconnect' as const) : ('cutOff' as const)]
  if (machine === 'off') return ['boot', ...link]
  return [
    ...(agent === 'running' ? (['restartAgent', 'stopAgent'] as const) : (['startAgent'] as const)),
    isShuttingDown ? 'cancelShutDown' : 'shutDown',
    'powerOff',
    ...link,
    ...(faults.runtime === 'answers'
      ? (['runtimeDown', 'runtimeHangs'] as const)
      : (['runtimeAnswers'] as const)),
    ...(faults.call === null ? [] : (['callsAnswer'] as const)),
    'failCall',
    ...(faults.isDiskFull === null
      ? []
      : [faults.isDiskFull ? ('freeDisk' as const) : ('fillDisk' as const)]),
    faults.hasSlowMounts ? 'usualMounts' : 'slowMounts',
  ]
}

/** The acts that change something about the link from all nodes to the API server; none for a single node. Pure. */
function linkDialogs({ id, isCutOff, nodes }: ClusterView): readonly NodeDialog[] {
  if (isCutOff === null || nodes.length < 2) return []
  const isAnyCutOff = nodes.some((node) => node.isCutOff === true)
  return [
    ...(isCutOff ? [] : [{ kind: 'link', act: 'cutOff', cluster: id } as const]),
    ...(isAnyCutOff ? [{ kind: 'link', act: 'reconnect', cluster: id } as const] : []),
  ]
}

/** What a menu or dialog says about an act, for the node as it is now; undefined when the node no longer exists. Pure. */
function actWords(
  cluster: ClusterView,
  dialog: NodeDialog,
  isReadOnly: boolean,
  call: CallFault = usualCallFault,
): NodeActWords | undefined {
  const { label, nodes } = cluster
  const common = { dialog, icon: icons[dialog.act], label }
  if (dialog.kind === 'link')
    return {
      ...common,
      names: nodes.map(({ name }) => name).join(', '),
      ...text.nodes.link[dialog.act],
      refusal: isReadOnly && cluster.scenario === null ? text.common.readOnly : '',
    }
  const node = nodes.find(({ name }) => name === dialog.node.node)
  if (node === undefined) return undefined
  const facts = nodeActFacts(cluster, node, isReadOnly)
  return { ...common, names: node.name, ...forecastNodeAct(dialog.act, facts, call) }
}

/** What menus offer for a node, in their order. Pure. */
export function nodeActs(
  cluster: ClusterView,
  node: NodeView,
  isReadOnly: boolean,
): readonly NodeActWords[] {
  // What was recorded cannot be acted on.
  if (cluster.kind === 'recording') return []
  const ref = { cluster: cluster.id, node: node.name }
  const dialogs: readonly NodeDialog[] = [
    ...offeredActs(nodeActFacts(cluster, node, isReadOnly)).map(
      (act) => ({ kind: 'node', act, node: ref }) as const,
    ),
    ...linkDialogs(cluster),
  ]
  return dialogs.flatMap((dialog) => actWords(cluster, dialog, isReadOnly) ?? [])
}

/** What the dialog says; undefined when its cluster or node no longer exists. Pure. */
export function nodeDialogWords(
  clusters: readonly ClusterView[],
  dialog: NodeDialog,
  isReadOnly: boolean,
  call: CallFault,
): NodeActWords | undefined {
  const id = dialog.kind === 'link' ? dialog.cluster : dialog.node.cluster
  const cluster = clusters.find((view) => view.id === id)
  return cluster === undefined ? undefined : actWords(cluster, dialog, isReadOnly, call)
}
