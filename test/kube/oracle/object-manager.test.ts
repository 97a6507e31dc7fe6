import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nodeClockHost } from '../../../src/main/clock/node-clock-host.ts'
import { VirtualClock } from '../../../src/main/clock/virtual-clock.ts'
import { FakeTrace } from '../../../src/main/kubelet/container/fake-trace.ts'
import { ConfigMapManager } from '../../../src/main/kubelet/object-managers/config-map-manager.ts'
import { fakePod } from '../../../src/main/kubelet/pod/fake-pod.ts'
import type { ObjectWatch, WatchObject } from '../../../src/main/kubelet/ports.ts'
import type { ConfigMap, Pod } from '../../../src/shared/kubernetes/objects.ts'
import { oracleParameters } from './driving.ts'
import { describeOracle } from './oracle-suite.ts'

const startAt = Date.UTC(2000, 0, 1)

// --- random lives of pods and ConfigMaps -----------------------------------------------------

const names = ['x', 'y', 'z']

const steps = fc.record({
  act: fc.constantFrom(
    ...(['register', 'register', 'unregister', 'get', 'get', 'get'] as const),
    ...(['put', 'put', 'delete', 'none'] as const),
  ),
  pod: fc.constantFrom('u', 'v'),
  names: fc.subarray(names),
  name: fc.constantFrom(...names),
  immutable: fc.integer({ min: 0, max: 4 }).map((number) => number === 0),
  // Ends at no moment at which a read looks for the object.
  listTakes: fc.constantFrom(5, 5, 5, 255, 755, 2005),
  ms: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(100, 100, 300, 1000, 3000) },
    { weight: 3, arbitrary: fc.constantFrom(30_000, 60_000, 100_000, 350_000) },
  ),
})

const lives = fc.record({
  resyncInterval: fc.constantFrom(60_000, 10_000, 1000),
  steps: fc.array(steps, { minLength: 1, maxLength: 24, size: 'max' }),
})

type Life = typeof lives extends fc.Arbitrary<infer T> ? T : never

function podOf(uid: string, refersTo: readonly string[]): Pod {
  const volumes = refersTo.map((name) => ({ name, configMap: { name } }))
  return fakePod({ uid, name: uid, namespace: 'n', spec: { volumes } })
}

// --- ours ------------------------------------------------------------------------------------

/** What the manager does, line by line, as overlay/nodescope/oracle/object_manager.go writes it. */
async function runOurs(life: Life): Promise<readonly string[]> {
  const clock = new VirtualClock(nodeClockHost, { startAt })
  const log: string[] = []
  const write = (line: string): void =>
    void log.push(`${String(clock.now() - startAt).padStart(8)} ${line}`)
  const stored = new Map<string, ConfigMap>()
  const watched: string[] = []
  let listTakes = 0
  const fakeWatch = (name: string): ObjectWatch<ConfigMap> => {
    write(`list ${name}`)
    let isSynced = false
    let isStopped = false
    let last: ConfigMap | undefined
    clock.after(listTakes, () => {
      if (isStopped) return
      isSynced = true
      watched.push(name)
    })
    return {
      hasSynced: () => isSynced,
      get: () => (isStopped ? last : stored.get(name)),
      stop: () => {
        if (isStopped) return
        last = stored.get(name)
        isStopped = true
        if (isSynced) watched.splice(watched.indexOf(name), 1)
      },
    }
  }
  // Only ConfigMaps are asked for, which the type of a function for each kind does not tell.
  const watchObject = (({ name }: { readonly name: string }) => fakeWatch(name)) as WatchObject
  const manager = new ConfigMapManager({
    clock,
    trace: new FakeTrace(),
    watchObject,
    resyncIntervalMs: life.resyncInterval,
  })
  manager.start()
  await clock.advance(50)
  for (const [number, step] of life.steps.entries()) {
    const { act, pod, name, immutable, ms } = step
    listTakes = step.listTakes
    if (act === 'register') manager.registerPod(podOf(pod, step.names))
    if (act === 'unregister') manager.unregisterPod(podOf(pod, []))
    if (act === 'put')
      stored.set(name, { metadata: { name, uid: '' }, data: { step: String(number) }, immutable })
    if (act === 'delete') stored.delete(name)
    if (act === 'get')
      void manager.getConfigMap('n', name).then((found) => {
        const text = found.ok ? `step ${found.value.data?.['step']}` : found.error.message
        write(`get ${number} ${name}: ${text}`)
      })
    await clock.advance(ms)
    write(`watched [${watched.toSorted().join(' ')}]`)
  }
  const all = log.toSorted()
  manager.stop()
  return all
}

// --- compared --------------------------------------------------------------------------------

const counted = { lives: 0, lists: 0, reads: 0 }

await describeOracle(
  {
    name: 'object managers',
    subject: 'objectManager',
    title: 'the manager of ConfigMaps that pods refer to',
    summary: () =>
      `${counted.lives} lives of managers of ConfigMaps with ${counted.lists} watches and ${counted.reads} reads, as the kubelet’s`,
  },
  (oracle) => {
    it('watches the same objects and answers the same', { timeout: 120_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(lives, async (life) => {
          const theirs = (await oracle.ask('run', life)) as readonly string[]
          expect(await runOurs(life)).toEqual(theirs)
          const count = (part: string): number =>
            theirs.filter((line) => line.includes(part)).length
          counted.lives++
          counted.lists += count(' list ')
          counted.reads += count(' get ')
        }),
        oracleParameters(1000),
      )
    })
  },
)
