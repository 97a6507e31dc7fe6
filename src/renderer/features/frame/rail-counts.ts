import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'

/** Mirrors that are missing, stale, on their way out, or orphaned. Pure. */
export function mirrorsOutOfStep(rows: Iterable<PodRow>): number {
  let count = 0
  for (const row of rows)
    if (row.kind === 'mirror' || (row.mirror !== null && row.mirror !== 'matched')) count++
  return count
}

/** Manifests that no pod came of, over all sources but the API. Pure. */
export function manifestErrors(clusters: readonly ClusterView[]): number {
  return clusters
    .flatMap((cluster) => cluster.nodes)
    .flatMap((node) => node.sources)
    .filter(({ source }) => source !== 'api')
    .reduce((sum, { problems }) => sum + problems.length, 0)
}
