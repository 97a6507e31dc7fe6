import { describe, expect, it } from 'vitest'
import type { Lease } from '../../../shared/kubernetes/objects.ts'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { seededRandom } from '../../clock/seeded-random.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { FakeLog } from '../container/fake-log.ts'
import { FakeTrace } from '../container/fake-trace.ts'
import { FakeApiClient } from '../fake-api-client.ts'
import { FakeNodeLister, fakeNode } from '../pod/fake-node-lister.ts'
import { LeaseController } from './lease-controller.ts'

const key = { resource: 'leases', namespace: 'kube-node-lease', name: 'n' } as const
const unavailable = { kind: 'unavailable', message: 'connection refused' } as const

class Bench {
  readonly clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  readonly api = new FakeApiClient({ clock: this.clock })
  readonly trace = new FakeTrace()
  readonly nodeLister = new FakeNodeLister(fakeNode())
  closedConnections = 0
  readonly controller = new LeaseController({
    nodeName: 'n',
    api: this.api,
    nodeLister: this.nodeLister,
    onRepeatedHeartbeatFailure: () => {
      this.closedConnections++
    },
    clock: this.clock,
    random: seededRandom(1),
    trace: this.trace,
    log: new FakeLog(),
  })

  /** Calls since the last call, as `seconds verb outcome`. */
  take(): readonly string[] {
    return this.api.calls
      .splice(0)
      .map(({ at, verb, outcome }) => `${(at / 1000).toFixed(1)} ${verb} ${outcome}`)
  }

  async lease(): Promise<Lease | undefined> {
    const lease = await this.api.get(key)
    this.api.calls.length = 0
    return lease.ok ? lease.value : undefined
  }
}

describe('LeaseController', () => {
  it('makes the lease once, then updates the copy that it knows without reading', async () => {
    const bench = new Bench()
    bench.controller.start()
    await bench.clock.advance(31_500)
    expect(bench.take().map((call) => call.replace(/^\S+ /, ''))).toEqual([
      'get not-found',
      'create ok',
      'update ok',
      'update ok',
      'update ok',
    ])
    expect((await bench.lease())?.spec).toEqual({
      holderIdentity: 'n',
      leaseDurationSeconds: 40,
      renewTime: expect.stringMatching(/^1970-01-01T00:00:3\d\.\d{3}000Z$/),
    })
  })

  it('renews every ten seconds with at most four per cent more', async () => {
    const bench = new Bench()
    bench.controller.start()
    await bench.clock.advance(600_000)
    const times = bench.trace.data('lease.renewed').map(({ renewTime }) => Date.parse(renewTime))
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    expect(gaps.length).toBeGreaterThan(50)
    for (const gap of gaps) {
      expect(gap).toBeGreaterThanOrEqual(10_000)
      expect(gap).toBeLessThanOrEqual(10_401)
    }
    expect(new Set(gaps).size).toBeGreaterThan(10)
  })

  it('updates a lease that was there before, at once', async () => {
    const bench = new Bench()
    const { namespace } = key
    await bench.api.create({ resource: 'leases', namespace }, { metadata: { name: 'n', uid: '' } })
    bench.take()
    bench.controller.start()
    await bench.clock.advance(0)
    expect(bench.take()).toEqual(['0.0 get ok', '0.0 update ok'])
    expect(bench.controller.renewedAt).toBe(0)
  })

  it('is not made while the Node cannot be read, which is no error', async () => {
    const bench = new Bench()
    bench.nodeLister.node = undefined
    bench.controller.start()
    await bench.clock.advance(9000)
    expect(bench.take()).toEqual(['0.0 get not-found'])
    expect(bench.trace.data('lease.failed')).toEqual([])
    bench.nodeLister.node = fakeNode()
    await bench.clock.advance(2000)
    expect(await bench.lease()).toBeDefined()
  })

  it('asks again after 200 ms, doubling up to seven seconds, while the server is away', async () => {
    const bench = new Bench()
    bench.api.refuse = () => unavailable
    bench.controller.start()
    await bench.clock.advance(30_000)
    expect(bench.take().map((call) => call.split(' ')[0])).toEqual([
      '0.0',
      '0.2',
      '0.6',
      '1.4',
      '3.0',
      '6.2',
      '12.6',
      '19.6',
      '26.6',
    ])
  })

  it('tries an update five times at once, then reads and tries five times more, closing connections', async () => {
    const bench = new Bench()
    bench.controller.start()
    await bench.clock.advance(0)
    bench.take()
    bench.api.refuse = ({ verb }) => (verb === 'update' ? unavailable : undefined)
    await bench.clock.advance(11_000)
    const verbs = bench.take().map((call) => call.split(' ')[1])
    expect(verbs).toEqual([
      ...Array.from({ length: 5 }, () => 'update'),
      'get',
      ...Array.from({ length: 5 }, () => 'update'),
    ])
    expect(bench.closedConnections).toBe(8)
  })

  it('reads the lease anew after a conflict and goes on with that', async () => {
    const bench = new Bench()
    bench.controller.start()
    await bench.clock.advance(0)
    bench.take()
    let conflicts = 1
    bench.api.refuse = ({ verb }) =>
      verb === 'update' && conflicts-- > 0 ? { kind: 'conflict', message: 'changed' } : undefined
    await bench.clock.advance(11_000)
    expect(bench.take().map((call) => call.replace(/^\S+ /, ''))).toEqual([
      'update conflict',
      'get ok',
      'update ok',
    ])
  })

  it('writes nothing after stop and leaves no timer, also in the middle of a pause', async () => {
    const bench = new Bench()
    bench.api.refuse = () => unavailable
    bench.controller.start()
    await bench.clock.advance(1000)
    bench.take()
    bench.controller.stop()
    expect(bench.clock.pendingTimers).toBe(0)
    await bench.clock.advance(60_000)
    expect(bench.take()).toEqual([])
  })
})
