import { beforeEach, describe, expect, it } from 'vitest'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import type { ConfigMap, PodSpec } from '../../../shared/kubernetes/objects.ts'
import { fakePod } from '../pod/fake-pod.ts'
import type { ObjectWatch, WatchObject } from '../ports.ts'
import { FakeTrace } from '../container/fake-trace.ts'
import { ConfigMapManager } from './config-map-manager.ts'

const minute = 60_000

let clock: VirtualClock
/** The server's objects, and how long a first list takes; undefined: the server does not answer. */
let stored: Map<string, ConfigMap>
let listMs: number | undefined
/** `watch NAME` and `stop NAME`, in order. */
let calls: string[]
let manager: ConfigMapManager
let trace: FakeTrace
/** Tells of a change of the last watched object. */
let tell: Parameters<WatchObject>[1]

function fakeWatch(name: string): ObjectWatch<ConfigMap> {
  let isSynced = false
  if (listMs !== undefined)
    clock.after(listMs, () => {
      isSynced = true
    })
  return {
    hasSynced: () => isSynced,
    get: () => stored.get(name),
    stop: () => {
      calls.push(`stop ${name}`)
    },
  }
}

function put(name: string, fields: Partial<ConfigMap> = {}): void {
  stored.set(name, { metadata: { name, uid: name }, ...fields })
}

function podOf(uid: string, ...names: readonly string[]) {
  const volumes = names.map((name) => ({ name, configMap: { name } }))
  return fakePod({ uid, spec: { volumes } satisfies Partial<PodSpec> })
}

/** What is answered, and after how many milliseconds. */
async function read(name: string): Promise<readonly [string, number]> {
  const startedAt = clock.now()
  let answer: readonly [string, number] | undefined
  void manager.getConfigMap('default', name).then((result) => {
    const text = result.ok
      ? `found ${result.value.metadata.name}`
      : `${result.error.kind}: ${result.error.message}`
    answer = [text, clock.now() - startedAt]
  })
  await clock.advance(1500)
  if (answer === undefined) throw new Error('no answer')
  return answer
}

beforeEach(() => {
  clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  stored = new Map()
  listMs = 0
  calls = []
  const watchObject = (({ name }: { readonly name: string }, onChange: typeof tell) => {
    calls.push(`watch ${name}`)
    tell = onChange
    return fakeWatch(name)
  }) as WatchObject
  trace = new FakeTrace()
  manager = new ConfigMapManager({ clock, trace, watchObject, resyncIntervalMs: minute })
})

describe('references', () => {
  it('start a watch with the first pod and stop it with the last one', () => {
    manager.registerPod(podOf('a', 'x', 'y'))
    manager.registerPod(podOf('b', 'x'))
    expect(calls).toEqual(['watch x', 'watch y'])
    manager.unregisterPod(podOf('a'))
    expect(calls.slice(2)).toEqual(['stop y'])
    manager.unregisterPod(podOf('a'))
    manager.unregisterPod(podOf('b'))
    expect(calls.slice(3)).toEqual(['stop x'])
  })

  it('of an updated pod are added and dropped', () => {
    manager.registerPod(podOf('a', 'x', 'y'))
    manager.registerPod(podOf('a', 'y', 'z'))
    expect(calls).toEqual(['watch x', 'watch y', 'watch z', 'stop x'])
    manager.registerPod(podOf('a'))
    expect(calls.slice(4)).toEqual(['stop y', 'stop z'])
  })

  it('are required for a read', async () => {
    put('x')
    expect(await read('x')).toEqual(['unknown: object "default"/"x" not registered', 0])
  })
})

describe('what arrives', () => {
  it('is in the trace, and is the cause of what is made of it', () => {
    const pod = podOf('a', 'x', 'y')
    manager.registerPod(pod)
    expect(manager.causesOf('default', pod.spec)).toEqual([])
    tell({ change: 'ADDED', uid: 'u', resourceVersion: '8', causes: [3] })
    expect(trace.events).toMatchObject([
      {
        kind: 'object.received',
        subject: { kind: 'object', resource: 'configmaps', namespace: 'default', name: 'y' },
        causes: [3],
        data: { change: 'ADDED', resourceVersion: '8' },
      },
    ])
    expect(manager.causesOf('default', pod.spec)).toHaveLength(1)
    expect(manager.causesOf('other', pod.spec)).toEqual([])
    expect(manager.causesOf('default', podOf('a', 'x').spec)).toEqual([])
    expect(manager.names()).toEqual(['default/x', 'default/y'])
  })
})

describe('a read', () => {
  it('waits for the first list, in steps of 10 ms', async () => {
    listMs = 25
    put('x')
    manager.registerPod(podOf('a', 'x'))
    expect(await read('x')).toEqual(['found x', 30])
    expect(await read('x')).toEqual(['found x', 0])
  })

  it('fails after a second without an answer', async () => {
    listMs = undefined
    manager.registerPod(podOf('a', 'x'))
    const message = 'timeout: failed to sync configmap cache: timed out waiting for the condition'
    expect(await read('x')).toEqual([message, 1000])
  })

  it('of a missing object fails until it exists', async () => {
    manager.registerPod(podOf('a', 'x'))
    await clock.advance(0)
    expect(await read('x')).toEqual(['not-found: configmap "x" not found', 0])
    put('x')
    expect(await read('x')).toEqual(['found x', 0])
  })

  it('of an immutable object ends its watch for good', async () => {
    put('x', { immutable: true })
    manager.registerPod(podOf('a', 'x'))
    expect((await read('x'))[0]).toBe('found x')
    expect((await read('x'))[0]).toBe('found x')
    expect(calls[1]).toBe('stop x')
    expect(calls.filter((call) => call === 'watch x')).toHaveLength(1)
  })
})

describe('watches of objects that are not read', () => {
  it('end at the next minute if there was no read, and five resyncs after the last one', async () => {
    put('x')
    put('y')
    manager.start()
    manager.registerPod(podOf('a', 'x', 'y'))
    await read('x')
    await clock.advance(minute)
    expect(calls.slice(2)).toEqual(['stop y'])
    await clock.advance(4 * minute)
    expect(calls).toHaveLength(3)
    await clock.advance(minute)
    expect(calls[3]).toBe('stop x')
    listMs = 5
    expect(await read('x')).toEqual(['found x', 10])
    expect(calls.slice(-1)).toEqual(['watch x'])
  })

  it('stay while the first list is under way', async () => {
    listMs = undefined
    manager.start()
    manager.registerPod(podOf('a', 'x'))
    await clock.advance(10 * minute)
    expect(calls).toEqual(['watch x'])
  })
})

it('after its stop begins no watch', async () => {
  manager.registerPod(podOf('a', 'x'))
  manager.stop()
  expect(calls).toEqual(['watch x', 'stop x'])
  manager.registerPod(podOf('b', 'y'))
  expect((await read('x'))[0]).toContain('timeout')
  expect(calls).toHaveLength(2)
})
