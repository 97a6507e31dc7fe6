import { seededRandom } from '../../src/main/clock/seeded-random.ts'
import { systemClock } from '../../src/main/clock/system-clock.ts'
import { FakeLog } from '../../src/main/kubelet/container/fake-log.ts'
import type { Clock } from '../../src/main/kubelet/ports.ts'
import { SimulatedRuntime } from '../../src/main/runtimes/simulated/simulated-runtime.ts'

/** Ten times as fast as the system's. */
const clock: Clock = {
  now: systemClock.now,
  after: (delayMs, fn) => systemClock.after(delayMs / 10, fn),
}

/** For the cases of the contract. */
export function newSimulatedRuntime(): SimulatedRuntime {
  return new SimulatedRuntime({
    clock,
    random: seededRandom(1),
    trace: { emit: () => 0 },
    log: new FakeLog(),
    options: {
      images: ['registry.k8s.io/pause:3.10', 'busybox:1.36', 'bitnami/redis:7'],
      streaming: { command: () => 'http://127.0.0.1:1/command', portForward: () => 'http://p' },
    },
  })
}
