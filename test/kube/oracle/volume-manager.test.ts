import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nodeClockHost } from '../../../src/main/clock/node-clock-host.ts'
import { VirtualClock } from '../../../src/main/clock/virtual-clock.ts'
import { sleep } from '../../../src/main/kubelet/container/deferred.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { FakeTrace } from '../../../src/main/kubelet/container/fake-trace.ts'
import { fakeHost } from '../../../src/main/kubelet/host/fake-host.ts'
import type { VolumePlugin } from '../../../src/main/kubelet/volume/volume-plugins.ts'
import { VolumeManager } from '../../../src/main/kubelet/volumemanager/volume-manager.ts'
import { CancellationSource } from '../../../src/main/kubelet/workers/cancellation-source.ts'
import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import { err, ok } from '../../../src/shared/result.ts'
import { oracleParameters } from './driving.ts'
import { describeOracle } from './oracle-suite.ts'

const startAt = Date.UTC(2000, 0, 1)

const volumes = ['u/dir', 'u/map', 'v/dir', 'v/map', 'w/dir', 'w/map']

// --- random lives of pods with volumes -------------------------------------------------------

/** How a pod is known: to the pod manager, and by what its worker says. */
const states = ['unknown', 'known', 'terminating', 'removed', 'orphan', 'forgotten'] as const

const podStates = fc.record({
  state: fc.constantFrom(...states, 'known', 'known', 'removed'),
  // An update of the pod may use other volumes.
  uses: fc.constantFrom(['dir', 'map'], ['dir', 'map'], ['dir'], ['map'], ['map', 'none'], []),
  waits: fc.boolean(),
  isCanceled: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
})

// The reconciler runs at 50, the populator at 0, waits at 80 and steps at 70: an end at 90 is at no other moment.
const works = fc.record({
  takes: fc.constantFrom(40, 40, 40, 140, 1240, 5040),
  error: fc.constantFrom('', '', '', 'broken'),
})
const setUps = fc.oneof(works, fc.constant({ takes: 0, error: '' }))
const worksOf = (work: fc.Arbitrary<Work>) =>
  fc.record(Object.fromEntries(volumes.map((one) => [one, work])))

const steps = fc.record({
  u: podStates,
  v: podStates,
  setUps: worksOf(setUps),
  // Not at once: whether the volume counts as detached at that same moment would be a race.
  tearDowns: worksOf(works),
  sourcesReady: fc.integer({ min: 0, max: 5 }).map((number) => number > 0),
  ms: fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(100, 100, 200, 300, 500, 1000, 1000, 3000, 10_000) },
    { weight: 1, arbitrary: fc.constant(130_000) },
  ),
})

const lives = fc.record({
  left: fc.subarray(volumes, { maxLength: 3 }).map((all) =>
    all.map((one) => {
      const [uid = '', volume = ''] = one.split('/')
      return { uid, volume, plugin: volume === 'dir' ? 'empty-dir' : 'configmap' }
    }),
  ),
  steps: fc.array(steps, { minLength: 1, maxLength: 12, size: 'max' }),
})

type Life = typeof lives extends fc.Arbitrary<infer T> ? T : never
type PodState = typeof podStates extends fc.Arbitrary<infer T> ? T : never
interface Work {
  readonly takes: number
  readonly error: string
}
interface Step {
  readonly pods: readonly Pod[]
  readonly terminating: readonly string[]
  readonly removed: readonly string[]
  readonly sourcesReady: boolean
  readonly setUps: Readonly<Record<string, Work>>
  readonly tearDowns: Readonly<Record<string, Work>>
  readonly waits: readonly { readonly pod: Pod; readonly until: 'mounted' | 'unmounted' }[]
  readonly cancel: string
  readonly ms: number
}

function podOf(uid: string, { uses }: PodState): Pod {
  const volumeMounts = uses.map((name) => ({ name, mountPath: `/${name}` }))
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: uid, namespace: 'n', uid },
    spec: {
      containers: [{ name: 'c', image: 'i', volumeMounts }],
      volumes: [
        { name: 'dir', emptyDir: {} },
        { name: 'map', configMap: { name: 'm' } },
      ],
    },
  }
}

function stepsOf(life: Life): readonly Step[] {
  return life.steps.map(({ u, v, setUps, tearDowns, sourcesReady, ms }) => {
    const pods = Object.entries({ u, v })
    const inState = (...wanted: readonly PodState['state'][]): typeof pods =>
      pods.filter(([, { state }]) => wanted.includes(state))
    const uids = (among: typeof pods): readonly string[] => among.map(([uid]) => uid)
    return {
      pods: inState('known', 'terminating', 'removed').map(([uid, state]) => podOf(uid, state)),
      terminating: uids(inState('terminating', 'removed', 'orphan', 'forgotten')),
      removed: ['w', ...uids(inState('removed', 'forgotten'))],
      sourcesReady,
      setUps,
      tearDowns,
      waits: inState('known', 'removed')
        .filter(([, { waits }]) => waits)
        .map(([uid, state]) => ({
          pod: podOf(uid, state),
          until: state.state === 'known' ? 'mounted' : 'unmounted',
        })),
      cancel: pods.find(([, { isCanceled }]) => isCanceled)?.[0] ?? '',
      ms,
    }
  })
}

// --- ours ------------------------------------------------------------------------------------

/** What the volume manager does, line by line, as overlay/pkg/kubelet/volumemanager/nodescope.go writes it. */
async function runOurs(life: Life): Promise<readonly string[]> {
  const given = stepsOf(life)
  const clock = new VirtualClock(nodeClockHost, { startAt })
  const log: string[] = []
  const write = (line: string): void =>
    void log.push(`${String(clock.now() - startAt).padStart(8)} ${line}`)
  let [now] = given
  const work = async (what: string, of: string, all: Step['setUps'] = {}) => {
    write(`${what} ${of}`)
    const { takes, error } = all[of] ?? { takes: 0, error: '' }
    if (takes > 0) await sleep(clock, takes)
    write(`${what} ${of} ${error === '' ? 'succeeded' : 'failed'}`)
    return error
  }
  const plugin = (name: string, requiresRemount: boolean): VolumePlugin => ({
    name: `kubernetes.io/${name}`,
    requiresRemount,
    isReadOnly: false,
    pathOf: (pod, volume) => `/${pod.metadata.uid}/${volume.name}`,
    setUp: async ({ pod, volume }) => {
      const error = await work('setUp', `${pod.metadata.uid}/${volume.name}`, now?.setUps)
      return error === '' ? ok(true) : err(error)
    },
    tearDown: async (uid, name) => {
      const error = await work('tearDown', `${uid}/${name}`, now?.tearDowns)
      return error === '' ? ok(undefined) : err(error)
    },
  })
  const emptyDir = plugin('empty-dir', false)
  const configMap = plugin('configmap', true)
  const manager = new VolumeManager({
    clock,
    trace: new FakeTrace(),
    log: new FakeLog(),
    recorder: {
      event: (_subject, type, reason, message) => {
        write(`event ${type} ${reason} ${message}`)
      },
    },
    host: fakeHost(),
    pods: {
      getPods: () => now?.pods ?? [],
      getPodByUID: (uid) => now?.pods.find(({ metadata }) => metadata.uid === uid),
    },
    podStates: {
      shouldPodContainersBeTerminating: (uid) => now?.terminating.includes(uid) === true,
      shouldPodRuntimeBeRemoved: (uid) => now?.removed.includes(uid) === true,
    },
    areSourcesReady: () => now?.sourcesReady === true,
    objectCauses: () => [],
    plugins: {
      podFolder: (uid) => `/pods/${uid}`,
      pluginOf: (volume) => ('emptyDir' in volume ? emptyDir : configMap),
      onDisk: async () => {
        await sleep(clock, 50)
        return life.left.map(({ uid, volume }) => ({
          podUid: uid,
          volume,
          plugin: volume === 'dir' ? emptyDir : configMap,
        }))
      },
    },
  })
  void manager.start()
  await clock.advance(70)
  const cancels = new Map<string, CancellationSource[]>()
  const uids = new Set([
    ...given.flatMap(({ pods }) => pods.map(({ metadata }) => metadata.uid)),
    ...life.left.map(({ uid }) => uid),
  ])
  for (const [number, step] of given.entries()) {
    now = step
    for (const source of cancels.get(step.cancel) ?? []) source.cancel()
    // What housekeeping does once in 2 s.
    await manager.cleanUp(() => true)
    for (const { pod, until } of step.waits) {
      const { uid } = pod.metadata
      const source = new CancellationSource()
      cancels.set(uid, [...(cancels.get(uid) ?? []), source])
      clock.after(10, () => {
        const wait = until === 'mounted' ? manager.waitForAttachAndMount : manager.waitForUnmount
        void wait(source.cancellation, pod, []).then((result) => {
          write(`wait ${number} ${uid} until ${until}: ${result.ok ? 'ok' : result.error}`)
        })
      })
    }
    await clock.advance(step.ms)
    for (const uid of uids) {
      const mounted = [...manager.mountedVolumes(uid).keys()].toSorted().join(' ')
      const possibly = manager.possiblyMountedVolumes(uid).toSorted().join(' ')
      write(`${uid} mounted [${mounted}], possibly [${possibly}]`)
    }
    write('in use []')
  }
  const all = log.toSorted()
  manager.stop()
  return all
}

// --- compared --------------------------------------------------------------------------------

const counted = { lives: 0, setUps: 0, tearDowns: 0, waits: 0 }

await describeOracle(
  {
    name: 'volume manager',
    subject: 'volumeManager',
    title: 'the volume manager',
    summary: () =>
      `${counted.lives} lives of pods with ${counted.setUps} volumes that were set up, ${counted.tearDowns} that were torn down and ${counted.waits} waits, as the kubelet’s`,
  },
  (oracle) => {
    it('mounts and unmounts at the same times', { timeout: 240_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(lives, async (life) => {
          const theirs = (await oracle.ask('run', {
            left: life.left,
            steps: stepsOf(life),
          })) as readonly string[]
          expect(await runOurs(life)).toEqual(theirs)
          const count = (part: string): number =>
            theirs.filter((line) => line.includes(part)).length
          counted.lives++
          counted.setUps += count(' setUp ') / 2
          counted.tearDowns += count(' tearDown ') / 2
          counted.waits += count(' wait ')
        }),
        oracleParameters(300),
      )
    })
  },
)
