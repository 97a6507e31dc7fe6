import { describe, expect, it } from 'vitest'
import { fakePod, fakeStaticPod } from '../../../src/main/kubelet/pod/fake-pod.ts'
import {
  watchedWorlds,
  pod,
  deleting,
  inPhase,
  update,
  end,
  created,
  running,
  stoppingRuntimePod,
  first,
  second,
  third,
  secondWaits,
} from './worker-fixture.ts'
import type { World } from './worker-fixture.ts'

const setUp = watchedWorlds()

describe('pod-workers#starting-a-sync: startPodSync(uid)', () => {
  it('1: ends without a sync when its record is gone', async () => {
    const world = setUp()
    world.workers.updatePod({ updateType: 'create', pod, causes: [] })
    world.workers.syncKnownPods([])
    await world.settle()
    expect(world.syncer.calls).toEqual([])
    expect(world.workers.table.podUpdates.size).toBe(0)
  })

  it('2: does nothing without a pending update', async () => {
    const world = setUp()
    await running(world)
    world.workers.table.podUpdates.get('u')?.send()
    await world.settle()
    expect(world.syncer.calls).toHaveLength(1)
    expect(world.record('u').working).toBe(false)
  })

  it('6: stops a pod that only the runtime knows without starting it', async () => {
    const world = setUp()
    await stoppingRuntimePod(world)
    expect(world.syncer.kinds).toEqual(['runtimePod u'])
    expect(world.record('u').startedAt).toBeUndefined()
    expect(world.record('u').activeUpdate).toBeDefined()
  })

  describe('8: allowPodStart', () => {
    const ended = (uid: string) => fakeStaticPod({ uid, status: { phase: 'Succeeded' } })
    it.each<
      readonly [string, (world: World) => Promise<void>, string, 'starts' | 'waits' | 'never']
    >([
      ['not static', (world) => created(world), 'u', 'starts'],
      ['not static, terminating', (world) => created(world, deleting(1)), 'u', 'starts'],
      ['not static, terminated', (world) => created(world, inPhase('Failed')), 'u', 'starts'],
      ['static, termination requested', (world) => created(world, ended('s')), 's', 'never'],
      ['static, not its turn', secondWaits, 'second', 'waits'],
      ['static, its turn', (world) => created(world, first), 'first', 'starts'],
    ])('%s', async (_, act, uid, result) => {
      const world = setUp()
      await act(world)
      const { startedAt, finished: isFinished, pendingUpdate, working } = world.record(uid)
      expect([startedAt !== undefined, isFinished]).toEqual([
        result === 'starts',
        result === 'never',
      ])
      expect(pendingUpdate !== undefined).toBe(result === 'waits')
      expect(working).toBe(result === 'starts')
      expect(world.workQueue.dueAt(uid)).toBe(result === 'waits' ? 11_000 : undefined)
    })
  })

  describe('the static exclusivity rule', () => {
    async function ends(world: World, uid: string): Promise<void> {
      for (const kind of ['terminating', 'terminated']) {
        expect(world.syncer.current(uid).kind).toBe(kind)
        await end(world, uid)
      }
    }

    const firstRuns = (world: World) => running(world, first)

    /** What the sync loop does each second. */
    async function tick(world: World): Promise<void> {
      for (const { uid, causes } of world.workQueue.getWork())
        world.workers.updatePod({
          updateType: 'sync',
          pod: uid === 'second' ? second : third,
          causes,
        })
      await world.settle()
    }

    it('makes the new version wait for the old one, and retries every 10 s', async () => {
      const world = setUp()
      await firstRuns(world)
      world.workers.updatePod({ updateType: 'create', pod: second, causes: [] })
      await world.settle()
      expect(world.record('second')).toMatchObject({
        startedAt: undefined,
        working: false,
        blockedByUid: 'first',
        activeUpdate: undefined,
      })
      expect(world.record('second').pendingUpdate?.updateType).toBe('create')
      expect(world.workQueue.dueAt('second')).toBe(11_000)
      expect(world.trace.data('worker.waiting')).toEqual([{ blockedByUid: 'first' }])

      world.workers.updatePod({ updateType: 'kill', pod: first, causes: [] })
      await world.settle()
      await ends(world, 'first')
      expect(world.syncer.open).toEqual([])
      await world.clock.advance(10_000)
      await tick(world)
      expect(world.syncer.open).toEqual([])
      await world.clock.advance(1)
      await tick(world)
      expect(world.syncer.current('second').kind).toBe('sync')
      expect(world.record('second')).toMatchObject({ startedAt: 11_001, blockedByUid: undefined })
      expect(world.trace.data('worker.started').at(-1)).toEqual({ sinceSeenMs: 10_001 })
    })

    it('starts them in the order in which they came', async () => {
      const world = setUp()
      await firstRuns(world)
      for (const pod of [second, third])
        world.workers.updatePod({ updateType: 'create', pod, causes: [] })
      await world.settle()
      world.workers.updatePod({ updateType: 'kill', pod: first, causes: [] })
      await world.settle()
      await ends(world, 'first')
      world.workers.updatePod({ updateType: 'sync', pod: third, causes: [] })
      await world.settle()
      expect(world.record('third').blockedByUid).toBe('second')
      await world.clock.advance(10_001)
      await tick(world)
      expect(world.syncer.open.map((call) => call.uid)).toEqual(['second'])
      expect(world.record('third').blockedByUid).toBe('second')
    })

    it('finishes one that is killed while it waits, without a sync and without calling back', async () => {
      const world = setUp()
      await firstRuns(world)
      let completed = 0
      world.workers.updatePod({ updateType: 'create', pod: second, causes: [] })
      await world.settle()
      world.workers.updatePod({
        updateType: 'kill',
        pod: second,
        killPodOptions: { onCompleted: () => completed++ },
        causes: [],
      })
      expect(world.record('second')).toMatchObject({ finished: false, terminatedAt: undefined })
      await world.settle()
      expect(world.record('second')).toMatchObject({
        startedAt: undefined,
        startedTerminating: false,
        terminatedAt: 1000,
        finished: true,
        working: false,
        activeUpdate: undefined,
      })
      expect(completed).toBe(0)
      expect(world.syncer.kinds).toEqual(['sync first'])
      expect(world.trace.data('worker.transitioned')).toEqual([
        { to: 'terminating', why: 'killed' },
        { to: 'terminated', why: 'never started' },
        { to: 'finished', why: 'never started' },
      ])
      // It is passed over when the name becomes free.
      world.workers.updatePod({ updateType: 'create', pod: third, causes: [] })
      world.workers.updatePod({ updateType: 'kill', pod: first, causes: [] })
      await world.settle()
      await ends(world, 'first')
      await world.clock.advance(10_001)
      await tick(world)
      expect(world.syncer.current('third').kind).toBe('sync')
    })

    it('skips one that terminates, even before its own worker has noticed', async () => {
      const world = setUp()
      await firstRuns(world)
      for (const pod of [second, third])
        world.workers.updatePod({ updateType: 'create', pod, causes: [] })
      world.workers.updatePod({ updateType: 'kill', pod: first, causes: [] })
      await world.settle()
      await ends(world, 'first')
      world.workers.updatePod({ updateType: 'sync', pod: third, causes: [] })
      world.workers.updatePod({ updateType: 'kill', pod: second, causes: [] })
      await world.settle()
      expect(world.syncer.current('third').kind).toBe('sync')
    })

    it('traces once for each uid that it waits for', async () => {
      const world = setUp()
      await firstRuns(world)
      world.workers.updatePod({ updateType: 'create', pod: second, causes: [] })
      await world.settle()
      for (let round = 0; round < 3; round++) {
        await world.clock.advance(10_001)
        await tick(world)
      }
      expect(world.trace.data('worker.waiting')).toEqual([{ blockedByUid: 'first' }])
      expect(
        world.trace.data('worker.requeued').filter(({ why }) => why === 'waiting'),
      ).toHaveLength(4)
    })

    it('frees the name when the holder is forgotten before it has finished', async () => {
      const world = setUp()
      world.workers.updatePod({ updateType: 'create', pod: first, causes: [] })
      await world.settle()
      world.syncer.current('first').finish()
      await world.settle()
      world.workers.updatePod({ updateType: 'kill', pod: first, causes: [] })
      await world.settle()
      await ends(world, 'first')
      world.workers.syncKnownPods([])
      world.workers.updatePod({ updateType: 'create', pod: second, causes: [] })
      await world.settle()
      expect(world.syncer.current('second').kind).toBe('sync')
      expect([...world.workers.table.staticPodStart.started]).toEqual([
        ['web-node_default', 'second'],
      ])
    })

    it('does not ring the one that waits when the holder is done', async () => {
      const world = setUp()
      await secondWaits(world)
      await update(world, { updateType: 'kill', pod: first })
      await ends(world, 'first')
      await world.clock.advance(60_000)
      expect(world.syncer.open).toEqual([])
      await tick(world)
      expect(world.syncer.current('second').kind).toBe('sync')
    })

    it('neither blocks regular pods of the name nor is blocked by them', async () => {
      const world = setUp()
      const regular = fakePod({ uid: 'r', name: 'web-node' })
      await running(world, regular)
      await running(world, first)
      await running(world, fakePod({ uid: 'r2', name: 'web-node' }))
      expect([...world.workers.table.staticPodStart.started.values()]).toEqual(['first'])
    })
  })
})
