import { assertNever } from '../../../shared/assert-never.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { TraceData } from '../../../shared/model/trace-event.ts'
import { isTerminalPhase } from '../pod/identity.ts'
import type { UpdatePodOptions } from './update-pod-options.ts'
import type { TerminationReason, WorkerRecord } from './worker-record.ts'

/** What in an update asks for the end of a pod; `''`: nothing. */
export type TerminationTrigger = TraceData['worker.updated']['transition']

/** pod-workers#updatepod, step 6: the first that applies. `pod` is undefined for a pod that only the runtime knows. */
export function terminationTrigger(
  options: UpdatePodOptions,
  pod: Pod | undefined,
  isRuntimePod: boolean,
): TerminationTrigger {
  if (isRuntimePod) return 'runtimePod'
  if (pod?.metadata.deletionTimestamp !== undefined) return 'deletionTimestamp'
  if (isTerminalPhase(pod?.status?.phase)) return 'terminalPhase'
  if (options.updateType !== 'kill') return ''
  return options.killPodOptions?.evict === true ? 'evicted' : 'killed'
}

/** Sets the flag that goes with a trigger. A later eviction of a pod that is stopping already sets nothing. */
export function applyTrigger(record: WorkerRecord, trigger: TerminationTrigger): void {
  if (trigger === 'runtimePod' || trigger === 'deletionTimestamp') record.deleted = true
  if (trigger === 'evicted') record.evicted = true
}

/** The trigger in words. */
export function terminationReason(trigger: Exclude<TerminationTrigger, ''>): TerminationReason {
  switch (trigger) {
    case 'runtimePod':
      return 'runtime pod without config'
    case 'terminalPhase':
      return 'terminal phase'
    case 'deletionTimestamp':
    case 'evicted':
    case 'killed':
      return trigger
    default:
      return assertNever(trigger, 'termination trigger')
  }
}
