import type { ActError, Receipt, Requests } from '../../../shared/ipc/contract.ts'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import type { EvictionRehearsal, SeenNodeForecast } from '../../../shared/model/seen/drain.ts'
import type { RightsView } from '../../../shared/model/seen/rights.ts'
import type { Result } from '../../../shared/result.ts'

/** What is done to a node, without the cluster. */
export type SeenNodeActArgs = Omit<Requests['seenNode.act']['args'], 'cluster'>

/** What only a cluster answers that is looked at. */
export interface SeenCommands {
  readonly nodes: {
    readonly forecast: (args: SeenNodeActArgs) => Promise<Result<SeenNodeForecast, ActError>>
    readonly act: (args: SeenNodeActArgs) => Promise<Result<Receipt, ActError>>
    readonly stopDrain: (node: string) => Result<Receipt, ActError>
  }
  readonly rights: (namespace: string | null) => Promise<Result<RightsView, ActError>>
  readonly rehearseEviction: (
    key: PodKey,
    gracePeriodSeconds: number | null,
  ) => Promise<Result<EvictionRehearsal, ActError>>
}
