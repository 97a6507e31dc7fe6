import type { ClusterView } from '../../shared/model/cluster-view.ts'
import type { ViewName } from './view-name.ts'

/** Views of a kubelet that runs here. */
const ownOnly: ReadonlySet<ViewName> = new Set(['flow', 'manifests', 'start'])
/** Views of a cluster whose kubelets run elsewhere. */
const seenOnly: ReadonlySet<ViewName> = new Set(['nodes', 'inspect', 'rights'])

/** Whether the page shows this view of a cluster; before the first snapshot all views. Pure. */
export function isOffered(view: ViewName, cluster: ClusterView | undefined): boolean {
  if (cluster === undefined) return true
  return !(cluster.seen === null ? seenOnly : ownOnly).has(view)
}

/** The view to show of a cluster: the chosen one, or the first that it has. Pure. */
export function offeredView(view: ViewName, cluster: ClusterView | undefined): ViewName {
  if (isOffered(view, cluster)) return view
  return cluster?.seen === null ? 'pods' : 'nodes'
}
