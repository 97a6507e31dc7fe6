import { describe, expect, it } from 'vitest'
import { err, ok } from '../../../shared/result.ts'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import type { PodSandboxStatus, RuntimeContainer, RuntimeError } from '../ports.ts'
import { FakeLog } from './fake-log.ts'
import { FakeTrace } from './fake-trace.ts'
import { GenericPleg } from './pleg.ts'
import { PodStatusCache, emptyPodRuntimeStatus } from './pod-cache.ts'
import type { PodLifecycleEvent, Runtime, RuntimePod } from './runtime.ts'

function container(id: string, state: RuntimeContainer['state']): RuntimeContainer {
  return {
    id,
    podSandboxId: 's',
    name: id,
    attempt: 0,
    state,
    image: 'i',
    imageRef: 'i',
    createdAt: 0,
    labels: {},
    annotations: {},
  }
}

function sandbox(
  id: string,
  state: PodSandboxStatus['state'],
  ips: readonly string[] = [],
): PodSandboxStatus {
  return {
    id,
    metadata: { name: 'p', uid: 'u', namespace: 'n', attempt: 0 },
    state,
    createdAt: 0,
    hostNetwork: false,
    ips,
    labels: {},
    annotations: {},
  }
}

class FakePods implements Pick<Runtime, 'getPods' | 'getPodStatus'> {
  pods: (RuntimePod & { readonly sandboxes: readonly PodSandboxStatus[] })[] = []
  listError: RuntimeError | undefined
  inspectError: RuntimeError | undefined
  listings = 0
  readonly inspected: string[] = []

  put(uid: string, ...items: readonly (RuntimeContainer | PodSandboxStatus)[]): void {
    this.remove(uid)
    this.pods.push({
      uid,
      name: 'p',
      namespace: 'n',
      createdAt: 0,
      containers: items.filter((item): item is RuntimeContainer => 'podSandboxId' in item),
      sandboxes: items.filter((item): item is PodSandboxStatus => 'metadata' in item),
    })
  }

  remove(uid: string): void {
    this.pods = this.pods.filter((pod) => pod.uid !== uid)
  }

  readonly getPods: Runtime['getPods'] = async () => {
    this.listings++
    return this.listError === undefined ? ok(this.pods) : err(this.listError)
  }

  readonly getPodStatus: Runtime['getPodStatus'] = async (uid, name, namespace) => {
    this.inspected.push(uid)
    if (this.inspectError !== undefined) return err(this.inspectError)
    const sandboxes = this.pods.find((pod) => pod.uid === uid)?.sandboxes ?? []
    return ok({
      ...emptyPodRuntimeStatus(uid, name, namespace),
      sandboxes,
      ips: sandboxes[0]?.ips ?? [],
    })
  }
}

function newPleg() {
  const clock = new VirtualClock(nodeClockHost, { startAt: 1000 })
  const runtime = new FakePods()
  const cache = new PodStatusCache({ clock })
  const trace = new FakeTrace()
  const log = new FakeLog()
  const causes = new Map<string, readonly number[]>()
  const pleg = new GenericPleg({
    runtime,
    cache,
    clock,
    trace,
    log,
    causesOf: (id) => causes.get(id) ?? [],
  })
  const events: PodLifecycleEvent[] = []
  pleg.start((event) => events.push(event))
  const take = (): readonly string[] =>
    events.splice(0).map(({ uid, type, containerId }) => `${uid} ${type} ${containerId}`)
  return { clock, runtime, cache, trace, log, causes, pleg, events, take }
}

describe('GenericPleg', () => {
  it('reports a container from its start to its removal, and its sandbox as one of the containers', async () => {
    const { clock, runtime, take } = newPleg()
    runtime.put('u', sandbox('s', 'ready'), container('c', 'running'))
    await clock.advance(1000)
    expect(take()).toEqual(['u ContainerStarted c', 'u ContainerStarted s'])
    runtime.put('u', sandbox('s', 'ready'), container('c', 'exited'))
    await clock.advance(1000)
    expect(take()).toEqual(['u ContainerDied c'])
    runtime.put('u', sandbox('s', 'notready'))
    await clock.advance(1000)
    expect(take()).toEqual(['u ContainerRemoved c', 'u ContainerDied s'])
    runtime.remove('u')
    await clock.advance(1000)
    expect(take()).toEqual(['u ContainerRemoved s'])
    await clock.advance(10_000)
    expect(take()).toEqual([])
  })

  it.each([
    ['running', 'running', []],
    ['running', 'exited', ['ContainerDied']],
    ['running', 'unknown', []],
    ['running', 'gone', ['ContainerDied', 'ContainerRemoved']],
    ['exited', 'running', ['ContainerStarted']],
    ['exited', 'gone', ['ContainerRemoved']],
    ['unknown', 'running', ['ContainerStarted']],
    ['unknown', 'exited', ['ContainerDied']],
    ['unknown', 'gone', ['ContainerDied', 'ContainerRemoved']],
    ['created', 'running', ['ContainerStarted']],
    ['created', 'exited', ['ContainerDied']],
    ['created', 'unknown', []],
    ['gone', 'created', []],
    ['gone', 'exited', ['ContainerDied']],
    ['gone', 'running', ['ContainerStarted']],
  ] as const)('says of a container that goes from %s to %s: %j', async (from, to, types) => {
    const { clock, runtime, take } = newPleg()
    const put = (state: RuntimeContainer['state'] | 'gone'): void => {
      if (state === 'gone') runtime.put('u')
      else runtime.put('u', container('c', state))
    }
    put(from)
    await clock.advance(1000)
    take()
    put(to)
    await clock.advance(1000)
    expect(take()).toEqual(types.map((type) => `u ${type} c`))
  })

  it('relists one second after the last relist has finished', async () => {
    const { clock, runtime, pleg } = newPleg()
    await clock.advance(0)
    expect(runtime.listings).toBe(1)
    const { getPods } = runtime
    Object.assign(runtime, {
      getPods: async (all: boolean) => {
        await new Promise<void>((resolve) => clock.after(400, resolve))
        return getPods(all)
      },
    })
    await clock.advance(1399)
    expect(runtime.listings).toBe(1)
    await clock.advance(1)
    expect(runtime.listings).toBe(2)
    await clock.advance(1400)
    expect(runtime.listings).toBe(3)
    pleg.stop()
    await clock.advance(10_000)
    expect(runtime.listings).toBe(3)
  })

  it('fills the cache before it sends events', async () => {
    const clock = new VirtualClock(nodeClockHost, { startAt: 1000 })
    const runtime = new FakePods()
    const cache = new PodStatusCache({ clock })
    const pleg = new GenericPleg({
      runtime,
      cache,
      clock,
      trace: new FakeTrace(),
      log: new FakeLog(),
    })
    const seen: unknown[] = []
    pleg.start((event) => seen.push(cache.get(event.uid)))
    runtime.put('u', sandbox('s', 'ready', ['10.0.0.1']))
    await clock.advance(1000)
    expect(seen).toEqual([cache.get('u')])
    expect(seen).toMatchObject([{ value: { ips: ['10.0.0.1'] } }])
  })

  it('inspects only pods that changed, also among a thousand', async () => {
    const { clock, runtime, take } = newPleg()
    for (let index = 0; index < 1000; index++) {
      runtime.put(`u${index}`, sandbox(`s${index}`, 'ready'), container(`c${index}`, 'running'))
    }
    await clock.advance(1000)
    expect(runtime.inspected).toHaveLength(1000)
    expect(take()).toHaveLength(2000)
    runtime.inspected.length = 0
    await clock.advance(60_000)
    expect(runtime.inspected).toEqual([])
    runtime.put('u7', sandbox('s7', 'ready'), container('c7', 'exited'))
    await clock.advance(1000)
    expect(runtime.inspected).toEqual(['u7'])
    expect(take()).toEqual(['u7 ContainerDied c7'])
  })

  it('tries a failed inspection again at the next relist, and only then reports the change', async () => {
    const { clock, runtime, cache, log, take } = newPleg()
    await clock.advance(0)
    runtime.inspectError = { kind: 'failed', message: 'cannot inspect' }
    runtime.put('u', sandbox('s', 'ready'), container('c', 'running'))
    await clock.advance(1000)
    expect(take()).toEqual([])
    expect(cache.get('u')).toEqual(err(runtime.inspectError))
    expect(log.problems).toEqual(['pod cannot be inspected'])
    runtime.inspectError = undefined
    await clock.advance(1000)
    expect(take()).toEqual(['u ContainerStarted c', 'u ContainerStarted s'])
    expect(cache.get('u').ok).toBe(true)
    await clock.advance(1000)
    expect(runtime.inspected).toEqual(['u', 'u'])
  })

  it('inspects a pod again after a failure even if it changed back meanwhile', async () => {
    const { clock, runtime, cache, take } = newPleg()
    runtime.put('u', container('c', 'running'))
    await clock.advance(1000)
    take()
    runtime.inspectError = { kind: 'failed', message: 'cannot inspect' }
    runtime.put('u', container('c', 'exited'))
    await clock.advance(1000)
    runtime.inspectError = undefined
    runtime.put('u', container('c', 'running'))
    await clock.advance(1000)
    expect(take()).toEqual([])
    expect(cache.get('u').ok).toBe(true)
  })

  it('keeps the IP of a pod whose sandbox has stopped, but not of one whose sandbox is ready', async () => {
    const { clock, runtime, cache } = newPleg()
    runtime.put('u', sandbox('s', 'ready', ['10.0.0.1']))
    await clock.advance(1000)
    runtime.put('u', sandbox('s', 'notready'))
    await clock.advance(1000)
    expect(cache.get('u')).toMatchObject({ value: { ips: ['10.0.0.1'] } })
    runtime.put('u', sandbox('s', 'notready'), sandbox('s2', 'ready'))
    await clock.advance(1000)
    expect(cache.get('u')).toMatchObject({ value: { ips: [] } })
  })

  it('drops a vanished pod from the cache, whose global freshness then answers for it', async () => {
    const { clock, runtime, cache } = newPleg()
    runtime.put('u', sandbox('s', 'ready', ['10.0.0.1']))
    await clock.advance(1000)
    runtime.remove('u')
    const since = clock.now()
    await clock.advance(1000)
    expect(await cache.getNewerThan('u', since)).toEqual(ok(emptyPodRuntimeStatus('u')))
  })

  it('does not move the cache on when pods cannot be listed', async () => {
    const { clock, runtime, cache, log } = newPleg()
    await clock.advance(0)
    runtime.listError = { kind: 'unavailable', message: 'no runtime' }
    const since = clock.now()
    let hasAnswered = false
    void cache.getNewerThan('u', since).then(() => {
      hasAnswered = true
    })
    await clock.advance(3000)
    expect(hasAnswered).toBe(false)
    expect(log.problems).toContain('pods cannot be listed')
    runtime.listError = undefined
    await clock.advance(1000)
    expect(hasAnswered).toBe(true)
  })

  it('is unhealthy before its first relist and three minutes after its last', async () => {
    const { clock, runtime, pleg } = newPleg()
    expect(pleg.healthError()).toBe('PLEG is not healthy: pleg has yet to be successful')
    expect(pleg.view()).toEqual({ relistPeriodMs: 1000, lastRelistAt: null })
    await clock.advance(0)
    expect(pleg.view().lastRelistAt).toBe(clock.now())
    expect(pleg.healthError()).toBeUndefined()
    runtime.listError = { kind: 'unavailable', message: 'no runtime' }
    await clock.advance(180_000)
    expect(pleg.healthError()).toBeUndefined()
    await clock.advance(1500)
    expect(pleg.healthError()).toBe(
      'PLEG is not healthy: pleg was last seen active 3m1.5s ago; threshold is 3m0s',
    )
    runtime.listError = undefined
    await clock.advance(1000)
    expect(pleg.healthError()).toBeUndefined()
  })

  it('traces each event with what changed the container, and hands its own number on', async () => {
    const { clock, runtime, trace, causes, events } = newPleg()
    causes.set('c', [41, 42])
    runtime.put('u', container('c', 'running'))
    await clock.advance(1000)
    expect(trace.events).toEqual([
      {
        kind: 'pleg.event',
        subject: { kind: 'pod', uid: 'u', namespace: 'n', name: 'p' },
        causes: [41, 42],
        data: { type: 'ContainerStarted', containerId: 'c' },
      },
    ])
    expect(events).toEqual([{ uid: 'u', type: 'ContainerStarted', containerId: 'c', causes: [1] }])
  })

  it('queues relists that are asked for at the same time', async () => {
    const { clock, runtime, pleg, take } = newPleg()
    await clock.advance(0)
    runtime.put('u', container('c', 'running'))
    await Promise.all([pleg.relist(), pleg.relist()])
    expect(take()).toEqual(['u ContainerStarted c'])
  })
})
