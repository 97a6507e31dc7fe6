import type {
  PressureView,
  RankedPod,
  SignalView,
} from '../../shared/model/pressure/pressure-view.ts'
import { fakeNow } from './fake-views.ts'

const mebi = 2 ** 20

/** A pod without requests; a test sets only the differences. */
export function fakeRanked(part: Partial<RankedPod> & { readonly name: string }): RankedPod {
  return {
    uid: `uid-of-${part.name}`,
    namespace: 'default',
    keys: { use: 64 * mebi, request: 0, priority: 0, subtracted: 0 },
    never: '',
    ...part,
  }
}

function fakeMemory(part: Partial<SignalView> = {}): SignalView {
  return {
    signal: 'memory.available',
    resource: 'memory',
    available: 4096 * mebi,
    capacity: 8192 * mebi,
    thresholds: [
      {
        isHard: true,
        value: '100Mi',
        at: 100 * mebi,
        minReclaim: 0,
        gracePeriodMs: 0,
        metSince: null,
      },
    ],
    history: [],
    reclaims: [],
    follows: null,
    ...part,
  }
}

/** A simulated node without pressure. */
export function fakePressure(part: Partial<PressureView> = {}): PressureView {
  return {
    now: fakeNow,
    isOn: true,
    signals: [fakeMemory()],
    conditions: (['MemoryPressure', 'DiskPressure', 'PIDPressure'] as const).map((condition) => ({
      condition,
      isTrue: false,
      lastObservedAt: null,
    })),
    rankings: [],
    evictions: [],
    lastRoundAt: fakeNow - 4000,
    nextRoundAt: fakeNow + 6000,
    pressureTransitionPeriodMs: 300_000,
    maxPodGracePeriodSeconds: 60,
    other: { memoryBytes: 640 * mebi, diskBytes: 0, inodes: 98_304, processes: 142 },
    error: '',
    ...part,
  }
}
