import { afterEach, describe, expect, it } from 'vitest'
import { fakeMirrorOf, fakePod, fakeStaticPod } from '../pod/fake-pod.ts'
import { cancelled, failed } from './fake-pod-syncer.ts'
import { setUpWorkers } from './fake-workers.ts'

type World = ReturnType<typeof setUpWorkers>

const worlds: World[] = []
function setUp(): World {
  const world = setUpWorkers()
  worlds.push(world)
  return world
}

afterEach(() => {
  for (const { invariants } of worlds.splice(0)) expect(invariants.broken).toEqual([])
})

const pod = fakePod({ uid: 'u' })

async function created(world: World): Promise<void> {
  world.workers.updatePod({ updateType: 'create', pod, causes: [] })
  await world.settle()
}

describe('the worker loop (semantics 4.8)', () => {
  it('waits for a status newer than the end of the last sync', async () => {
    const world = setUp()
    await created(world)
    expect(world.podCache.asked).toEqual([Number.NEGATIVE_INFINITY])
    await world.clock.advance(500)
    world.syncer.current('u').finish()
    await world.clock.advance(500)
    world.workers.updatePod({ updateType: 'sync', pod, causes: [] })
    await world.settle()
    expect(world.podCache.asked).toEqual([Number.NEGATIVE_INFINITY, 1500])
  })

  it('counts a failed sync as the last one too', async () => {
    const world = setUp()
    await created(world)
    await world.clock.advance(500)
    world.syncer.current('u').finish(failed('no'))
    await world.settle()
    world.workers.updatePod({ updateType: 'sync', pod, causes: [] })
    await world.settle()
    expect(world.podCache.asked.at(-1)).toBe(1500)
  })

  it('does not sync without a status: an event, a retry, and the same time asked for again', async () => {
    const world = setUp()
    world.podCache.fail('u', 'inspection failed')
    await created(world)
    expect(world.syncer.calls).toEqual([])
    expect(world.recorder.lines).toEqual([
      'Warning FailedSync error determining status: inspection failed',
    ])
    expect(world.workQueue.dueAt('u')).toBe(11_000)
    world.workers.updatePod({ updateType: 'sync', pod, causes: [] })
    await world.settle()
    expect(world.podCache.asked).toEqual([Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY])
    expect(world.trace.data('worker.syncFinished')[0]).toEqual({
      workType: 'sync',
      outcome: 'error',
      message: 'error determining status: inspection failed',
      durationMs: 0,
    })
  })

  it('hands SyncPod the update, the status and a cancellation', async () => {
    const world = setUp()
    const fixed = fakeStaticPod({ uid: 's' })
    const mirrorPod = fakeMirrorOf(fixed)
    world.workers.updatePod({ updateType: 'create', pod: fixed, mirrorPod, causes: [] })
    await world.settle()
    const call = world.syncer.current('s')
    expect(call.work).toEqual({
      updateType: 'create',
      pod: fixed,
      mirrorPod,
      status: { uid: 's', name: '', namespace: '', ips: [], sandboxes: [], containers: [] },
      causes: [3],
    })
    expect(call.cancellation.isCancelled()).toBe(false)
  })

  it.each([
    ['resync after success', undefined, 'resync', 60_000],
    [
      'soon when only the network is missing',
      failed('container: network is not ready: x'),
      'network',
      1000,
    ],
    ['after any other error', failed('no'), 'error', 10_000],
    ['after a cancellation', cancelled, 'error', 10_000],
  ] as const)('comes back: %s', async (_, outcome, why, delayMs) => {
    const world = setUp()
    await created(world)
    world.syncer.current('u').finish(outcome)
    await world.settle()
    expect(world.workQueue.dueAt('u')).toBe(1000 + delayMs)
    expect(world.trace.data('worker.requeued')).toEqual([{ delayMs, why }])
    expect(world.record('u').working).toBe(false)
    expect(world.workQueue.getWork()).toEqual([])
    await world.clock.advance(delayMs + 1)
    expect(world.workQueue.getWork()).toEqual([{ uid: 'u', causes: [world.trace.events.length] }])
  })

  it('logs an error, and not a cancellation', async () => {
    const world = setUp()
    await created(world)
    world.syncer.current('u').finish(failed('no'))
    await world.settle()
    expect(world.log.problems).toEqual(['error syncing pod, skipping'])
    world.workers.updatePod({ updateType: 'sync', pod, causes: [] })
    await world.settle()
    world.syncer.current('u').finish(cancelled)
    await world.settle()
    expect(world.log.problems).toHaveLength(1)
  })

  it('goes on when a sync function throws', async () => {
    const world = setUp()
    world.syncer.onCall = () => {
      throw new Error('defect')
    }
    await created(world)
    expect(world.log.problems).toEqual(['sync of a pod threw', 'error syncing pod, skipping'])
    expect(world.trace.data('worker.syncFinished')[0]).toMatchObject({
      outcome: 'error',
      message: 'defect',
    })
    world.syncer.onCall = () => undefined
    world.workers.updatePod({ updateType: 'sync', pod, causes: [] })
    await world.settle()
    expect(world.syncer.open).toHaveLength(2)
  })

  it('moves a pod that ended by itself to terminating, at once and without a grace', async () => {
    const world = setUp()
    await created(world)
    world.syncer.current('u').finish({ ok: true, value: { isTerminal: true } })
    await world.settle()
    expect(world.record('u')).toMatchObject({
      terminatingAt: 1000,
      terminatingBecause: 'ended by itself',
      startedTerminating: true,
      gracePeriodSeconds: 0,
      deleted: false,
      evicted: false,
    })
    expect(world.syncer.current('u').kind).toBe('terminating')
    expect(world.syncer.current('u').work['gracePeriodSeconds']).toBeUndefined()
    expect(world.trace.data('worker.requeued')).toEqual([{ delayMs: 0, why: 'transition' }])
    expect(world.trace.data('worker.syncFinished')[0]?.outcome).toBe('terminal')
  })

  it('counts a pod that ended by itself as acknowledged before its containers are stopped', async () => {
    const world = setUp()
    await created(world)
    world.podCache.fail('u', 'no status')
    world.syncer.current('u').finish({ ok: true, value: { isTerminal: true } })
    await world.settle()
    expect(world.syncer.open).toEqual([])
    expect(world.workers.shouldPodContainersBeTerminating('u')).toBe(true)
  })

  it('keeps the time of a request that came while the pod ended by itself', async () => {
    const world = setUp()
    await created(world)
    await world.clock.advance(100)
    world.workers.updatePod({ updateType: 'kill', pod, causes: [] })
    await world.clock.advance(100)
    world.syncer.current('u').finish({ ok: true, value: { isTerminal: true } })
    await world.settle()
    expect(world.record('u')).toMatchObject({
      terminatingAt: 1100,
      terminatingBecause: 'killed',
      startedTerminating: true,
    })
    expect(world.syncer.current('u').work['gracePeriodSeconds']).toBe(30)
  })

  it('acknowledges the end when SyncTerminatingPod begins, not when it is asked for', async () => {
    const world = setUp()
    await created(world)
    world.workers.updatePod({ updateType: 'kill', pod, causes: [] })
    expect(world.record('u').startedTerminating).toBe(false)
    world.syncer.current('u').finish(cancelled)
    await world.settle()
    expect(world.record('u').startedTerminating).toBe(true)
    world.syncer.current('u').finish(failed('no'))
    await world.settle()
    world.workers.updatePod({ updateType: 'sync', pod, causes: [] })
    await world.settle()
    expect(world.trace.data('worker.acknowledgedTerminating')).toHaveLength(1)
  })

  it('stays terminating until the containers have stopped, then calls back', async () => {
    const world = setUp()
    let completed = 0
    const killPodOptions = { onCompleted: () => completed++ }
    world.workers.updatePod({ updateType: 'kill', pod, killPodOptions, causes: [] })
    await world.settle()
    world.syncer.current('u').finish(failed('container is still running'))
    await world.settle()
    expect(completed).toBe(0)
    expect(world.record('u').terminatedAt).toBeUndefined()
    await world.clock.advance(10_000)
    world.workers.updatePod({ updateType: 'sync', pod, causes: [] })
    await world.settle()
    world.syncer.current('u').finish()
    await world.settle()
    expect(completed).toBe(1)
    expect(world.record('u').terminatedAt).toBe(11_000)
    expect(world.syncer.current('u').kind).toBe('terminated')
  })

  it('repeats SyncTerminatedPod until it succeeds', async () => {
    const world = setUp()
    world.workers.updatePod({ updateType: 'kill', pod, causes: [] })
    await world.settle()
    world.syncer.current('u').finish()
    await world.settle()
    world.syncer.current('u').finish(failed('volumes are mounted'))
    await world.settle()
    expect(world.record('u')).toMatchObject({ finished: false, working: false })
    world.workers.updatePod({ updateType: 'sync', pod, causes: [] })
    await world.settle()
    world.syncer.current('u').finish()
    await world.settle()
    expect(world.record('u').finished).toBe(true)
    expect(world.syncer.kinds).toEqual(['terminating u', 'terminated u', 'terminated u'])
  })

  it('remembers the mirror of an earlier update for its replays', async () => {
    const world = setUp()
    const fixed = fakeStaticPod({ uid: 's' })
    const mirrorPod = fakeMirrorOf(fixed)
    world.workers.updatePod({ updateType: 'create', pod: fixed, mirrorPod, causes: [] })
    await world.settle()
    world.syncer.current('s').finish()
    await world.settle()
    world.workers.updatePod({ updateType: 'sync', pod: fixed, causes: [] })
    await world.settle()
    world.syncer.current('s').finish()
    await world.settle()
    expect(world.record('s').activeUpdate).toEqual({
      pod: fixed,
      mirrorPod,
      runningPod: undefined,
      killPodOptions: undefined,
    })
  })

  it('drops evict from what it remembers when a plain kill follows, but not from the record', async () => {
    const world = setUp()
    const evict = { evict: true, gracePeriodSecondsOverride: 9 }
    world.workers.updatePod({ updateType: 'kill', pod, killPodOptions: evict, causes: [] })
    await world.settle()
    expect(world.record('u').activeUpdate?.killPodOptions).toEqual(evict)
    world.workers.updatePod({ updateType: 'kill', pod, causes: [] })
    world.syncer.current('u').finish(failed('no'))
    await world.settle()
    expect(world.record('u').activeUpdate?.killPodOptions).toEqual({
      gracePeriodSecondsOverride: 9,
    })
    expect(world.record('u').evicted).toBe(true)
  })
})

describe('static pods of one full name (semantics 4.5)', () => {
  const first = fakeStaticPod({ uid: 'first' })
  const second = fakeStaticPod({ uid: 'second' })
  const third = fakeStaticPod({ uid: 'third' })

  async function firstRuns(world: World): Promise<void> {
    world.workers.updatePod({ updateType: 'create', pod: first, causes: [] })
    await world.settle()
    world.syncer.current('first').finish()
    await world.settle()
  }

  async function ends(world: World, uid: string): Promise<void> {
    for (const kind of ['terminating', 'terminated']) {
      expect(world.syncer.current(uid).kind).toBe(kind)
      world.syncer.current(uid).finish()
      await world.settle()
    }
  }

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

  it('lets the new version wait for the old one, and asks again every 10 s', async () => {
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

  it('passes over one that is to end, even before its own worker has noticed', async () => {
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

  it('tells of waiting once for each uid that stands before it', async () => {
    const world = setUp()
    await firstRuns(world)
    world.workers.updatePod({ updateType: 'create', pod: second, causes: [] })
    await world.settle()
    for (let round = 0; round < 3; round++) {
      await world.clock.advance(10_001)
      await tick(world)
    }
    expect(world.trace.data('worker.waiting')).toEqual([{ blockedByUid: 'first' }])
    expect(world.trace.data('worker.requeued').filter(({ why }) => why === 'waiting')).toHaveLength(
      4,
    )
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
    expect([...world.workers.table.staticStart.started]).toEqual([['web-node_default', 'second']])
  })

  it('protects the mirror of the started one only while it stops', async () => {
    const world = setUp()
    const guard = () => world.workers.isPodForMirrorPodTerminatingByFullName('web-node_default')
    expect(guard()).toBe(false)
    await firstRuns(world)
    expect(guard()).toBe(false)
    world.workers.updatePod({ updateType: 'kill', pod: first, causes: [] })
    expect(guard()).toBe(true)
    await world.settle()
    expect(guard()).toBe(true)
    world.syncer.current('first').finish()
    await world.settle()
    expect(guard()).toBe(false)
  })
})
