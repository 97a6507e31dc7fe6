import type { ActError } from '../../../shared/ipc/contract.ts'
import type { LossForecast, LossResult, LossWay } from '../../../shared/model/loss/loss.ts'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import type { Result } from '../../../shared/result.ts'

/** The ways in which a pod of a sandbox is lost. */
export interface LossCommands {
  /** What each would do. */
  readonly forecast: (key: PodKey) => Result<readonly LossForecast[], ActError>
  /** Loses a copy; the pod and its cluster stay as they are. */
  readonly rehearse: (key: PodKey, way: LossWay) => Promise<Result<LossResult, ActError>>
}
