import { describe, expect, it } from 'vitest'
import { nodeClockHost } from '../../../src/main/clock/node-clock-host.ts'
import { seededRandom } from '../../../src/main/clock/seeded-random.ts'
import { VirtualClock } from '../../../src/main/clock/virtual-clock.ts'
import {
  FakeTransport,
  FakeWatch,
  list,
  refusal,
} from '../../../src/main/cluster/transport/fake-transport.ts'
import type { ReflectorStatus } from '../../../src/main/cluster/informer/reflector.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { ClusterTrace } from '../../../src/main/kubelet/trace.ts'
import { freezeJson } from '../../../src/shared/json.ts'
import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import type { WatchEvent, WatchEventType } from '../../../src/shared/kubernetes/request.ts'
import { ApiPodSource } from '../../../src/main/sources/api-pods.ts'

let version = 1

function pod(name: string, extra: Partial<Pod['metadata']> = {}): Pod {
  return freezeJson({
    metadata: {
      name,
      namespace: 'default',
      uid: `uid-${name}`,
      resourceVersion: String(version++),
      ...extra,
    },
    spec: { containers: [{ name: 'c' }] },
  })
}

function event(type: WatchEventType, object: Pod, ...causes: readonly number[]): WatchEvent {
  return { type, object, causes }
}

class Fixture {
  readonly clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  readonly transport = new FakeTransport()
  readonly watch = new FakeWatch()
  readonly trace = new ClusterTrace({
    cluster: 'c',
    clock: this.clock,
    onError: (error) => {
      throw error
    },
  })
  /** Each SET: `name` or `name<causes`, then the causes of all. */
  readonly sets: string[] = []
  readonly objects: Pod[] = []
  readonly statuses: ReflectorStatus['kind'][] = []
  hasNode = true
  readonly source = new ApiPodSource({
    transport: this.transport,
    nodeName: 'n1',
    nodeLister: { hasSynced: () => this.hasNode },
    clock: this.clock,
    random: seededRandom(1),
    trace: this.trace.forNode('n1'),
    log: new FakeLog(),
    onPods: (pods, causes) => {
      const names = pods.map(({ pod: { metadata }, causes: own }) => {
        const grace = metadata.deletionGracePeriodSeconds
        const suffix = grace === undefined ? '' : `!${grace}`
        return `${metadata.name}${suffix}${own === undefined ? '' : `<${own.join('+')}`}`
      })
      this.sets.push(`${names.join(' ')} [${causes.join(',')}]`)
      this.objects.splice(0, this.objects.length, ...pods.map((entry) => entry.pod))
    },
    onStatus: ({ kind }) => this.statuses.push(kind),
  })

  async startWith(...pods: readonly Pod[]): Promise<void> {
    this.transport.script(list(pods, '1'), this.watch.response)
    this.source.start()
    await this.clock.advance(0)
  }
}

describe('sources#api-source', () => {
  it('leaves out only a malformed pod, reports which and why, and keeps its last valid version', async () => {
    const fixture = new Fixture()
    const broken: readonly (readonly [string, unknown])[] = [
      ['no-spec', undefined],
      ['null-spec', null],
      ['no-containers', {}],
      ['empty', { containers: [] }],
      ['null-container', { containers: [null] }],
      ['wrong-type', { containers: [{ name: 'c', command: 'sleep 1' }] }],
    ]
    // Whatever its type says: what a server sends is not checked.
    const malformed = broken.map(([name, spec]) => ({ ...pod(name), spec }) as unknown as Pod)
    await fixture.startWith(pod('a'), ...malformed, pod('b'))
    expect(fixture.sets).toEqual(['a b []'])
    expect(fixture.source.problems().map(({ message }) => message)).toEqual(
      broken.map(([name]) =>
        expect.stringMatching(`^Pod default/${name} is malformed and was ignored: .+\\.$`),
      ),
    )
    expect(fixture.trace.newest(10).map(({ kind }) => kind)).toEqual(
      broken.map(() => 'config.invalid'),
    )
    const brokenNow = { ...pod('a'), spec: { containers: 'c' } } as unknown as Pod
    fixture.watch.push(event('MODIFIED', brokenNow), event('MODIFIED', pod('no-spec'), 7))
    await fixture.clock.advance(0)
    expect(fixture.sets.at(-1)).toBe('a b no-spec<7 [7]')
    expect(fixture.source.problems()).toHaveLength(broken.length)
    fixture.watch.push(event('DELETED', pod('a'), 8))
    await fixture.clock.advance(0)
    expect(fixture.sets.at(-1)).toBe('b no-spec [8]')
    expect(fixture.source.problems()).toHaveLength(broken.length - 1)
  })

  it('starts only when the node informer has synced, looking every second', async () => {
    const fixture = new Fixture()
    fixture.hasNode = false
    await fixture.startWith(pod('a'))
    await fixture.clock.advance(4500)
    expect(fixture.transport.requests).toEqual([])
    fixture.hasNode = true
    await fixture.clock.advance(499)
    expect(fixture.transport.requests).toEqual([])
    await fixture.clock.advance(1)
    expect(fixture.transport.requests[0]).toMatchObject({
      path: '/api/v1/pods',
      query: { fieldSelector: 'spec.nodeName=n1' },
    })
    expect(fixture.sets).toEqual(['a []'])
    expect(fixture.source.hasSynced()).toBe(true)
  })

  it('sends an empty SET for a node without pods, so that the source counts as seen', async () => {
    const fixture = new Fixture()
    await fixture.startWith()
    expect(fixture.sets).toEqual([' []'])
  })

  it('sends all pods on every change, with causes on the changed one', async () => {
    const fixture = new Fixture()
    await fixture.startWith(pod('a'), pod('b'))
    fixture.watch.push(event('MODIFIED', pod('b'), 7, 8))
    await fixture.clock.advance(0)
    fixture.watch.push(event('DELETED', pod('a'), 9))
    await fixture.clock.advance(0)
    expect(fixture.sets).toEqual(['a b []', 'a b<7+8 [7,8]', 'b [9]'])
  })

  it('hands objects on as they came, without copies', async () => {
    const fixture = new Fixture()
    const original = pod('a')
    await fixture.startWith(original)
    expect(fixture.objects[0]).toBe(original)
  })

  it('sends one SET for a thousand pods that come together', async () => {
    const fixture = new Fixture()
    await fixture.startWith()
    const names = Array.from({ length: 1000 }, (_, index) => `p${index}`)
    fixture.watch.push(...names.map((name, index) => event('ADDED', pod(name), index + 1)))
    await fixture.clock.advance(0)
    expect(fixture.sets).toHaveLength(2)
    expect(fixture.objects).toHaveLength(1000)
    expect(fixture.sets[1]).toContain('p999<1000')
  })

  it('skips no state of a pod: a forced deletion is seen with its grace before the pod is gone', async () => {
    const fixture = new Fixture()
    await fixture.startWith(pod('a'), pod('b'))
    const deleting = pod('a', {
      deletionTimestamp: '2026-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 0,
    })
    fixture.watch.push(
      event('MODIFIED', pod('b'), 1),
      event('MODIFIED', deleting, 2),
      event('DELETED', deleting, 3),
      event('MODIFIED', pod('b'), 4),
    )
    await fixture.clock.advance(0)
    expect(fixture.sets.slice(1)).toEqual(['a!0<2 b<1 [1,2]', 'b<4 [3,4]'])
  })

  it('sends the removal of a pod before another of the same name', async () => {
    const fixture = new Fixture()
    await fixture.startWith(pod('a'))
    fixture.watch.push(event('DELETED', pod('a'), 1), event('ADDED', pod('a', { uid: 'new' }), 2))
    await fixture.clock.advance(0)
    expect(fixture.sets.slice(1)).toEqual([' [1]', 'a<2 [2]'])
  })

  it('sends what is pending, then the new list, after a gap', async () => {
    const fixture = new Fixture()
    await fixture.startWith(pod('a'))
    fixture.transport.script(list([pod('c')], '50'))
    fixture.watch.push(event('ADDED', pod('b'), 5), {
      type: 'ERROR',
      object: { kind: 'Status', code: 410 },
    })
    await fixture.clock.advance(0)
    expect(fixture.sets).toEqual(['a []', 'a b<5 [5]', 'c []'])
  })

  it('traces once that the server is unreachable, and for how long it was', async () => {
    const fixture = new Fixture()
    fixture.transport.script(
      refusal(503, 'ServiceUnavailable', 'down', 5),
      refusal(503, 'ServiceUnavailable', 'still down', 5),
      list([], '1'),
    )
    fixture.source.start()
    await fixture.clock.advance(60_000)
    expect(fixture.statuses).toEqual(['away', 'away', 'connected'])
    const recorded = fixture.trace.newest(10).map(({ kind, at, data }) => ({ kind, at, data }))
    expect(recorded).toEqual([
      { kind: 'source.recovered', at: 10_000, data: { awayMs: 10_000 } },
      { kind: 'source.failed', at: 0, data: { message: 'down' } },
    ])
  })

  it('asks an unreachable server again on request', async () => {
    const fixture = new Fixture()
    fixture.transport.script(refusal(503, 'ServiceUnavailable', 'down', 50), list([pod('a')], '1'))
    fixture.source.start()
    await fixture.clock.advance(1000)
    expect(fixture.sets).toEqual([])
    fixture.source.retryNow()
    await fixture.clock.advance(0)
    expect(fixture.sets).toEqual(['a []'])
  })

  it('sends nothing after stop, and leaves no timer', async () => {
    const fixture = new Fixture()
    await fixture.startWith(pod('a'))
    fixture.watch.push(event('ADDED', pod('b'), 1))
    fixture.source.stop()
    await fixture.clock.advance(60_000)
    expect(fixture.sets).toEqual(['a []'])
    expect(fixture.clock.pendingTimers).toBe(0)

    const waiting = new Fixture()
    waiting.hasNode = false
    await waiting.startWith()
    waiting.source.stop()
    expect(waiting.clock.pendingTimers).toBe(0)
  })
})
