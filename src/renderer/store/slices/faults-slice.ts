import type { Bridge } from '../../../shared/ipc/contract.ts'
import type { Fault } from '../../../shared/model/node/fault.ts'
import { requestResult } from '../request-result.ts'

export interface FaultsSlice {
  /** The cluster whose dialog is open. */
  readonly faultsCluster: string | null
  /** Why the last change was refused; else empty. */
  readonly faultsProblem: string
  /** The number of changes by this page: what was read before one is old. */
  readonly faultsChanges: number
  readonly openFaults: (cluster: string) => void
  readonly closeFaults: () => void
  /** Replaces all faults of the cluster. */
  readonly setFaults: (faults: readonly Fault[]) => Promise<void>
}

export function faultsSlice(
  set: (part: Partial<FaultsSlice>) => void,
  get: () => FaultsSlice,
  bridge: Bridge,
): FaultsSlice {
  return {
    faultsCluster: null,
    faultsProblem: '',
    faultsChanges: 0,
    openFaults: (faultsCluster) => set({ faultsCluster, faultsProblem: '' }),
    closeFaults: () => set({ faultsCluster: null }),
    setFaults: async (faults) => {
      const { faultsCluster: cluster } = get()
      if (cluster === null) return
      const result = await requestResult(bridge.request('faults.set', { cluster, faults }))
      set({
        faultsProblem: result.ok ? '' : result.error.message,
        faultsChanges: get().faultsChanges + 1,
      })
    },
  }
}
