import { describe, expect, it } from 'vitest'
import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import {
  watchedWorlds,
  deleting,
  end,
  created,
  running,
  first,
  second,
  staticName,
  secondWaits,
} from './worker-fixture.ts'
import type { World } from './worker-fixture.ts'

const setUp = watchedWorlds()

describe('pod-workers#queries', () => {
  /** The answers in the order of the tables, as T or F; the last is that of the mirror's guard. */
  function answers({ workers }: World, uid: string): string {
    const fullName = uid === 'u' ? 'web_default' : staticName
    return [
      workers.isPodKnownTerminated(uid),
      workers.couldHaveRunningContainers(uid),
      workers.shouldPodBeFinished(uid),
      workers.isPodTerminationRequested(uid),
      workers.shouldPodContainersBeTerminating(uid),
      workers.shouldPodRuntimeBeRemoved(uid),
      workers.shouldPodContentBeRemoved(uid),
      workers.isPodForMirrorPodTerminatingByFullName(fullName),
    ]
      .map((isSo) => (isSo ? 'T' : 'F'))
      .join('')
  }

  it.each([
    ['unknown, before the first SyncKnownPods', false, 'FTFFFFFF'],
    ['unknown, after it', true, 'FFTFTTTF'],
  ])('%s', (_, isSynced, letters) => {
    const world = setUp()
    if (isSynced) world.workers.syncKnownPods([])
    expect(answers(world, 'u')).toBe(letters)
  })

  /** How a static pod is asked to stop, and what the content's answer depends on. */
  type Why = 'killed' | 'deleted' | 'evicted'
  const askToStop = (world: World, which: Pod, why: Why): void => {
    world.workers.updatePod({
      updateType: 'kill',
      pod: why === 'deleted' ? deleting(5, which) : which,
      killPodOptions: { evict: why === 'evicted' },
      causes: [],
    })
  }
  type State =
    | 'waiting to start'
    | 'sync'
    | 'terminating, not acknowledged'
    | 'terminating'
    | 'terminated'
    | 'finished'
    | 'waiting, termination requested'
    | 'finished by cleanupUnstarted'
  /** Brings a static pod into the state, but for the last step, which no worker is to see before the questions. */
  async function reach(
    world: World,
    state: State,
    why: Why,
  ): Promise<{ readonly uid: string; readonly last?: () => void }> {
    if (state.startsWith('waiting') || state === 'finished by cleanupUnstarted') {
      await secondWaits(world)
      if (state === 'waiting to start') return { uid: 'second' }
      const last = (): void => {
        askToStop(world, second, why)
      }
      if (state === 'waiting, termination requested') return { uid: 'second', last }
      last()
      await world.settle()
      return { uid: 'second' }
    }
    await created(world, first)
    if (state === 'sync') return { uid: 'first' }
    askToStop(world, first, why)
    const ends = ['terminating, not acknowledged', 'terminating', 'terminated', 'finished']
    for (let each = 0; each < ends.indexOf(state); each++) await end(world, 'first')
    return { uid: 'first' }
  }

  it.each<readonly [State, Why, string]>([
    ['waiting to start', 'killed', 'FTFFFFFF'],
    ['sync', 'killed', 'FTFFFFFF'],
    ['terminating, not acknowledged', 'killed', 'FTFTFFFT'],
    ['terminating, not acknowledged', 'deleted', 'FTFTFFFT'],
    ['terminating, not acknowledged', 'evicted', 'FTFTFFTT'],
    ['terminating', 'killed', 'FTFTTFFT'],
    ['terminating', 'deleted', 'FTFTTFFT'],
    ['terminating', 'evicted', 'FTFTTFTT'],
    ['terminated', 'killed', 'TFFTTTFF'],
    ['terminated', 'deleted', 'TFFTTTTF'],
    ['terminated', 'evicted', 'TFFTTTTF'],
    ['finished', 'killed', 'TFTTTTFF'],
    ['finished', 'deleted', 'TFTTTTTF'],
    ['finished', 'evicted', 'TFTTTTTF'],
    ['finished by cleanupUnstarted', 'killed', 'TFTTFTFF'],
    ['finished by cleanupUnstarted', 'deleted', 'TFTTFTTF'],
    ['finished by cleanupUnstarted', 'evicted', 'TFTTFTTF'],
    ['waiting, termination requested', 'killed', 'FTFTFFFF'],
    ['waiting, termination requested', 'evicted', 'FTFTFFTF'],
  ])('known, %s (%s)', async (state, why, letters) => {
    const world = setUp()
    // What is known counts alike before and after the first SyncKnownPods.
    for (const isSynced of [false, true]) {
      const each = isSynced ? setUp() : world
      if (isSynced) each.workers.syncKnownPods([])
      const { uid, last } = await reach(each, state, why)
      last?.()
      expect(answers(each, uid)).toBe(letters)
    }
  })

  it('protects the mirror of the started one only while it stops', async () => {
    const world = setUp()
    const guard = () => world.workers.isPodForMirrorPodTerminatingByFullName('web-node_default')
    expect(guard()).toBe(false)
    await running(world, first)
    expect(guard()).toBe(false)
    world.workers.updatePod({ updateType: 'kill', pod: first, causes: [] })
    expect(guard()).toBe(true)
    await world.settle()
    expect(guard()).toBe(true)
    world.syncer.current('first').finish()
    await world.settle()
    expect(guard()).toBe(false)
  })

  it('answers false for a name without a holder', () => {
    const { workers } = setUp()
    expect(workers.isPodForMirrorPodTerminatingByFullName('no full name')).toBe(false)
  })
})
