import type { ClusterView } from '../../../shared/model/cluster-view.ts'

/** Manifests that no pod came of, over all sources but the API. Pure. */
export function manifestErrors(clusters: readonly ClusterView[]): number {
  return clusters
    .flatMap((cluster) => cluster.nodes)
    .flatMap((node) => node.sources)
    .filter(({ source }) => source !== 'api')
    .reduce((sum, { problems }) => sum + problems.length, 0)
}
