import { describe, expect, it } from 'vitest'
import { nodeClockHost } from '../../src/main/clock/node-clock-host.ts'
import { seededRandom } from '../../src/main/clock/seeded-random.ts'
import { VirtualClock } from '../../src/main/clock/virtual-clock.ts'
import {
  FakeTransport,
  FakeWatch,
  list,
  refusal,
} from '../../src/main/cluster/transport/fake-transport.ts'
import type { ReflectorStatus } from '../../src/main/cluster/informer/reflector.ts'
import { FakeLog } from '../../src/main/kubelet/container/fake-log.ts'
import { ClusterTrace } from '../../src/main/kubelet/trace.ts'
import { freezeJson } from '../../src/shared/json.ts'
import type { Pod } from '../../src/shared/kubernetes/objects.ts'
import type { WatchEvent, WatchEventType } from '../../src/shared/kubernetes/request.ts'
import { ApiPodSource } from '../../src/main/sources/api-pods.ts'

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

class Stage {
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
  it('leaves out a malformed pod alone, says which and why, and keeps what it knew of it', async () => {
    const stage = new Stage()
    const broken: readonly (readonly [string, unknown])[] = [
      ['no-spec', undefined],
      ['null-spec', null],
      ['no-containers', {}],
      ['empty', { containers: [] }],
      ['null-container', { containers: [null] }],
      ['wrong-type', { containers: [{ name: 'c', command: 'sleep 1' }] }],
    ]
    // Whatever its type says: nobody checks what a server sends.
    const malformed = broken.map(([name, spec]) => ({ ...pod(name), spec }) as unknown as Pod)
    await stage.startWith(pod('a'), ...malformed, pod('b'))
    expect(stage.sets).toEqual(['a b []'])
    expect(stage.source.problems().map(({ message }) => message)).toEqual(
      broken.map(([name]) =>
        expect.stringMatching(`^Pod default/${name} is malformed and was ignored: .+\\.$`),
      ),
    )
    expect(stage.trace.newest(10).map(({ kind }) => kind)).toEqual(
      broken.map(() => 'config.invalid'),
    )
    const brokenNow = { ...pod('a'), spec: { containers: 'c' } } as unknown as Pod
    stage.watch.push(event('MODIFIED', brokenNow), event('MODIFIED', pod('no-spec'), 7))
    await stage.clock.advance(0)
    expect(stage.sets.at(-1)).toBe('a b no-spec<7 [7]')
    expect(stage.source.problems()).toHaveLength(broken.length)
    stage.watch.push(event('DELETED', pod('a'), 8))
    await stage.clock.advance(0)
    expect(stage.sets.at(-1)).toBe('b no-spec [8]')
    expect(stage.source.problems()).toHaveLength(broken.length - 1)
  })

  it('starts only when the node informer has synced, looking every second', async () => {
    const stage = new Stage()
    stage.hasNode = false
    await stage.startWith(pod('a'))
    await stage.clock.advance(4500)
    expect(stage.transport.requests).toEqual([])
    stage.hasNode = true
    await stage.clock.advance(499)
    expect(stage.transport.requests).toEqual([])
    await stage.clock.advance(1)
    expect(stage.transport.requests[0]).toMatchObject({
      path: '/api/v1/pods',
      query: { fieldSelector: 'spec.nodeName=n1' },
    })
    expect(stage.sets).toEqual(['a []'])
    expect(stage.source.hasSynced()).toBe(true)
  })

  it('sends an empty SET for a node without pods, so that the source counts as seen', async () => {
    const stage = new Stage()
    await stage.startWith()
    expect(stage.sets).toEqual([' []'])
  })

  it('sends all pods on every change, with causes on the changed one', async () => {
    const stage = new Stage()
    await stage.startWith(pod('a'), pod('b'))
    stage.watch.push(event('MODIFIED', pod('b'), 7, 8))
    await stage.clock.advance(0)
    stage.watch.push(event('DELETED', pod('a'), 9))
    await stage.clock.advance(0)
    expect(stage.sets).toEqual(['a b []', 'a b<7+8 [7,8]', 'b [9]'])
  })

  it('hands objects on as they came, without copies', async () => {
    const stage = new Stage()
    const original = pod('a')
    await stage.startWith(original)
    expect(stage.objects[0]).toBe(original)
  })

  it('sends one SET for a thousand pods that come together', async () => {
    const stage = new Stage()
    await stage.startWith()
    const names = Array.from({ length: 1000 }, (_, index) => `p${index}`)
    stage.watch.push(...names.map((name, index) => event('ADDED', pod(name), index + 1)))
    await stage.clock.advance(0)
    expect(stage.sets).toHaveLength(2)
    expect(stage.objects).toHaveLength(1000)
    expect(stage.sets[1]).toContain('p999<1000')
  })

  it('skips no state of a pod: a forced deletion is seen with its grace before the pod is gone', async () => {
    const stage = new Stage()
    await stage.startWith(pod('a'), pod('b'))
    const deleting = pod('a', {
      deletionTimestamp: '2026-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 0,
    })
    stage.watch.push(
      event('MODIFIED', pod('b'), 1),
      event('MODIFIED', deleting, 2),
      event('DELETED', deleting, 3),
      event('MODIFIED', pod('b'), 4),
    )
    await stage.clock.advance(0)
    expect(stage.sets.slice(1)).toEqual(['a!0<2 b<1 [1,2]', 'b<4 [3,4]'])
  })

  it('sends the removal of a pod before another of the same name', async () => {
    const stage = new Stage()
    await stage.startWith(pod('a'))
    stage.watch.push(event('DELETED', pod('a'), 1), event('ADDED', pod('a', { uid: 'new' }), 2))
    await stage.clock.advance(0)
    expect(stage.sets.slice(1)).toEqual([' [1]', 'a<2 [2]'])
  })

  it('sends what is pending, then the new list, after a gap', async () => {
    const stage = new Stage()
    await stage.startWith(pod('a'))
    stage.transport.script(list([pod('c')], '50'))
    stage.watch.push(event('ADDED', pod('b'), 5), {
      type: 'ERROR',
      object: { kind: 'Status', code: 410 },
    })
    await stage.clock.advance(0)
    expect(stage.sets).toEqual(['a []', 'a b<5 [5]', 'c []'])
  })

  it('traces once that the server is away, and for how long it was', async () => {
    const stage = new Stage()
    stage.transport.script(
      refusal(503, 'ServiceUnavailable', 'down', 5),
      refusal(503, 'ServiceUnavailable', 'still down', 5),
      list([], '1'),
    )
    stage.source.start()
    await stage.clock.advance(60_000)
    expect(stage.statuses).toEqual(['away', 'away', 'connected'])
    const told = stage.trace.newest(10).map(({ kind, at, data }) => ({ kind, at, data }))
    expect(told).toEqual([
      { kind: 'source.recovered', at: 10_000, data: { awayMs: 10_000 } },
      { kind: 'source.failed', at: 0, data: { message: 'down' } },
    ])
  })

  it('asks a server that is away when it is told to', async () => {
    const stage = new Stage()
    stage.transport.script(refusal(503, 'ServiceUnavailable', 'down', 50), list([pod('a')], '1'))
    stage.source.start()
    await stage.clock.advance(1000)
    expect(stage.sets).toEqual([])
    stage.source.retryNow()
    await stage.clock.advance(0)
    expect(stage.sets).toEqual(['a []'])
  })

  it('says nothing after stop, and leaves no timer', async () => {
    const stage = new Stage()
    await stage.startWith(pod('a'))
    stage.watch.push(event('ADDED', pod('b'), 1))
    stage.source.stop()
    await stage.clock.advance(60_000)
    expect(stage.sets).toEqual(['a []'])
    expect(stage.clock.pendingTimers).toBe(0)

    const waiting = new Stage()
    waiting.hasNode = false
    await waiting.startWith()
    waiting.source.stop()
    expect(waiting.clock.pendingTimers).toBe(0)
  })
})
