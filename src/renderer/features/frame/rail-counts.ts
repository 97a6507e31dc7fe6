import type { NodeView } from '../../../shared/model/cluster-view.ts'

/** The problems of a node's manifests, over all sources except the API. Pure. */
export function manifestErrors(node: NodeView | undefined): number {
  return (node?.sources ?? [])
    .filter(({ source }) => source !== 'api')
    .reduce((sum, { problems }) => sum + problems.length, 0)
}
