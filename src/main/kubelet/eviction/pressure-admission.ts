/** Admission while the node runs short (kubelet eviction managerImpl.Admit; admission#node-pressure). */
import type { Taint } from '../../../shared/kubernetes/objects.ts'
import { recordedQosClass } from '../../../shared/kubernetes/qos.ts'
import { toleratesTaint } from '../../../shared/kubernetes/taints.ts'
import type { PodAdmitter } from '../admission/pod-admitter.ts'
import type { NodePressure } from '../node/node-status.ts'
import { isCriticalPod } from '../pod/identity.ts'

const memoryPressureTaint: Taint = {
  key: 'node.kubernetes.io/memory-pressure',
  effect: 'NoSchedule',
}

/** In the order of the message; Go has none. */
const conditionTypes: readonly (readonly [keyof NodePressure, string])[] = [
  ['memory', 'MemoryPressure'],
  ['disk', 'DiskPressure'],
  ['pid', 'PIDPressure'],
]

/**
 * Critical pods are always admitted. Under memory pressure alone only BestEffort pods are refused that do not
 * tolerate its taint; under any other pressure all are.
 */
export class PressureAdmitter implements PodAdmitter {
  readonly #pressure: () => NodePressure

  /** `pressure`: what the eviction manager reports as the node's conditions at this moment. */
  constructor({ pressure }: { readonly pressure: () => NodePressure }) {
    this.#pressure = pressure
  }

  readonly admit: PodAdmitter['admit'] = (pod) => {
    const pressure = this.#pressure()
    const conditions = conditionTypes.flatMap(([kind, type]) => (pressure[kind] ? [type] : []))
    if (conditions.length === 0 || isCriticalPod(pod)) return undefined
    if (conditions.every((condition) => condition === 'MemoryPressure')) {
      if (recordedQosClass(pod) !== 'BestEffort') return undefined
      const { tolerations = [] } = pod.spec
      if (tolerations.some((one) => toleratesTaint(one, memoryPressureTaint))) return undefined
    }
    return {
      reason: 'Evicted',
      message: `The node had condition: [${conditions.join(' ')}]. `,
    }
  }
}
