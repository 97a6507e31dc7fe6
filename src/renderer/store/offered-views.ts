import type { ClusterKind, ClusterView } from '../../shared/model/cluster-view.ts'
import type { ViewName } from './view-name.ts'

/** Views of what a kubelet does, of the kubelets that run elsewhere, and of every source. */
const ofKind: Readonly<Record<ViewName, readonly ClusterKind[] | 'all'>> = {
  flow: ['sandbox', 'joined', 'recording', 'seen', 'log'],
  // A recording has no files, and kubectl cannot reach it.
  manifests: ['sandbox', 'joined'],
  start: ['sandbox', 'joined'],
  mirrors: ['sandbox', 'joined', 'recording', 'seen'],
  workloads: ['sandbox', 'recording', 'seen'],
  pressure: ['sandbox', 'joined'],
  nodes: ['sandbox', 'joined', 'recording', 'seen'],
  inspect: ['seen'],
  rights: ['seen'],
  pods: 'all',
  timeline: 'all',
  events: 'all',
  gotchas: 'all',
  handbook: 'all',
  log: 'all',
  clusters: 'all',
}

/** Of the recording of a cluster that was looked at. */
const ofSeenRecording: readonly ViewName[] = ['flow', 'nodes', 'mirrors', 'inspect', 'workloads']

/** Whether the page shows this view of a cluster; before the first snapshot all views. Pure. */
export function isOffered(view: ViewName, cluster: ClusterView | undefined): boolean {
  const kinds = ofKind[view]
  if (cluster === undefined || kinds === 'all') return true
  const isSeenRecording = cluster.kind === 'recording' && cluster.seen !== null
  return isSeenRecording ? ofSeenRecording.includes(view) : kinds.includes(cluster.kind)
}

/** The view to show of a cluster: the chosen one, or the first that it has. Pure. */
export function offeredView(view: ViewName, cluster: ClusterView | undefined): ViewName {
  if (isOffered(view, cluster)) return view
  return cluster?.kind === 'seen' ? 'nodes' : 'pods'
}

/** Whether the page applies YAML to a cluster. Pure. */
export function canApply(cluster: ClusterView | undefined): cluster is ClusterView {
  return cluster?.kind === 'sandbox' || cluster?.kind === 'seen'
}

const liveKinds: ReadonlySet<ClusterKind> = new Set(['sandbox', 'joined', 'seen'])

/** Whether a cluster is live: its pods can be acted on, and it can be recorded. Pure. */
export function isLive(cluster: ClusterView | undefined): cluster is ClusterView {
  return cluster !== undefined && liveKinds.has(cluster.kind)
}
