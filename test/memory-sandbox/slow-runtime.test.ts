import { describe, expect, it } from 'vitest'
import { nodeClockHost } from '../../src/main/clock/node-clock-host.ts'
import { seededRandom } from '../../src/main/clock/seeded-random.ts'
import { VirtualClock } from '../../src/main/clock/virtual-clock.ts'
import { FakeLog } from '../../src/main/kubelet/container/fake-log.ts'
import { FakeTrace } from '../../src/main/kubelet/container/fake-trace.ts'
import { SimulatedRuntime } from '../../src/main/runtimes/simulated/simulated-runtime.ts'
import { SlowRuntime } from './slow-runtime.ts'

function makeRuntime() {
  const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  const runtime = new SimulatedRuntime({
    clock,
    random: seededRandom(1),
    trace: new FakeTrace(),
    log: new FakeLog(),
  })
  return { clock, slow: new SlowRuntime({ runtime, clock }) }
}

describe('SlowRuntime', () => {
  it('starts the next calls of a kind after their delay, others at once', async () => {
    const { clock, slow } = makeRuntime()
    slow.delayNext('listContainers', 3000)
    slow.delayNext('listContainers', 1000)
    const ended: string[] = []
    const noted = (what: string) => () => {
      ended.push(`${what} ${clock.now()}`)
    }
    void slow.service.listContainers().then(noted('first'))
    void slow.service.listContainers().then(noted('second'))
    void slow.service.listContainers().then(noted('third'))
    void slow.service.listPodSandboxes().then(noted('other'))
    await clock.advance(5000)
    expect(ended).toEqual(['third 0', 'other 0', 'second 1000', 'first 3000'])
  })

  it('clears the delays that no call has used', async () => {
    const { clock, slow } = makeRuntime()
    slow.delayNext('status', 1000, 5)
    slow.clear()
    let answer: unknown
    void slow.service.status().then((result) => (answer = result))
    await clock.advance(0)
    expect(answer).toMatchObject({ ok: true })
  })

  it('never starts the calls that waited during a power failure', async () => {
    const { clock, slow } = makeRuntime()
    slow.delayNext('status', 1000, 2)
    const answers: unknown[] = []
    void slow.service.status().then((result) => answers.push(result))
    slow.cutPower()
    await clock.advance(5000)
    expect(answers).toEqual([])
    void slow.service.status().then((result) => answers.push(result))
    await clock.advance(0)
    expect(answers).toHaveLength(1)
  })
})
