import { describe, expect, it } from 'vitest'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { seededRandom } from '../../clock/seeded-random.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { TransportError } from '../../../shared/kubernetes/request.ts'
import type { WatchEvent } from '../../../shared/kubernetes/request.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { FakeTransport, FakeWatch, list, refusal, status } from '../transport/fake-transport.ts'
import type { ScriptedAnswer } from '../transport/fake-transport.ts'
import { Reflector } from './reflector.ts'
import type { ReflectorDeps, ReflectorStatus } from './reflector.ts'

function pod(name: string, resourceVersion: string, uid = `uid-${name}`): Pod {
  return {
    metadata: { name, namespace: 'default', uid, resourceVersion },
    spec: { containers: [{ name: 'c' }] },
  }
}

function event(type: WatchEvent['type'], object: unknown, causes?: readonly number[]): WatchEvent {
  return { type, object, ...(causes === undefined ? {} : { causes }) }
}

function bookmark(resourceVersion: string): WatchEvent {
  return event('BOOKMARK', { kind: 'Pod', metadata: { resourceVersion } })
}

const dropped = new TransportError('unavailable', 'https://s closed the connection')

class Stage {
  readonly clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  readonly transport = new FakeTransport()
  readonly log = new FakeLog()
  readonly changes: unknown[] = []
  readonly statuses: ReflectorStatus[] = []
  readonly reflector: Reflector<'pods'>

  constructor(options: Partial<ReflectorDeps<'pods'>> = {}) {
    this.reflector = new Reflector({
      transport: this.transport,
      resource: 'pods',
      fieldSelector: 'spec.nodeName=n1',
      clock: this.clock,
      random: seededRandom(1),
      log: this.log,
      onChange: (store, change) => {
        const names = [...store.values()].map(({ metadata }) => metadata.name)
        this.changes.push([
          change.type,
          ...('object' in change ? [change.object.metadata.name] : []),
          names,
        ])
      },
      onStatus: (state) => this.statuses.push(state),
      ...options,
    })
  }

  async play(...answers: readonly ScriptedAnswer[]): Promise<void> {
    this.transport.script(...answers)
    this.reflector.start()
    await this.clock.advance(0)
  }

  get queries(): readonly string[] {
    return this.transport.requests.map(({ query = {} }) =>
      query['watch'] === undefined
        ? `list${query['continue'] === undefined ? '' : ` from ${query['continue']}`}`
        : `watch from ${query['resourceVersion']}`,
    )
  }
}

describe('Reflector', () => {
  it('lists, then watches from that resource version with bookmarks and a timeout', async () => {
    const stage = new Stage()
    const watch = new FakeWatch()
    await stage.play(list([pod('a', '3')], '7'), watch.response)
    expect(stage.reflector.hasSynced()).toBe(true)
    expect(stage.changes).toEqual([['REPLACED', ['a']]])
    expect(stage.statuses).toEqual([{ kind: 'connected' }])
    const [listed, watched] = stage.transport.requests
    expect(listed).toEqual({
      method: 'GET',
      path: '/api/v1/pods',
      headers: { accept: 'application/json' },
      query: { fieldSelector: 'spec.nodeName=n1', limit: '500' },
    })
    const timeoutSeconds = watched?.query?.['timeoutSeconds']
    expect(Number(timeoutSeconds)).toBeGreaterThanOrEqual(300)
    expect(Number(timeoutSeconds)).toBeLessThan(600)
    expect(watched?.query).toEqual({
      fieldSelector: 'spec.nodeName=n1',
      watch: 'true',
      resourceVersion: '7',
      allowWatchBookmarks: 'true',
      timeoutSeconds,
    })
  })

  it('is not synced before the first list, and does nothing before start', async () => {
    const stage = new Stage()
    await stage.clock.advance(60_000)
    expect(stage.transport.requests).toEqual([])
    expect(stage.reflector.hasSynced()).toBe(false)
  })

  it('follows pages and stores the whole list at once', async () => {
    const stage = new Stage()
    await stage.play(list([pod('a', '1'), pod('b', '2')], '9', 'p2'), list([pod('c', '3')], '9'))
    expect(stage.changes).toEqual([['REPLACED', ['a', 'b', 'c']]])
    expect(stage.queries).toEqual(['list', 'list from p2', 'watch from 9'])
  })

  it('tells each page of the first list as it arrives, and then only what the whole list changes', async () => {
    const stage = new Stage({ tellsPages: true })
    const first = list([pod('a', '1'), pod('b', '2')], '9', 'p2')
    await stage.play(first, refusal(500, 'InternalError', 'no'))
    expect(stage.reflector.hasSynced()).toBe(false)
    expect(stage.changes).toEqual([
      ['ADDED', 'a', ['a']],
      ['ADDED', 'b', ['a', 'b']],
    ])
    stage.changes.length = 0
    const again = list([pod('a', '1'), pod('b', '3'), pod('c', '4')], '10', 'p2')
    stage.transport.script(again, list([pod('d', '5')], '10'), new FakeWatch().response)
    await stage.clock.advance(2000)
    await stage.clock.advance(0)
    expect(stage.changes).toEqual([
      ['MODIFIED', 'b', ['a', 'b']],
      ['ADDED', 'c', ['a', 'b', 'c']],
      ['REPLACED', ['a', 'b', 'c', 'd']],
    ])
    expect(stage.reflector.hasSynced()).toBe(true)
  })

  it('has asked for the next page before it tells one', async () => {
    const asked: unknown[] = []
    const stage: Stage = new Stage({
      tellsPages: true,
      onChange: (_store, { type }) => asked.push([type, stage.queries.at(-1)]),
    })
    await stage.play(list([pod('a', '1')], '9', 'p2'), list([pod('b', '2')], '9'))
    await stage.clock.advance(0)
    expect(asked).toEqual([
      ['ADDED', 'list from p2'],
      ['REPLACED', 'list from p2'],
    ])
  })

  it('applies events in order and reports their causes', async () => {
    const causes: unknown[] = []
    const stage = new Stage({
      onChange: (_store, change) => causes.push([change.type, change.causes]),
    })
    const watch = new FakeWatch()
    await stage.play(list([pod('a', '1')], '1'), watch.response)
    watch.push(
      event('ADDED', pod('b', '2'), [11]),
      event('MODIFIED', pod('a', '3'), [12, 13]),
      event('DELETED', pod('b', '4'), [14]),
      event('DELETED', pod('never-seen', '5'), [15]),
    )
    await stage.clock.advance(0)
    expect(causes).toEqual([
      ['REPLACED', []],
      ['ADDED', [11]],
      ['MODIFIED', [12, 13]],
      ['DELETED', [14]],
    ])
    expect([...stage.reflector.store.values()]).toEqual([pod('a', '3')])
  })

  it('stores raw objects without managedFields', async () => {
    const stage = new Stage()
    const watch = new FakeWatch()
    const raw = { ...pod('a', '1'), status: { unknownField: [1] } }
    const fat = { ...raw, metadata: { ...raw.metadata, managedFields: [{ manager: 'kubectl' }] } }
    await stage.play(list([fat], '1'), watch.response)
    expect([...stage.reflector.store.values()]).toEqual([raw])
    watch.push(event('MODIFIED', fat))
    await stage.clock.advance(0)
    expect([...stage.reflector.store.values()]).toEqual([raw])
  })

  it('distinguishes two pods of one name by UID', async () => {
    const stage = new Stage()
    const watch = new FakeWatch()
    await stage.play(list([pod('a', '1', 'old')], '1'), watch.response)
    watch.push(event('ADDED', pod('a', '2', 'new')), event('DELETED', pod('a', '3', 'old')))
    await stage.clock.advance(0)
    expect([...stage.reflector.store.values()].map(({ metadata }) => metadata.uid)).toEqual(['new'])
  })

  it('resumes from the last bookmark or event when the server ends the watch, at once and without a log message', async () => {
    const stage = new Stage()
    const [first, second, third] = [new FakeWatch(), new FakeWatch(), new FakeWatch()]
    await stage.play(list([], '1'), first.response, second.response, third.response)
    first.push(bookmark('40'))
    await stage.clock.advance(2000)
    first.close()
    await stage.clock.advance(0)
    second.push(event('ADDED', pod('a', '50')))
    await stage.clock.advance(2000)
    second.close()
    await stage.clock.advance(0)
    expect(stage.queries).toEqual(['list', 'watch from 1', 'watch from 40', 'watch from 50'])
    expect(stage.statuses).toEqual([{ kind: 'connected' }])
  })

  it('keeps its resource version if an event or a bookmark has none', async () => {
    const stage = new Stage()
    const [watch, second] = [new FakeWatch(), new FakeWatch()]
    await stage.play(list([], '7'), watch.response, second.response)
    const unnumbered = { metadata: { name: 'a', uid: 'a' }, spec: { containers: [] } }
    watch.push(event('ADDED', unnumbered), event('BOOKMARK', {}), event('BOOKMARK', null))
    await stage.clock.advance(2000)
    watch.close()
    await stage.clock.advance(0)
    expect(stage.queries).toEqual(['list', 'watch from 7', 'watch from 7'])
  })

  it('backs off if the server ends every watch at once', async () => {
    const stage = new Stage()
    const watches = Array.from({ length: 200 }, () => () => {
      const watch = new FakeWatch()
      watch.close()
      return watch.response
    })
    await stage.play(list([], '1'), ...watches)
    await stage.clock.advance(60_000)
    expect(stage.transport.requests.length).toBeGreaterThan(4)
    expect(stage.transport.requests.length).toBeLessThan(10)
  })

  it.each([
    ['an ERROR event', 410, 'Expired'],
    ['an ERROR event without a known reason', 410, ''],
  ])(
    'lists again after 410 as %s, and drops what has gone meanwhile',
    async (_how, code, reason) => {
      const stage = new Stage()
      const watch = new FakeWatch()
      await stage.play(
        list([pod('a', '1'), pod('b', '2')], '2'),
        watch.response,
        list([pod('b', '8'), pod('c', '9')], '9'),
      )
      watch.push(event('ERROR', status(code, reason, 'too old resource version')))
      await stage.clock.advance(0)
      expect(stage.queries).toEqual(['list', 'watch from 2', 'list', 'watch from 9'])
      expect(stage.changes).toEqual([
        ['REPLACED', ['a', 'b']],
        ['REPLACED', ['b', 'c']],
      ])
      expect(stage.transport.requests[2]?.query).not.toHaveProperty('resourceVersion')
      expect(stage.statuses).toEqual([{ kind: 'connected' }])
    },
  )

  it('lists again after HTTP status 410', async () => {
    const stage = new Stage()
    await stage.play(list([], '2'), refusal(410, 'Gone', 'too old'), list([], '9'))
    expect(stage.queries).toEqual(['list', 'watch from 2', 'list', 'watch from 9'])
  })

  it('backs off when every watch expires', async () => {
    const stage = new Stage()
    const answers = Array.from({ length: 100 }, () => [
      list([], '2'),
      refusal(410, 'Gone', 'too old'),
    ]).flat()
    await stage.play(...answers)
    await stage.clock.advance(60_000)
    expect(stage.transport.requests.length).toBeLessThan(20)
  })

  it.each([
    ['an ERROR event', 500],
    ['an ERROR event', 429],
  ])(
    'takes %s with %i as a failure and resumes after the time the server asks for',
    async (_how, code) => {
      const stage = new Stage()
      const watch = new FakeWatch()
      const second = new FakeWatch()
      await stage.play(list([], '2'), watch.response, second.response)
      watch.push(event('ADDED', pod('a', '5')))
      watch.push(event('ERROR', status(code, 'Busy', 'etcd is slow', 12)))
      await stage.clock.advance(11_999)
      expect(stage.queries).toEqual(['list', 'watch from 2'])
      expect(stage.statuses).toEqual([
        { kind: 'connected' },
        { kind: 'away', since: 0, retryAt: 12_000, message: 'etcd is slow' },
      ])
      await stage.clock.advance(1)
      expect(stage.queries).toEqual(['list', 'watch from 2', 'watch from 5'])
      expect(stage.statuses.at(-1)).toEqual({ kind: 'connected' })
    },
  )

  it('honors Retry-After of a refused list and of a refused watch', async () => {
    const stage = new Stage()
    await stage.play(
      refusal(429, 'TooManyRequests', 'later', 20),
      list([], '1'),
      refusal(503, 'ServiceUnavailable', 'later still', 40),
    )
    expect(stage.statuses).toEqual([{ kind: 'away', since: 0, retryAt: 20_000, message: 'later' }])
    await stage.clock.advance(20_000)
    expect(stage.queries).toEqual(['list', 'list', 'watch from 1'])
    await stage.clock.advance(39_999)
    expect(stage.queries).toHaveLength(3)
    await stage.clock.advance(1)
    expect(stage.queries).toEqual(['list', 'list', 'watch from 1', 'watch from 1'])
  })

  const condition = (type: string) => ({ type, status: 'True' }) as const

  it('reuses the unchanged parts of an object', async () => {
    const seen: Pod[] = []
    const stage = new Stage({
      onChange: (store) => seen.push(...store.values()),
    })
    const [watch, later] = [new FakeWatch(), new FakeWatch()]
    const sent = (version: string, phase: 'Pending' | 'Running'): Pod => ({
      ...pod('a', version),
      // Too many for the values that all objects share.
      status: {
        phase,
        conditions: Array.from({ length: 9 }, (_, index) => condition(`c${index}`)),
      },
    })
    await stage.play(list([sent('1', 'Pending')], '1'), watch.response)
    watch.push(event('MODIFIED', sent('2', 'Running')))
    await stage.clock.advance(0)
    stage.transport.script(list([sent('2', 'Running')], '3'), later.response)
    watch.push(event('ERROR', status(410, 'Expired', 'too old')))
    await stage.clock.advance(0)
    expect(seen).toEqual([sent('1', 'Pending'), sent('2', 'Running'), sent('2', 'Running')])
    const [listed, changed, again] = seen
    expect(changed?.spec).toBe(listed?.spec)
    expect(changed?.status).not.toBe(listed?.status)
    expect(changed?.status?.conditions).toBe(listed?.status?.conditions)
    expect(again?.spec).toBe(listed?.spec)
    expect(again?.status).toBe(changed?.status)
  })

  it('retries at once on retryNow, and doubles the wait if that fails', async () => {
    const stage = new Stage()
    const down = new TransportError('unavailable', 'nothing listens')
    await stage.play(down, down, down, down, down, down)
    await stage.clock.advance(60_000)
    const tries = stage.transport.requests.length
    const last = stage.statuses.at(-1)
    stage.transport.script(down, list([pod('a', '3')], '7'), new FakeWatch().response)
    stage.reflector.retryNow()
    await stage.clock.advance(0)
    expect(stage.transport.requests).toHaveLength(tries + 1)
    const again = stage.statuses.at(-1)
    if (last?.kind !== 'away' || again?.kind !== 'away') throw new Error('not away')
    expect(again.retryAt - stage.clock.now()).toBe(30_000)
    stage.reflector.retryNow()
    await stage.clock.advance(0)
    expect(stage.statuses.at(-1)).toEqual({ kind: 'connected' })
    stage.reflector.retryNow()
    await stage.clock.advance(0)
    expect(stage.queries.slice(-2)).toEqual(['list', 'watch from 7'])
    expect(stage.clock.pendingTimers).toBe(1)
  })

  it('resumes from the last event after the connection dropped', async () => {
    const stage = new Stage()
    const [watch, second] = [new FakeWatch(), new FakeWatch()]
    await stage.play(list([], '2'), watch.response, second.response)
    watch.push(event('ADDED', pod('a', '5')))
    await stage.clock.advance(5000)
    watch.fail(dropped)
    await stage.clock.advance(0)
    const away = stage.statuses[1]
    expect(away).toMatchObject({ kind: 'away', since: 5000, message: dropped.message })
    await stage.clock.advance(1600)
    expect(stage.queries).toEqual(['list', 'watch from 2', 'watch from 5'])
    second.push(event('DELETED', pod('a', '6')))
    await stage.clock.advance(0)
    expect(stage.changes).toEqual([
      ['REPLACED', []],
      ['ADDED', 'a', ['a']],
      ['DELETED', 'a', []],
    ])
  })

  it('doubles its waits from 0.8 s to 30 s with jitter during an outage, and reports its start', async () => {
    const stage = new Stage()
    await stage.play(...Array.from({ length: 12 }, () => dropped))
    await stage.clock.advance(300_000)
    const waits = stage.statuses.map((state) => {
      if (state.kind !== 'away') throw new Error('connected to nothing')
      expect(state.since).toBe(0)
      return state.retryAt
    })
    let last = 0
    const delays = waits.map((at) => {
      const delay = at - last
      last = at
      return delay
    })
    for (const [index, delay] of delays.entries()) {
      const base = 800 * 2 ** index
      expect(delay).toBeGreaterThanOrEqual(Math.min(base, 30_000))
      expect(delay).toBeLessThanOrEqual(Math.min(2 * base, 30_000))
    }
    expect(delays.slice(6)).toEqual(delays.slice(6).map(() => 30_000))
  })

  it('reports refused credentials, and keeps trying', async () => {
    const stage = new Stage()
    await stage.play(refusal(401, 'Unauthorized', 'Unauthorized'), list([], '1'))
    expect(stage.statuses[0]).toMatchObject({
      kind: 'away',
      message: 'The server refuses the credentials: Unauthorized',
    })
    await stage.clock.advance(1600)
    expect(stage.statuses.at(-1)).toEqual({ kind: 'connected' })
  })

  it('resets the back-off after a watch with events', async () => {
    const stage = new Stage()
    const watch = new FakeWatch()
    await stage.play(dropped, dropped, dropped, dropped, list([], '1'), watch.response, dropped)
    await stage.clock.advance(30_000)
    watch.push(event('ADDED', pod('a', '2')))
    await stage.clock.advance(0)
    const droppedAt = stage.clock.now()
    watch.fail(dropped)
    await stage.clock.advance(0)
    const state = stage.statuses.at(-1)
    if (state?.kind !== 'away') throw new Error('still connected')
    expect(state.since).toBe(droppedAt)
    expect(state.retryAt - droppedAt).toBeLessThanOrEqual(1600)
  })

  it('reopens an idle watch from the same resource version', async () => {
    const stage = new Stage({ idleTimeoutMs: 30_000 })
    const [watch, second] = [new FakeWatch(), new FakeWatch()]
    await stage.play(list([], '2'), watch.response, second.response)
    await stage.clock.advance(20_000)
    watch.push(bookmark('3'))
    await stage.clock.advance(29_999)
    expect(watch.isStopped).toBe(false)
    await stage.clock.advance(1)
    expect(watch.isStopped).toBe(true)
    expect(stage.queries).toEqual(['list', 'watch from 2', 'watch from 3'])
    expect(stage.statuses).toEqual([{ kind: 'connected' }])
  })

  it('is away since the last event if a watch that got idle cannot be opened again', async () => {
    const stage = new Stage({ idleTimeoutMs: 30_000 })
    const [watch, second] = [new FakeWatch(), new FakeWatch()]
    const silent = new TransportError('timeout', 'silent')
    await stage.play(list([], '2'), watch.response, silent, silent, second.response)
    await stage.clock.advance(20_000)
    const heardAt = stage.clock.now()
    watch.push(bookmark('3'))
    await stage.clock.advance(36_000)
    expect(stage.statuses.slice(1)).toMatchObject([
      { kind: 'away', since: heardAt },
      { kind: 'away', since: heardAt },
      { kind: 'connected' },
    ])
    second.fail(silent)
    await stage.clock.advance(1)
    expect(stage.statuses.at(-1)).toMatchObject({ kind: 'away', since: stage.clock.now() - 1 })
  })

  it('opens no watch if stopped during the list', async () => {
    const stage = new Stage()
    let finish: (() => void) | undefined
    await stage.play(
      () =>
        new Promise((resolve) => {
          finish = () => {
            resolve(list([pod('a', '1')], '1', 'more'))
          }
        }),
    )
    stage.reflector.stop()
    finish?.()
    await stage.clock.advance(600_000)
    expect(stage.queries).toEqual(['list'])
    expect(stage.changes).toEqual([])
    expect(stage.reflector.hasSynced()).toBe(false)
  })

  it('closes a watch that opens after stop', async () => {
    const stage = new Stage()
    const watch = new FakeWatch()
    let finish: (() => void) | undefined
    await stage.play(
      list([], '1'),
      () =>
        new Promise((resolve) => {
          finish = () => {
            resolve(watch.response)
          }
        }),
    )
    stage.reflector.stop()
    finish?.()
    await stage.clock.advance(600_000)
    expect(watch.isStopped).toBe(true)
    expect(stage.queries).toEqual(['list', 'watch from 1'])
  })

  it('stops a running watch and a wait, leaves no timer, and does not start again', async () => {
    const watching = new Stage()
    const watch = new FakeWatch()
    await watching.play(list([], '1'), watch.response)
    watching.reflector.stop()
    watch.push(event('ADDED', pod('late', '2')))
    await watching.clock.advance(0)
    expect(watch.isStopped).toBe(true)
    expect(watching.changes).toEqual([['REPLACED', []]])
    expect(watching.clock.pendingTimers).toBe(0)

    const waiting = new Stage()
    await waiting.play(dropped)
    waiting.reflector.stop()
    waiting.reflector.start()
    await waiting.clock.advance(600_000)
    expect(waiting.queries).toEqual(['list'])
    expect(waiting.clock.pendingTimers).toBe(0)
  })

  it('continues after a listener throws', async () => {
    const seen: string[] = []
    const stage = new Stage({
      onChange: (_store, change) => {
        seen.push(change.type)
        throw new Error('listener bug')
      },
      onStatus: () => {
        throw new Error('status bug')
      },
    })
    const watch = new FakeWatch()
    await stage.play(list([], '1'), watch.response)
    watch.push(event('ADDED', pod('a', '2')), event('MODIFIED', pod('a', '3')))
    await stage.clock.advance(0)
    expect(seen).toEqual(['REPLACED', 'ADDED', 'MODIFIED'])
    expect(stage.log.problems).toEqual(Array(4).fill('reflector listener failed'))
  })

  it('continues after a bug in the transport, and ignores watch events without an object', async () => {
    const stage = new Stage()
    const watch = new FakeWatch()
    await stage.play(new TypeError('bug'), list([], '1'), watch.response)
    expect(stage.statuses[0]).toMatchObject({ kind: 'away', message: 'TypeError: bug' })
    await stage.clock.advance(1600)
    watch.push(
      event('ADDED', null),
      event('MODIFIED', { metadata: {} }),
      event('ADDED', pod('a', '2')),
    )
    await stage.clock.advance(0)
    expect(stage.log.problems).toEqual([
      'reflector broke, trying again',
      'server does not answer, trying again',
      'watch event without an object ignored',
      'watch event without an object ignored',
    ])
    expect(stage.changes).toEqual([
      ['REPLACED', []],
      ['ADDED', 'a', ['a']],
    ])
  })
})
