import { describe, expect, it } from 'vitest'
import { ok } from '../../../src/shared/result.ts'
import {
  containerStatusOf,
  runtimeStatusOf,
  sandboxOf,
} from '../../../src/main/kubelet/container/fake-pods.ts'
import { fakePod } from '../../../src/main/kubelet/pod/fake-pod.ts'
import { cancelled } from '../../../src/main/kubelet/workers/fake-pod-syncer.ts'
import { fakeRunningPod } from '../../../src/main/kubelet/workers/fake-workers.ts'
import type { UpdatePodOptions } from '../../../src/main/kubelet/workers/update-pod-options.ts'
import { newWorkerRecord, replacePending } from '../../../src/main/kubelet/workers/worker-record.ts'
import {
  watchedWorlds,
  pod,
  deleting,
  inPhase,
  update,
  running,
  terminating,
  terminated,
  finished,
  second,
  staticName,
  secondWaits,
} from './worker-fixture.ts'
import type { World } from './worker-fixture.ts'

const setUp = watchedWorlds()

describe('pod-workers#updatepod', () => {
  it('A: ignores a pod that only the runtime knows, except to kill it', async () => {
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

  it('B: looks at the cache only for a uid that it has never seen', async () => {
    const world = setUp()
    await running(world)
    await update(world, { updateType: 'update', pod: inPhase('Failed') })
    expect(world.syncer.current('u').kind).toBe('terminating')
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

  it('E: ignores every update once it has finished, and never notifies', async () => {
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
  describe('F: transition to terminating, the first that applies', () => {
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

    it('runtime pod before all others', async () => {
      const world = setUp()
      await update(world, {
        updateType: 'kill',
        runningPod: fakeRunningPod('u'),
        killPodOptions: evict,
      })
      expect(world.record('u')).toMatchObject({
        deleted: true,
        evicted: false,
        terminatingBecause: 'runtime pod without config',
      })
    })
  })

  it('F: keeps the first reason of a termination, even after an eviction', async () => {
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

  it('F: does not count the REMOVE of an API pod as deleted; housekeeping does', async () => {
    const world = setUp()
    await terminating(world)
    expect(world.record('u').deleted).toBe(false)
    world.workers.syncKnownPods([])
    expect(world.record('u').deleted).toBe(true)
  })

  describe('G: kill options', () => {
    interface Row {
      readonly state: string
      readonly reach: (world: World) => Promise<void>
      readonly who: 'pod' | 'runtime pod'
      readonly type: 'kill' | 'sync'
      /** Called back in the same turn, whether the options are kept, and the grace in the record. */
      readonly isTold: boolean
      readonly kept: UpdatePodOptions['killPodOptions']
      readonly grace: number
    }
    const kept = { evict: true, gracePeriodSecondsOverride: 7 }
    it.each<Row>([
      {
        state: 'terminated',
        reach: terminated,
        who: 'pod',
        type: 'kill',
        isTold: true,
        kept: undefined,
        grace: 30,
      },
      {
        state: 'terminated',
        reach: terminated,
        who: 'runtime pod',
        type: 'kill',
        isTold: false,
        kept: undefined,
        grace: 30,
      },
      {
        state: 'termination requested',
        reach: terminating,
        who: 'pod',
        type: 'kill',
        isTold: false,
        kept,
        grace: 7,
      },
      {
        state: 'termination requested just now',
        reach: running,
        who: 'pod',
        type: 'kill',
        isTold: false,
        kept,
        grace: 7,
      },
      {
        state: 'sync',
        reach: running,
        who: 'pod',
        type: 'sync',
        isTold: true,
        kept: undefined,
        grace: 0,
      },
    ])('$type of a $who, $state', async ({ reach, who, type, isTold, kept: left, grace }) => {
      const world = setUp()
      await reach(world)
      let completed = 0
      world.workers.updatePod({
        updateType: type,
        ...(who === 'pod' ? { pod } : { runningPod: fakeRunningPod('u') }),
        killPodOptions: { ...kept, onCompleted: () => completed++ },
        causes: [],
      })
      expect(completed).toBe(isTold ? 1 : 0)
      expect(world.record('u').pendingUpdate?.killPodOptions).toEqual(left)
      expect(world.record('u').gracePeriodSeconds).toBe(grace)
    })
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

  it('H: creates one signal for a uid, and queues a static pod once', async () => {
    const world = setUp()
    await secondWaits(world)
    const signal = world.workers.table.podUpdates.get('second')
    await update(world, { updateType: 'update', pod: second })
    expect(world.workers.table.podUpdates.get('second')).toBe(signal)
    expect([...world.workers.table.staticPodStart.waitingToStart]).toEqual([
      [staticName, ['second']],
    ])
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

  it('J: names at most the newest 32 causes of updates that were coalesced', () => {
    const record = newWorkerRecord({ uid: 'u', name: 'web', namespace: 'default', now: 1 })
    for (let cause = 1; cause <= 100; cause++)
      replacePending(record, { updateType: 'sync', pod, causes: [cause] })
    expect(record.pendingUpdate?.causes).toEqual(Array.from({ length: 32 }, (_, i) => 69 + i))
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

  it('L: cancels the sync under way when the pod terminates', async () => {
    const world = setUp()
    world.workers.updatePod({ updateType: 'create', pod, causes: [] })
    await world.settle()
    const call = world.syncer.current('u')
    world.workers.updatePod({ updateType: 'update', pod, causes: [] })
    expect(call.cancellation.isCancelled()).toBe(false)
    world.workers.updatePod({ updateType: 'kill', pod, causes: [] })
    expect(call.cancellation.isCancelled()).toBe(true)
    // Only the update that breaks a sync off says so, and once.
    world.workers.updatePod({ updateType: 'kill', pod, causes: [] })
    expect(world.trace.data('worker.updated').map(({ cancels }) => cancels)).toEqual([
      undefined,
      undefined,
      true,
      undefined,
    ])
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

  it('L: also cancels when an override makes the grace longer after a deletion with 0 s', async () => {
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
