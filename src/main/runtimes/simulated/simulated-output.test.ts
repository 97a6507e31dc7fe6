import { beforeEach, describe, expect, it } from 'vitest'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { seededRandom } from '../../clock/seeded-random.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { FakeTrace } from '../../kubelet/container/fake-trace.ts'
import type { ContainerLogLine } from '../../kubelet/host/container-log-reader.ts'
import type { PodSandboxConfig } from '../../kubelet/ports.ts'
import { SimulatedRuntime } from './simulated-runtime.ts'

const startAt = Date.UTC(2026, 0, 1)

let clock: VirtualClock
let runtime: SimulatedRuntime

beforeEach(() => {
  clock = new VirtualClock(nodeClockHost, { startAt })
  runtime = new SimulatedRuntime({
    clock,
    random: seededRandom(1),
    trace: new FakeTrace(),
    log: new FakeLog(),
    options: { images: ['busybox:1.36'] },
  })
})

const sandboxConfig: PodSandboxConfig = {
  metadata: { name: 'p', uid: 'u', namespace: 'n', attempt: 0 },
  hostNetwork: false,
  labels: {},
  annotations: {},
}

async function waitedFor<T>(call: Promise<T>): Promise<T> {
  let isOver = false
  void call.finally(() => {
    isOver = true
  })
  while (!isOver) await clock.advance(1)
  return call
}

/** A container that has just started; times in its log are counted from then. */
class Started {
  readonly id: string
  readonly at = clock.now()

  constructor(id: string) {
    this.id = id
  }

  readonly lines = async (count = 10_000): Promise<readonly ContainerLogLine[]> =>
    (await runtime.lastLogLines(this.id, count)) ?? []

  /** Seconds since the start, stream, P for parts, text. */
  readonly log = async (count?: number): Promise<readonly string[]> =>
    (await this.lines(count)).map(
      ({ at, stream, isWhole, text }) =>
        `${(at - this.at) / 1000} ${stream}${isWhole ? '' : ' P'} ${text}`,
    )
}

async function start(script: string): Promise<Started> {
  const sandbox = await waitedFor(runtime.runPodSandbox(sandboxConfig))
  if (!sandbox.ok) throw new Error(sandbox.error.message)
  const config = {
    name: 'c',
    attempt: 0,
    image: 'busybox:1.36',
    command: ['sh', '-c', script],
    args: [],
    envs: [],
    labels: {},
    annotations: {},
  }
  const container = await waitedFor(runtime.createContainer(sandbox.value, config, sandboxConfig))
  if (!container.ok) throw new Error(container.error.message)
  await waitedFor(runtime.startContainer(container.value))
  return new Started(container.value)
}

describe('the log of a container', () => {
  it('has what was printed, when, and to which stream', async () => {
    const { id, log } = await start('echo a; sleep 2; echo b >&2; printf "c\\nd"')
    expect(await log()).toEqual(['0 stdout a'])
    await clock.advance(2000)
    expect(await log()).toEqual(['0 stdout a', '2 stderr b', '2 stdout c', '2 stdout P d'])
    expect(await runtime.lastLogLines(id, 2)).toHaveLength(2)
    expect(await runtime.lastLogLines(id, 0)).toEqual([])
    expect(await runtime.lastLogLines('none', 1)).toBeUndefined()
  })

  it('is that of an endless loop, without timers', async () => {
    const { log } = await start('i=0; while true; do i=$((i+1)); echo $i; sleep 5; done')
    expect(clock.pendingTimers).toBe(0)
    expect(await log()).toEqual(['0 stdout 1'])
    await clock.advance(4999)
    expect(await log()).toEqual(['0 stdout 1'])
    await clock.advance(1)
    expect(await log()).toEqual(['0 stdout 1', '5 stdout 2'])
    await clock.advance(5_000_000)
    expect(await log(2)).toEqual(['5000 stdout 1001', '5005 stdout 1002'])
    expect(clock.pendingTimers).toBe(0)
  })

  it('has every round of a loop of which each depends on the one before', async () => {
    const { log } = await start('i=1; while true; do i=$((i*2)); echo $i; sleep 1; done')
    await clock.advance(10_000)
    expect(await log(1)).toEqual(['10 stdout 2048'])
  })

  it('has what a trap prints after the last round, and ends with the container', async () => {
    const { id, log } = await start(
      "trap 'echo bye; exit 3' TERM; while true; do echo on; sleep 5; done",
    )
    await clock.advance(7000)
    await waitedFor(runtime.stopContainer(id, 30))
    await clock.advance(60_000)
    expect(await log()).toEqual(['0 stdout on', '5 stdout on', '10 stdout bye'])
  })

  it('has the rounds until SIGKILL', async () => {
    const { id, log } = await start('while true; do date +%S; sleep 5; done')
    await clock.advance(7000)
    await waitedFor(runtime.stopContainer(id, 0))
    await clock.advance(60_000)
    expect(await log()).toHaveLength(2)
  })

  it('keeps the end only of what is printed for ever', async () => {
    const { lines } = await start('while true; do echo 0123456789; sleep 1; done')
    for (let hour = 0; hour < 3; hour++) {
      await clock.advance(3_600_000)
      expect((await lines()).length).toBeLessThanOrEqual(2000)
    }
    expect(clock.now() - ((await lines()).at(-1)?.at ?? 0)).toBeLessThan(1000)
  })

  it('cuts long lines into parts', async () => {
    const { lines } = await start(`echo ${'x'.repeat(20_000)}`)
    expect((await lines()).map(({ isWhole, text }) => [isWhole, text.length])).toEqual([
      [false, 16_384],
      [true, 20_000 - 16_384],
    ])
  })
})
