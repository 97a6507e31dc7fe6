import { describe, expect, it } from 'vitest'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { err, ok } from '../../../shared/result.ts'
import type { ContainerStats, StatsFilter } from '../cri-types.ts'
import { fakePod } from '../pod/fake-pod.ts'
import type { RuntimeError } from '../ports.ts'
import { PodUseMeter } from './pod-use.ts'

const pod = fakePod({ uid: 'u', name: 'p' })

/** A runtime that says what its containers use now, as over CRI. */
class MeasuredRuntime {
  readonly asked: StatsFilter[] = []
  readonly clock = new VirtualClock(nodeClockHost, { startAt: 1_000_000 })
  failure: RuntimeError | undefined
  id = 'first'
  memoryBytes = 100
  coreNanoSeconds = 0
  usageNanoCores = 0
  /** How old its measurements are, ms. */
  lateMs = 0
  readonly meter = new PodUseMeter({
    clock: this.clock,
    runtimeService: {
      listContainers: () => Promise.resolve(ok([])),
      listContainerStats: (filter = {}) => {
        this.asked.push(filter)
        const { failure } = this
        return Promise.resolve(failure === undefined ? ok([this.#stats()]) : err(failure))
      },
    },
    podOf: (uid) => (uid === 'gone' ? undefined : { pod, status: undefined }),
  })

  async samples(uid = 'u') {
    const use = await this.meter.use(uid)
    return use?.containers[0]?.runs.map(({ samples }) =>
      samples.map(({ at, memoryBytes, cpuMillis }) => [at - 1_000_000, memoryBytes, cpuMillis]),
    )
  }

  #stats(): ContainerStats {
    const timestamp = this.clock.now() - this.lateMs
    const bytes = this.memoryBytes
    return {
      id: this.id,
      name: pod.spec.containers[0]?.name ?? '',
      attempt: 0,
      labels: {},
      annotations: {},
      cpu: {
        timestamp,
        usageCoreNanoSeconds: this.coreNanoSeconds,
        usageNanoCores: this.usageNanoCores,
      },
      memory: {
        timestamp,
        workingSetBytes: bytes,
        availableBytes: 0,
        usageBytes: bytes,
        rssBytes: bytes,
        pageFaults: 0,
        majorPageFaults: 0,
      },
      writableLayer: { timestamp, mountpoint: '/', usedBytes: 0, inodesUsed: 0 },
    }
  }
}

describe('the use of a pod on a runtime that does not know its past', () => {
  it('is measured when it is asked for, and CPU is the difference of two measurements', async () => {
    const runtime = new MeasuredRuntime()
    expect(await runtime.samples()).toEqual([[[0, 100, null]]])
    await runtime.clock.advance(5000)
    runtime.coreNanoSeconds = 1e9
    runtime.memoryBytes = 200
    expect(await runtime.samples()).toEqual([
      [
        [0, 100, null],
        [5000, 200, 200],
      ],
    ])
    expect(runtime.asked).toEqual([
      { labelSelector: { 'io.kubernetes.pod.uid': 'u' } },
      { labelSelector: { 'io.kubernetes.pod.uid': 'u' } },
    ])
    await runtime.clock.advance(3_600_000)
    expect(runtime.asked).toHaveLength(2)
  })

  it('is not measured again for a second page', async () => {
    const runtime = new MeasuredRuntime()
    runtime.usageNanoCores = 3e6
    await runtime.samples()
    await runtime.clock.advance(1000)
    expect(await runtime.samples()).toEqual([[[0, 100, 3]]])
    expect(runtime.asked).toHaveLength(1)
  })

  it('counts a measurement once, however late it is', async () => {
    const runtime = new MeasuredRuntime()
    await runtime.samples()
    await runtime.clock.advance(5000)
    runtime.lateMs = 5000
    expect(await runtime.samples()).toEqual([[[0, 100, null]]])
  })

  it('is another run after a restart, and is forgotten after ten minutes', async () => {
    const runtime = new MeasuredRuntime()
    await runtime.samples()
    await runtime.clock.advance(5000)
    runtime.id = 'second'
    expect(await runtime.samples()).toEqual([[[0, 100, null]], [[5000, 100, null]]])
    await runtime.clock.advance(596_000)
    expect((await runtime.samples())?.map((run) => run.length)).toEqual([2])
  })

  it('keeps what it knows while the runtime does not answer', async () => {
    const runtime = new MeasuredRuntime()
    await runtime.samples()
    await runtime.clock.advance(5000)
    runtime.failure = { kind: 'unavailable', message: 'connection refused' }
    expect(await runtime.meter.use('u')).toMatchObject({ error: 'connection refused' })
    expect(await runtime.samples()).toEqual([[[0, 100, null]]])
  })

  it('is kept for the pods that were asked about last', async () => {
    const runtime = new MeasuredRuntime()
    await runtime.samples()
    for (let count = 0; count < 8; count++) await runtime.samples(`other-${count}`)
    await runtime.clock.advance(5000)
    expect(await runtime.samples()).toEqual([[[5000, 100, null]]])
    expect(await runtime.meter.use('gone')).toBeUndefined()
  })
})
