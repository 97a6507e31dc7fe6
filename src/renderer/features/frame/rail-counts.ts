import type { NodeView } from '../../../shared/model/cluster-view.ts'
import { shownCluster } from '../../store/shown-node.ts'
import type { State } from '../../store/state.ts'

/** How many rights of the shown cluster are missing, as far as they were asked. Pure. */
export function missingRights(state: State): number {
  const { rights } = state
  if (rights === null || rights.view === null || rights.cluster !== shownCluster(state)?.id)
    return 0
  const { look, change } = rights.view
  return [...look, ...change].filter(({ allowed }) => allowed === 'no').length
}

/** The problems of a node's manifests, over all sources except the API. Pure. */
export function manifestErrors(node: NodeView | undefined): number {
  return (node?.sources ?? [])
    .filter(({ source }) => source !== 'api')
    .reduce((sum, { problems }) => sum + problems.length, 0)
}
