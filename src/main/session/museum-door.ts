import type { ExhibitView } from '../../shared/model/museum.ts'
import type { Result } from '../../shared/result.ts'
import type { OpenCluster } from './cluster/open-cluster.ts'

/** The museum as the session needs it: what there is, and one of it as a cluster at its moment. */
export interface MuseumDoor {
  readonly exhibits: readonly ExhibitView[]
  /** The cluster's id is `exhibitCluster(id)`. Error: one sentence, and nothing is left running. */
  readonly open: (id: string) => Promise<Result<OpenCluster, string>>
}

/** Id of the cluster that shows an exhibit. */
export function exhibitCluster(id: string): string {
  return `gotcha-${id}`
}
