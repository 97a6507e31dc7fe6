import { afterEach, describe, expect, it } from 'vitest'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { sandboxOf, containerStatusOf, runtimeStatusOf } from '../container/fake-pods.ts'
import { ok } from '../../../shared/result.ts'
import { fakePod, fakeStaticPod } from '../pod/fake-pod.ts'
import { cancelled } from './fake-pod-syncer.ts'
import { fakeRunningPod, setUpWorkers } from './fake-workers.ts'

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
const deleting = (graceSeconds: number, over: Pod = pod): Pod => ({
  ...over,
  metadata: {
    ...over.metadata,
    deletionTimestamp: '2026-01-01T00:00:00Z',
    deletionGracePeriodSeconds: graceSeconds,
  },
})
const inPhase = (phase: 'Failed' | 'Succeeded', over: Pod = pod): Pod => ({
  ...over,
  status: { phase },
})

/** A pod whose first sync is over. */
async function running(world: World, which: Pod = pod): Promise<void> {
  world.workers.updatePod({ updateType: 'create', pod: which, causes: [] })
  await world.settle()
  world.syncer.current(which.metadata.uid).finish()
  await world.settle()
}

/** A pod whose containers are being stopped. */
async function terminating(world: World, which: Pod = pod): Promise<void> {
  await running(world, which)
  world.workers.updatePod({ updateType: 'kill', pod: which, causes: [] })
  await world.settle()
  expect(world.syncer.current(which.metadata.uid).kind).toBe('terminating')
}

async function terminated(world: World, which: Pod = pod): Promise<void> {
  await terminating(world, which)
  world.syncer.current(which.metadata.uid).finish()
  await world.settle()
  expect(world.syncer.current(which.metadata.uid).kind).toBe('terminated')
}

async function finished(world: World, which: Pod = pod): Promise<void> {
  await terminated(world, which)
  world.syncer.current(which.metadata.uid).finish()
  await world.settle()
  expect(world.record(which.metadata.uid).finished).toBe(true)
}

describe('updatePod (semantics 4.4)', () => {
  it('A: ignores what only the runtime knows, unless it is to be killed', async () => {
    const world = setUp()
    for (const updateType of ['create', 'update', 'sync'] as const)
      world.workers.updatePod({ updateType, runningPod: fakeRunningPod('r'), causes: [] })
    await world.settle()
    expect(world.workers.recordUids()).toEqual([])
    expect(world.log.problems).toHaveLength(3)
  })

  it('A: drops the running pod when a pod is given too', async () => {
    const world = setUp()
    const runningPod = fakeRunningPod('u')
    world.workers.updatePod({ updateType: 'kill', pod, runningPod, causes: [] })
    await world.settle()
    expect(world.syncer.kinds).toEqual(['terminating u'])
    expect(world.record('u').observedRuntime).toBe(false)
  })

  it('B: makes a record for a new uid, started at its first sync', async () => {
    const world = setUp()
    world.workers.updatePod({ updateType: 'create', pod, causes: [] })
    expect(world.record('u')).toMatchObject({
      fullName: 'web_default',
      syncedAt: 1000,
      startedAt: undefined,
      working: true,
      terminatingAt: undefined,
    })
    await world.settle()
    expect(world.record('u')).toMatchObject({ startedAt: 1000, working: true })
    world.syncer.current('u').finish()
    await world.settle()
    expect(world.record('u').working).toBe(false)
  })

  it.each(['Failed', 'Succeeded'] as const)(
    'B: takes a %s pod of which nothing runs as terminated, and only cleans it up',
    async (phase) => {
      const world = setUp()
      const exited = containerStatusOf('c', 'exited')
      const sandbox = sandboxOf({ state: 'notready' })
      world.podCache.answers.set('u', ok(runtimeStatusOf([exited], [sandbox])))
      world.workers.updatePod({ updateType: 'create', pod: inPhase(phase), causes: [] })
      expect(world.record('u')).toMatchObject({
        terminatingAt: 1000,
        terminatedAt: 1000,
        startedTerminating: true,
        finished: false,
      })
      await world.settle()
      expect(world.syncer.kinds).toEqual(['terminated u'])
      world.syncer.current('u').finish()
      await world.settle()
      expect(world.record('u').finished).toBe(true)
    },
  )

  it('B: takes a terminal pod that the cache does not know as terminated too', () => {
    const world = setUp()
    world.workers.updatePod({ updateType: 'create', pod: inPhase('Failed'), causes: [] })
    expect(world.record('u').terminatedAt).toBe(1000)
  })

  it.each([
    ['a container runs', ok(runtimeStatusOf([containerStatusOf('c', 'running')]))],
    ['a sandbox is ready', ok(runtimeStatusOf([], [sandboxOf()]))],
  ])('B: stops a terminal pod first when %s', async (_, answer) => {
    const world = setUp()
    world.podCache.answers.set('u', answer)
    world.workers.updatePod({ updateType: 'create', pod: inPhase('Failed'), causes: [] })
    expect(world.record('u')).toMatchObject({ terminatingAt: 1000, terminatedAt: undefined })
    await world.settle()
    expect(world.syncer.kinds).toEqual(['terminating u'])
  })

  it('B: stops a terminal pod first when the cache has an error', () => {
    const world = setUp()
    world.podCache.fail('u', 'no answer')
    world.workers.updatePod({ updateType: 'create', pod: inPhase('Failed'), causes: [] })
    expect(world.record('u')).toMatchObject({
      terminatingAt: 1000,
      terminatedAt: undefined,
      terminatingBecause: 'terminal phase',
    })
  })

  it('C: drives a runtime pod to its end and forgets it', async () => {
    const world = setUp()
    const runningPod = fakeRunningPod('r')
    world.workers.updatePod({
      updateType: 'kill',
      runningPod,
      killPodOptions: { gracePeriodSecondsOverride: 1 },
      causes: [],
    })
    expect(world.record('r')).toMatchObject({
      observedRuntime: true,
      deleted: true,
      terminatingAt: 1000,
      terminatingBecause: 'runtime pod without config',
      gracePeriodSeconds: 1,
    })
    await world.settle()
    expect(world.syncer.kinds).toEqual(['runtimePod r'])
    expect(world.record('r').startedAt).toBeUndefined()
    expect(world.podCache.asked).toEqual([])
    world.syncer.current('r').finish()
    await world.settle()
    expect(world.workers.recordUids()).toEqual([])
    expect(world.trace.data('worker.forgotten')).toEqual([{ why: 'runtimePod' }])
  })

  it('C: uses the pod of the pending update, or of the last one, instead of the running pod', async () => {
    const world = setUp()
    world.workers.updatePod({ updateType: 'create', pod, causes: [] })
    const kill = { updateType: 'kill', runningPod: fakeRunningPod('u'), causes: [] } as const
    world.workers.updatePod(kill)
    await world.settle()
    expect(world.syncer.kinds).toEqual(['terminating u'])
    expect(world.syncer.current('u').work['pod']).toBe(pod)
    expect(world.record('u')).toMatchObject({ observedRuntime: true, deleted: true })

    const other = fakePod({ uid: 'v' })
    await running(world, other)
    world.workers.updatePod({ ...kill, runningPod: fakeRunningPod('v') })
    await world.settle()
    expect(world.syncer.current('v')).toMatchObject({ kind: 'terminating', uid: 'v' })
    expect(world.syncer.current('v').work['pod']).toBe(other)
  })

  it('D: remembers a create while it stops, and drops its content', async () => {
    const world = setUp()
    await terminating(world)
    let completed = 0
    world.workers.updatePod({
      updateType: 'create',
      pod,
      killPodOptions: { onCompleted: () => completed++ },
      causes: [],
    })
    expect(world.record('u')).toMatchObject({ restartRequested: true, pendingUpdate: undefined })
    expect(completed).toBe(0)
    expect(world.trace.data('worker.updated').at(-1)).toMatchObject({
      outcome: 'restartRequested',
    })
  })

  it('D: does not take the first create of a terminal pod as a restart', () => {
    const world = setUp()
    world.workers.updatePod({ updateType: 'create', pod: inPhase('Failed'), causes: [] })
    expect(world.record('u')).toMatchObject({ restartRequested: false, working: true })
  })

  it('E: ignores everything once it has finished, and never calls back', async () => {
    const world = setUp()
    await finished(world)
    let completed = 0
    for (const updateType of ['update', 'sync', 'kill'] as const)
      world.workers.updatePod({
        updateType,
        pod,
        killPodOptions: { onCompleted: () => completed++ },
        causes: [],
      })
    await world.settle()
    expect(world.syncer.open).toEqual([])
    expect(completed).toBe(0)
    expect(world.trace.data('worker.updated').slice(-3)).toEqual(
      (['update', 'sync', 'kill'] as const).map((updateType) => ({
        updateType,
        outcome: 'ignored',
        transition: '',
        gracePeriodSeconds: 30,
        message: 'the worker has finished',
      })),
    )
  })

  const evict = { evict: true }
  it.each([
    ['deletionTimestamp', { updateType: 'update', pod: deleting(10) }, { deleted: true }, 10],
    [
      'deletionTimestamp',
      { updateType: 'kill', pod: deleting(10), killPodOptions: evict },
      { deleted: true },
      10,
    ],
    ['terminal phase', { updateType: 'sync', pod: inPhase('Failed') }, {}, 30],
    [
      'terminal phase',
      { updateType: 'kill', pod: inPhase('Succeeded'), killPodOptions: evict },
      {},
      30,
    ],
    ['evicted', { updateType: 'kill', pod, killPodOptions: evict }, { evicted: true }, 30],
    ['killed', { updateType: 'kill', pod, killPodOptions: { evict: false } }, {}, 30],
    ['killed', { updateType: 'kill', pod }, {}, 30],
  ] as const)('F: asks for the end because of %s (%#)', async (why, update, flags, grace) => {
    const world = setUp()
    await running(world)
    await world.clock.advance(500)
    world.workers.updatePod({ ...update, causes: [] })
    expect(world.record('u')).toMatchObject({
      terminatingAt: 1500,
      terminatingBecause: why,
      deleted: false,
      evicted: false,
      ...flags,
      gracePeriodSeconds: grace,
    })
    expect(world.trace.data('worker.transitioned')).toEqual([{ to: 'terminating', why }])
  })

  it('F: changes nothing about the reason once it is asked for, not even by an eviction', async () => {
    const world = setUp()
    await terminating(world)
    await world.clock.advance(100)
    world.workers.updatePod({ updateType: 'kill', pod, killPodOptions: evict, causes: [] })
    world.workers.updatePod({ updateType: 'update', pod: deleting(5), causes: [] })
    expect(world.record('u')).toMatchObject({
      terminatingAt: 1000,
      terminatingBecause: 'killed',
      evicted: false,
      deleted: false,
      gracePeriodSeconds: 5,
    })
  })

  it('G: calls back at once when the update stops nothing, and drops the options', async () => {
    const world = setUp()
    let completed = 0
    world.workers.updatePod({
      updateType: 'sync',
      pod,
      killPodOptions: { onCompleted: () => completed++, gracePeriodSecondsOverride: 5 },
      causes: [],
    })
    expect(completed).toBe(1)
    expect(world.record('u')).toMatchObject({ gracePeriodSeconds: 0 })
    expect(world.record('u').pendingUpdate?.killPodOptions).toBeUndefined()
  })

  it('G: keeps callbacks and status functions of all kills, calls all, applies the last', async () => {
    const world = setUp()
    const called: string[] = []
    const kill = (name: string) => ({
      onCompleted: () => called.push(name),
      podStatusFunc: () => ({ reason: name }),
    })
    world.workers.updatePod({ updateType: 'kill', pod, killPodOptions: kill('a'), causes: [] })
    world.workers.updatePod({ updateType: 'kill', pod, killPodOptions: kill('b'), causes: [] })
    await world.settle()
    const { work } = world.syncer.current('u')
    expect((work['podStatusFunc'] as () => unknown)()).toEqual({ reason: 'b' })
    expect(called).toEqual([])
    world.syncer.current('u').finish()
    await world.settle()
    expect(called).toEqual(['a', 'b'])
    expect(world.record('u')).toMatchObject({
      notifyPostTerminating: [],
      statusPostTerminating: [],
    })
  })

  it('G: calls back at once when it has stopped already', async () => {
    const world = setUp()
    await terminated(world)
    let completed = 0
    const killPodOptions = { onCompleted: () => completed++ }
    world.workers.updatePod({ updateType: 'kill', pod, killPodOptions, causes: [] })
    expect(completed).toBe(1)
    expect(world.record('u').pendingUpdate?.killPodOptions).toBeUndefined()
  })

  it('G: ignores a runtime pod that has stopped already: the list was old', async () => {
    const world = setUp()
    await terminated(world)
    let completed = 0
    world.workers.updatePod({
      updateType: 'kill',
      runningPod: fakeRunningPod('u'),
      killPodOptions: { onCompleted: () => completed++ },
      causes: [],
    })
    expect(completed).toBe(0)
    expect(world.record('u').pendingUpdate).toBeUndefined()
  })

  it('G: hands the grace in use to SyncTerminatingPod', async () => {
    const world = setUp()
    const killPodOptions = { gracePeriodSecondsOverride: 7 }
    world.workers.updatePod({ updateType: 'kill', pod, killPodOptions, causes: [] })
    await world.settle()
    expect(world.syncer.current('u').work['gracePeriodSeconds']).toBe(7)
    world.workers.updatePod({ updateType: 'update', pod: deleting(20), causes: [] })
    world.syncer.current('u').finish(cancelled)
    await world.settle()
    expect(world.syncer.current('u').work['gracePeriodSeconds']).toBe(7)
    expect(world.record('u').gracePeriodSeconds).toBe(7)
  })

  it('I: keeps the oldest start time of updates that were coalesced', () => {
    const world = setUp()
    world.workers.updatePod({ updateType: 'create', pod, startTime: 10, causes: [] })
    world.workers.updatePod({ updateType: 'update', pod, startTime: 20, causes: [] })
    expect(world.record('u').pendingUpdate?.startTime).toBe(10)
    world.workers.updatePod({ updateType: 'update', pod, startTime: 5, causes: [] })
    expect(world.record('u').pendingUpdate?.startTime).toBe(5)
  })

  it('J: coalesces to the newest update, with the causes of all', async () => {
    const world = setUp()
    const newer = fakePod({ uid: 'u', metadata: { labels: { v: '2' } } })
    world.workers.updatePod({ updateType: 'create', pod, causes: [101] })
    world.workers.updatePod({ updateType: 'update', pod: newer, causes: [102] })
    await world.settle()
    expect(world.syncer.calls).toHaveLength(1)
    expect(world.syncer.current('u').work).toMatchObject({ updateType: 'update', pod: newer })
    const [first, second, , started] = world.trace.events
    expect([first?.causes, second?.causes]).toEqual([[101], [102]])
    expect(started).toMatchObject({ kind: 'worker.syncStarted', causes: [1, 2] })
    expect(world.syncer.current('u').work['causes']).toEqual([4])
  })

  it('J: loses the mirror of an update that was overwritten before it was taken', async () => {
    const world = setUp()
    const mirrorPod = fakePod({ uid: 'm' })
    world.workers.updatePod({ updateType: 'create', pod, mirrorPod, causes: [] })
    world.workers.updatePod({ updateType: 'sync', pod, causes: [] })
    await world.settle()
    expect(world.syncer.current('u').work['mirrorPod']).toBeUndefined()
  })

  it('K: syncs again when an update came during a sync', async () => {
    const world = setUp()
    world.workers.updatePod({ updateType: 'create', pod, causes: [] })
    await world.settle()
    world.workers.updatePod({ updateType: 'update', pod, causes: [] })
    await world.settle()
    expect(world.syncer.calls).toHaveLength(1)
    world.syncer.current('u').finish()
    await world.settle()
    expect(world.syncer.calls).toHaveLength(2)
  })

  it('L: cancels the sync in hand when the pod is to end', async () => {
    const world = setUp()
    world.workers.updatePod({ updateType: 'create', pod, causes: [] })
    await world.settle()
    const call = world.syncer.current('u')
    world.workers.updatePod({ updateType: 'update', pod, causes: [] })
    expect(call.cancellation.isCancelled()).toBe(false)
    world.workers.updatePod({ updateType: 'kill', pod, causes: [] })
    expect(call.cancellation.isCancelled()).toBe(true)
    call.finish(cancelled)
    await world.settle()
    expect(world.syncer.current('u').kind).toBe('terminating')
    expect(world.syncer.current('u').cancellation.isCancelled()).toBe(false)
  })

  it('L: cancels again when the grace becomes shorter, and only then', async () => {
    const world = setUp()
    await terminating(world)
    const call = world.syncer.current('u')
    const killPodOptions = { gracePeriodSecondsOverride: 30 }
    world.workers.updatePod({ updateType: 'kill', pod, killPodOptions, causes: [] })
    expect(call.cancellation.isCancelled()).toBe(false)
    world.workers.updatePod({ updateType: 'update', pod: deleting(3), causes: [] })
    expect(call.cancellation.isCancelled()).toBe(true)
    expect(world.record('u').gracePeriodSeconds).toBe(3)
  })

  it('L: cancels, too, when beside a deletion of 0 s an override makes the grace longer', async () => {
    const world = setUp()
    await terminating(world)
    world.workers.updatePod({ updateType: 'update', pod: deleting(0), causes: [] })
    world.syncer.current('u').finish(cancelled)
    await world.settle()
    const call = world.syncer.current('u')
    expect(call.work['gracePeriodSeconds']).toBe(1)
    const killPodOptions = { gracePeriodSecondsOverride: 20 }
    world.workers.updatePod({ updateType: 'kill', pod: deleting(0), killPodOptions, causes: [] })
    expect(call.cancellation.isCancelled()).toBe(true)
    call.finish(cancelled)
    await world.settle()
    expect(world.syncer.current('u').work['gracePeriodSeconds']).toBe(20)
    // The next update without an override takes it back.
    world.workers.updatePod({ updateType: 'sync', pod: deleting(0), causes: [] })
    expect(world.record('u').gracePeriodSeconds).toBe(1)
  })

  it('ignores updates after it was stopped, and ends its loops', async () => {
    const world = setUp()
    await running(world)
    world.workers.stop()
    world.workers.updatePod({ updateType: 'kill', pod, causes: [] })
    world.workers.updatePod({ updateType: 'create', pod: fakePod({ uid: 'v' }), causes: [] })
    await world.settle()
    expect(world.syncer.open).toEqual([])
    expect(world.workers.recordUids()).toEqual(['u'])
  })
})

describe('the way of a pod', () => {
  it('goes from sync through terminating and terminated to finished, and is then forgotten', async () => {
    const world = setUp()
    await finished(world)
    expect(world.syncer.kinds).toEqual(['sync u', 'terminating u', 'terminated u'])
    expect(world.trace.data('worker.transitioned')).toEqual([
      { to: 'terminating', why: 'killed' },
      { to: 'terminated', why: 'its containers have stopped' },
      { to: 'finished', why: 'cleaned up' },
    ])
    expect(world.workers.syncKnownPods([pod]).get('u')).toEqual({
      state: 'terminated',
      orphan: false,
      hasConfig: true,
      static: false,
    })
    expect(world.workers.syncKnownPods([]).size).toBe(0)
    expect(world.workers.recordUids()).toEqual([])
    expect(world.trace.data('worker.forgotten')).toEqual([{ why: 'orphan' }])
  })

  it('lets a regular pod of the same full name run beside another', async () => {
    const world = setUp()
    await running(world)
    world.workers.updatePod({ updateType: 'create', pod: fakePod({ uid: 'v' }), causes: [] })
    await world.settle()
    expect(world.syncer.current('v').kind).toBe('sync')
  })

  it('starts a regular pod that is deleted already by stopping it', async () => {
    const world = setUp()
    world.workers.updatePod({ updateType: 'create', pod: deleting(5), causes: [] })
    await world.settle()
    expect(world.syncer.current('u')).toMatchObject({ kind: 'terminating' })
    expect(world.record('u').startedAt).toBe(1000)
  })

  it('names the whole chain of causes from an update to the end', async () => {
    const world = setUp()
    const root = world.trace.emit({
      kind: 'command.received',
      subject: { kind: 'cluster' },
      causes: [],
      data: { act: 'kill', gracePeriodSeconds: null },
    })
    world.workers.updatePod({ updateType: 'kill', pod, causes: [root] })
    await world.settle()
    world.syncer.current('u').finish()
    await world.settle()
    world.syncer.current('u').finish()
    await world.settle()
    const found: string[] = []
    let seq: number | undefined = world.trace.events.length
    while (seq !== undefined) {
      found.unshift(world.trace.events[seq - 1]?.kind ?? '?')
      seq = world.trace.causesOf(seq)?.[0]
    }
    expect(found).toEqual([
      'command.received',
      'worker.updated',
      'worker.transitioned',
      'worker.syncStarted',
      'worker.syncFinished',
      'worker.transitioned',
      'worker.syncStarted',
      'worker.syncFinished',
      'worker.transitioned',
    ])
  })
})

describe('same uid again (semantics 4.9)', () => {
  it('is forgotten although it is desired once it has finished, to start anew', async () => {
    const world = setUp()
    await terminating(world)
    world.workers.updatePod({ updateType: 'create', pod, causes: [] })
    expect(world.workers.syncKnownPods([pod]).get('u')?.state).toBe('terminating')
    world.syncer.current('u').finish()
    await world.settle()
    expect(world.workers.workerView('u')?.state).toBe('TerminatedAndRecreatedPod')
    world.syncer.current('u').finish()
    await world.settle()
    expect(world.workers.workerView('u')?.state).toBe('TerminatedAndRecreatedPod')
    expect(world.workers.syncKnownPods([pod]).has('u')).toBe(false)
    expect(world.trace.data('worker.forgotten')).toEqual([{ why: 'restartRequested' }])
    await running(world)
    expect(world.workers.workerView('u')?.state).toBe('SyncPod')
  })

  it('is asked for by a create after it has finished, too', async () => {
    const world = setUp()
    await finished(world)
    world.workers.updatePod({ updateType: 'create', pod, causes: [] })
    expect(world.record('u').restartRequested).toBe(true)
    expect(world.workers.syncKnownPods([pod]).has('u')).toBe(false)
  })

  it('is not asked for by updates and syncs, which count as kills', async () => {
    const world = setUp()
    await terminating(world)
    world.workers.updatePod({ updateType: 'update', pod, causes: [] })
    world.workers.updatePod({ updateType: 'sync', pod, causes: [] })
    expect(world.record('u')).toMatchObject({ restartRequested: false })
    expect(world.record('u').pendingUpdate?.killPodOptions).toEqual({
      gracePeriodSecondsOverride: 30,
    })
  })
})

describe('syncKnownPods (semantics 4.10)', () => {
  it('leaves desired pods alone and reports them', async () => {
    const world = setUp()
    await running(world)
    const fixed = fakeStaticPod({ uid: 's' })
    await running(world, fixed)
    expect([...world.workers.syncKnownPods([pod, fixed])]).toEqual([
      ['u', { state: 'sync', orphan: false, hasConfig: true, static: false }],
      ['s', { state: 'sync', orphan: false, hasConfig: true, static: true }],
    ])
  })

  it('ends an orphan that runs, with the pod’s own grace, which the replay does not carry', async () => {
    const world = setUp()
    await running(world)
    await world.clock.advance(1000)
    const workers = world.workers.syncKnownPods([], () => [77])
    expect(workers.get('u')).toEqual({
      state: 'terminating',
      orphan: true,
      hasConfig: true,
      static: false,
    })
    expect(world.record('u')).toMatchObject({
      deleted: true,
      terminatingAt: 2000,
      terminatingBecause: 'orphan: no longer in any source',
      gracePeriodSeconds: 30,
    })
    await world.settle()
    expect(world.syncer.current('u')).toMatchObject({ kind: 'terminating' })
    expect(world.syncer.current('u').work['gracePeriodSeconds']).toBeUndefined()
    expect(
      world.trace.events.find((event) => event.kind === 'worker.transitioned')?.causes,
    ).toEqual([77])
  })

  it('does not cancel the SyncPod of an orphan', async () => {
    const world = setUp()
    world.workers.updatePod({ updateType: 'create', pod, causes: [] })
    await world.settle()
    world.workers.syncKnownPods([])
    expect(world.syncer.current('u').cancellation.isCancelled()).toBe(false)
    world.syncer.current('u').finish()
    await world.settle()
    expect(world.syncer.current('u').kind).toBe('terminating')
  })

  it('repeats the last update of an orphan that is ending, as nobody else does', async () => {
    const world = setUp()
    await terminating(world)
    world.syncer.current('u').finish({ ok: false, error: { kind: 'failed', message: 'no' } })
    await world.settle()
    expect(world.syncer.open).toEqual([])
    world.workers.syncKnownPods([])
    expect(world.record('u')).toMatchObject({ deleted: true })
    await world.settle()
    expect(world.syncer.current('u').kind).toBe('terminating')
  })

  it('forgets an orphan that never started; its worker ends without a sync', async () => {
    const world = setUp()
    await running(world, fakeStaticPod({ uid: 'first' }))
    world.workers.updatePod({
      updateType: 'create',
      pod: fakeStaticPod({ uid: 'second' }),
      causes: [],
    })
    await world.settle()
    const workers = world.workers.syncKnownPods([fakeStaticPod({ uid: 'first' })])
    expect([...workers.keys()]).toEqual(['first'])
    await world.clock.advance(20_000)
    expect(world.workers.recordUids()).toEqual(['first'])
    expect(world.syncer.kinds).toEqual(['sync first'])
  })

  it('forgets an update that was not taken yet, when its pod is not desired', async () => {
    const world = setUp()
    world.workers.updatePod({ updateType: 'create', pod, causes: [] })
    world.workers.syncKnownPods([])
    await world.settle()
    expect(world.syncer.calls).toEqual([])
    expect(world.workers.recordUids()).toEqual([])
  })

  it('lets no worker of a forgotten uid sync for the record that followed in the same turn', async () => {
    const world = setUp()
    world.workers.updatePod({ updateType: 'create', pod, causes: [] })
    world.workers.syncKnownPods([])
    world.workers.updatePod({ updateType: 'create', pod, causes: [] })
    await world.settle()
    expect(world.record('u').working).toBe(true)
    world.workers.updatePod({ updateType: 'update', pod, causes: [] })
    await world.settle()
    expect(world.syncer.open).toHaveLength(1)
  })

  it('does not forget a runtime pod that is being stopped', async () => {
    const world = setUp()
    world.workers.updatePod({
      updateType: 'kill',
      runningPod: fakeRunningPod('r'),
      causes: [],
    })
    await world.settle()
    expect(world.workers.syncKnownPods([]).get('r')).toEqual({
      state: 'terminating',
      orphan: true,
      hasConfig: false,
      static: false,
    })
    world.syncer.current('r').finish()
    await world.settle()
    expect(world.workers.recordUids()).toEqual([])
  })

  it('asks for causes only when it does something', async () => {
    const world = setUp()
    await running(world)
    let asked = 0
    const causes = () => {
      asked++
      return []
    }
    world.workers.syncKnownPods([pod], causes)
    expect(asked).toBe(0)
    world.workers.syncKnownPods([], causes)
    expect(asked).toBe(1)
  })
})
