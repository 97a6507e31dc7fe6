import type { GotchaView } from '../../shared/model/gotcha.ts'
import type { Result } from '../../shared/result.ts'
import type { OpenCluster } from './cluster/open-cluster.ts'

/** The gotchas as the session needs them: the list, and one of them as an open cluster. */
export interface GotchaOpener {
  readonly gotchas: readonly GotchaView[]
  /** The cluster's id is `gotchaClusterId(id)`. Error: one sentence, and nothing is left running. */
  readonly open: (id: string) => Promise<Result<OpenCluster, string>>
}

/** Id of the cluster that shows a gotcha. */
export function gotchaClusterId(id: string): string {
  return `gotcha-${id}`
}
