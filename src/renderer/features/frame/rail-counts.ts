import type { NodeView } from '../../../shared/model/cluster-view.ts'

/** Manifests that no pod came of, over all sources of a node but the API. Pure. */
export function manifestErrors(node: NodeView | undefined): number {
  return (node?.sources ?? [])
    .filter(({ source }) => source !== 'api')
    .reduce((sum, { problems }) => sum + problems.length, 0)
}
