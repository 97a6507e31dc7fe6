import type { PodAdmitter } from '../admission/pod-admitter.ts'
import { FakeEventRecorder } from '../container/fake-event-recorder.ts'
import { FakeLog } from '../container/fake-log.ts'
import { FakeTrace } from '../container/fake-trace.ts'
import { fakeResizeConditions } from '../status/fake-status-manager.ts'
import { AllocationManager } from './allocation-manager.ts'

/** Allocations in memory that are not retried by themselves; `resizes`: what is asked for a resize. */
export function fakeAllocations(
  admitters: readonly PodAdmitter[] = [],
  resizes: Partial<ConstructorParameters<typeof AllocationManager>[0]> = {},
): AllocationManager {
  return new AllocationManager({
    clock: { now: () => 0, after: () => () => undefined },
    trace: new FakeTrace(),
    log: new FakeLog(),
    recorder: new FakeEventRecorder(),
    admitters,
    conditions: fakeResizeConditions(),
    sourcesReady: { allReady: () => true },
    activePods: () => [],
    podByUID: () => undefined,
    triggerPodSync: () => undefined,
    allocatable: () => ({ cpu: '4', memory: '8Gi' }),
    ...resizes,
  })
}
