import { describe, expect, it } from 'vitest'
import type { Pod } from '../../src/shared/kubernetes/objects.ts'
import { seededRandom } from '../../src/main/clock/seeded-random.ts'
import { UpdateSignal } from '../../src/main/kubelet/workers/update-signal.ts'
import { fakePod, fakeStaticPod } from '../../src/main/kubelet/pod/fake-pod.ts'
import type { Random } from '../../src/main/kubelet/ports.ts'
import { cancelled, failed } from '../../src/main/kubelet/workers/fake-pod-syncer.ts'
import { fakeRunningPod, setUpWorkers } from '../../src/main/kubelet/workers/fake-workers.ts'
import { WorkerInvariants } from './worker-invariants.ts'

const pods: readonly Pod[] = [
  fakePod({ uid: 'regular' }),
  fakePod({ name: 'other', uid: 'other', spec: { terminationGracePeriodSeconds: 5 } }),
  fakeStaticPod({ uid: 'static-1' }),
  fakeStaticPod({ uid: 'static-2' }),
  fakeStaticPod({ uid: 'static-3' }),
]

const succeeded = { ok: true, value: { isTerminal: false } } as const

function choose<T>(random: Random, of: readonly T[]): T {
  const chosen = of[Math.floor(random.next() * of.length)]
  if (chosen === undefined) throw new Error('nothing to choose from')
  return chosen
}

function someVersionOf(pod: Pod, random: Random): Pod {
  const change = Math.floor(random.next() * 8)
  if (change === 0)
    return {
      ...pod,
      metadata: {
        ...pod.metadata,
        deletionTimestamp: '2026-01-01T00:00:00Z',
        deletionGracePeriodSeconds: Math.floor(random.next() * 40),
      },
    }
  return change === 1 ? { ...pod, status: { phase: 'Failed' } } : pod
}

/** Does one thing that can happen to the workers. */
function act(world: ReturnType<typeof setUpWorkers>, desired: Set<Pod>, random: Random): void {
  const pod = choose(random, pods)
  const { workers, syncer } = world
  const kind = choose(random, ['update', 'kill', 'finish', 'housekeeping', 'tick', 'desire'])
  switch (kind) {
    case 'update': {
      const updateType = choose(random, ['create', 'update', 'sync'] as const)
      workers.updatePod({ updateType, pod: someVersionOf(pod, random), causes: [] })
      return
    }
    case 'kill':
      workers.updatePod({
        updateType: 'kill',
        ...(random.next() < 0.3
          ? { runningPod: fakeRunningPod(pod.metadata.uid) }
          : { pod: someVersionOf(pod, random) }),
        killPodOptions: {
          evict: random.next() < 0.5,
          ...(random.next() < 0.5 ? {} : { gracePeriodSecondsOverride: random.next() * 40 }),
        },
        causes: [],
      })
      return
    case 'finish': {
      const [call] = syncer.open
      call?.finish(
        choose(random, [
          succeeded,
          succeeded,
          failed('no'),
          { ok: true, value: { isTerminal: true } } as const,
          ...(call?.cancellation.isCancelled() === true ? [cancelled] : []),
        ]),
      )
      return
    }
    case 'housekeeping':
      workers.syncKnownPods([...desired])
      return
    case 'tick':
      for (const { uid, causes } of world.workQueue.getWork()) {
        const due = pods.find((one) => one.metadata.uid === uid)
        if (due !== undefined) workers.updatePod({ updateType: 'sync', pod: due, causes })
      }
      return
    default:
      if (!desired.delete(pod)) desired.add(pod)
  }
}

describe('the invariants of pod-workers#invariants', () => {
  it.each(Array.from({ length: 40 }, (_, seed) => seed))(
    'hold whatever happens, seed %i',
    async (seed) => {
      const random = seededRandom(seed)
      const world = setUpWorkers()
      const desired = new Set(pods)
      for (let step = 0; step < 300; step++) {
        act(world, desired, random)
        world.invariants.check()
        if (random.next() < 0.7) await world.clock.advance(random.next() < 0.1 ? 10_000 : 0)
        world.invariants.check()
      }
      expect(world.invariants.broken).toEqual([])
      // Every pod finishes once no source has it, and nothing is left behind.
      world.syncer.isAutomatic = true
      for (const call of world.syncer.open) call.finish()
      for (let round = 0; round < 10; round++) {
        await world.clock.advance(2000)
        workersForget(world)
      }
      expect(world.workers.recordUids()).toEqual([])
      expect(world.workers.table.podUpdates.size).toBe(0)
      expect(world.workers.table.staticPodStart.started.size).toBe(0)
      expect(world.invariants.broken).toEqual([])
    },
  )

  function workersForget(world: ReturnType<typeof setUpWorkers>): void {
    world.workers.syncKnownPods([])
    world.invariants.check()
  }

  async function runningWorld() {
    const world = setUpWorkers()
    world.workers.updatePod({ updateType: 'create', pod: pods[2] ?? fakePod(), causes: [] })
    await world.settle()
    const record = world.record('static-1')
    const invariants = new WorkerInvariants({ table: world.workers.table })
    invariants.check()
    return { world, record, invariants }
  }

  it.each<readonly [string, (set: Awaited<ReturnType<typeof runningWorld>>) => void]>([
    [
      '1',
      ({ invariants }) => {
        invariants.syncBegins('static-1', 'sync')
        invariants.syncBegins('static-1', 'sync')
      },
    ],
    [
      '2',
      ({ invariants, record }) => {
        record.startedTerminating = true
        invariants.syncBegins('static-1', 'sync')
      },
    ],
    [
      '3',
      ({ invariants }) => {
        invariants.syncBegins('static-1', 'terminated')
      },
    ],
    [
      '4',
      ({ record }) => {
        record.startedAt = undefined
      },
    ],
    [
      '5',
      ({ world }) => {
        world.workers.table.records.delete('static-1')
      },
    ],
    [
      '6',
      ({ record }) => {
        record.gracePeriodSeconds = 0.5
      },
    ],
    [
      '7',
      ({ record, world }) => {
        record.finished = true
        world.workers.table.podUpdates.set(
          'static-1',
          new UpdateSignal('static-1', () => undefined),
        )
      },
    ],
    [
      '8',
      ({ record }) => {
        record.terminatedAt = 5
      },
    ],
    [
      '9',
      ({ record, invariants }) => {
        record.evicted = true
        invariants.check()
        record.evicted = false
      },
    ],
  ])('are watched: %s', async (number, breakIt) => {
    const set = await runningWorld()
    expect(set.invariants.broken).toEqual([])
    breakIt(set)
    set.invariants.check()
    expect(set.invariants.broken.map((sentence) => sentence[0])).toContain(number)
  })

  it('are watched: grace is not taken back', async () => {
    const { invariants, record } = await runningWorld()
    record.gracePeriodSeconds = 5
    invariants.check()
    record.gracePeriodSeconds = 0
    invariants.check()
    expect(invariants.broken).toEqual(['6: grace of static-1 was taken back'])
  })
})
