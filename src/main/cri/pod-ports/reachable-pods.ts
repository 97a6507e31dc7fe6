import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { Clock, Log } from '../../kubelet/ports.ts'
import type { SimulatedRuntimeOptions } from '../../runtimes/simulated/simulated-runtime.ts'
import { PodPorts } from './pod-ports.ts'
import { claimPodRange } from './pod-range.ts'

/** Options of a runtime whose pods can be reached from this machine. */
export interface ReachablePods {
  readonly options: Pick<SimulatedRuntimeOptions, 'podCidr' | 'machinePorts'>
  readonly stop: () => void
}

/** Claims addresses of this machine for pods. Where it has none for them, pods cannot be reached. The error is one sentence. */
export async function reachablePods(deps: {
  readonly clock: Clock
  readonly log: Log
}): Promise<Result<ReachablePods, string>> {
  const range = await claimPodRange(deps.log)
  if (!range.ok) return err(range.error)
  if (range.value === undefined) return ok({ options: {}, stop: () => undefined })
  const { podCidr, release } = range.value
  const machinePorts = new PodPorts(deps)
  const stop = (): void => {
    machinePorts.stop()
    release()
  }
  return ok({ options: { podCidr, machinePorts }, stop })
}
