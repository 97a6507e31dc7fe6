import { describe, expect, it } from 'vitest'
import { fakeMirrorOf, fakePod, fakeStaticPod } from '../../../src/main/kubelet/pod/fake-pod.ts'
import { cancelled, failed } from '../../../src/main/kubelet/workers/fake-pod-syncer.ts'
import type { SyncEnd } from '../../../src/main/kubelet/workers/fake-pod-syncer.ts'
import { fakeRunningPod } from '../../../src/main/kubelet/workers/fake-workers.ts'
import type { WorkerRecord } from '../../../src/main/kubelet/workers/worker-record.ts'
import {
  watchedWorlds,
  pod,
  update,
  end,
  created,
  terminating,
  terminated,
  stoppingRuntimePod,
} from './worker-fixture.ts'
import type { World } from './worker-fixture.ts'

const setUp = watchedWorlds()

describe('pod-workers#worker-loop', () => {
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

  it('does not read a status for a pod that only the runtime knows', async () => {
    const world = setUp()
    world.podCache.fail('u', 'inspection failed')
    await stoppingRuntimePod(world)
    expect(world.podCache.asked).toEqual([])
    expect(world.syncer.current('u').kind).toBe('runtimePod')
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

  it('acknowledges the termination when SyncTerminatingPod begins, not when it is requested', async () => {
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

  describe('the result of a sync', () => {
    interface Row {
      readonly state: string
      readonly how: SyncEnd
      readonly reach: (world: World) => Promise<void>
      readonly record: Partial<WorkerRecord> | undefined
      readonly next: string | undefined
      /** The pause before it comes back in ms; undefined: the worker exits. */
      readonly pauseMs: number | undefined
      readonly problems: number
    }
    const nothing = { terminatingAt: undefined, terminatedAt: undefined, finished: false }
    it.each<Row>([
      {
        state: 'any',
        how: 'cancelled',
        reach: created,
        record: nothing,
        next: undefined,
        pauseMs: 10_000,
        problems: 0,
      },
      {
        state: 'any, wrapped in another error',
        how: 'wrapped',
        reach: created,
        record: nothing,
        next: undefined,
        pauseMs: 10_000,
        problems: 1,
      },
      {
        state: 'any',
        how: 'error',
        reach: created,
        record: nothing,
        next: undefined,
        pauseMs: 10_000,
        problems: 1,
      },
      {
        state: 'any, the network missing',
        how: 'network',
        reach: created,
        record: nothing,
        next: undefined,
        pauseMs: 1000,
        problems: 1,
      },
      {
        state: 'terminated',
        how: 'ok',
        reach: terminated,
        record: { finished: true, working: false },
        next: undefined,
        pauseMs: undefined,
        problems: 0,
      },
      {
        state: 'terminating, runtime pod',
        how: 'ok',
        reach: stoppingRuntimePod,
        record: undefined,
        next: undefined,
        pauseMs: undefined,
        problems: 0,
      },
      {
        state: 'terminating',
        how: 'ok',
        reach: terminating,
        record: { terminatedAt: 2000, finished: false, working: true },
        next: 'terminated',
        pauseMs: 0,
        problems: 0,
      },
      {
        state: 'sync',
        how: 'terminal',
        reach: created,
        record: { terminatingAt: 2000, startedTerminating: true, gracePeriodSeconds: 0 },
        next: 'terminating',
        pauseMs: 0,
        problems: 0,
      },
      {
        state: 'sync',
        how: 'ok',
        reach: created,
        record: { ...nothing, working: false },
        next: undefined,
        pauseMs: 60_000,
        problems: 0,
      },
    ])('$how in state $state', async ({ how, reach, record, next, pauseMs, problems }) => {
      const world = setUp()
      await reach(world)
      const dueBefore = world.workQueue.dueAt('u')
      await world.clock.advance(1000)
      await end(world, 'u', how)
      if (record === undefined) expect(world.workers.recordUids()).toEqual([])
      else expect(world.record('u')).toMatchObject(record)
      expect(world.syncer.open.map(({ kind }) => kind)).toEqual(next === undefined ? [] : [next])
      expect(world.workQueue.dueAt('u')).toBe(pauseMs === undefined ? dueBefore : 2000 + pauseMs)
      expect(world.workers.table.podUpdates.has('u')).toBe(pauseMs !== undefined)
      expect(world.log.problems).toHaveLength(problems)
    })
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

  it('continues when a sync function throws', async () => {
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

  it('continues when the cache throws', async () => {
    const world = setUp()
    world.podCache.onAsk = () => {
      throw new Error('defect')
    }
    await created(world)
    expect(world.log.problems).toEqual(['status of a pod threw', 'error syncing pod, skipping'])
    expect(world.recorder.lines).toEqual(['Warning FailedSync error determining status: defect'])
    expect(world.workQueue.dueAt('u')).toBe(11_000)
    world.podCache.onAsk = () => undefined
    await update(world, { updateType: 'sync', pod })
    expect(world.syncer.current('u').kind).toBe('sync')
  })

  it('moves a pod whose containers exited to terminating, at once and without a grace', async () => {
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

  it('does not call back who waits for a runtime pod', async () => {
    const world = setUp()
    let completed = 0
    await update(world, {
      updateType: 'kill',
      runningPod: fakeRunningPod('u'),
      killPodOptions: { onCompleted: () => completed++ },
    })
    await end(world, 'u')
    expect(world.workers.recordUids()).toEqual([])
    expect(completed).toBe(0)
  })

  it('repeats the last update at a transition only when no other waits', async () => {
    const world = setUp()
    await terminating(world)
    const newer = fakePod({ uid: 'u', metadata: { labels: { v: '2' } } })
    world.workers.updatePod({ updateType: 'update', pod: newer, causes: [] })
    await end(world, 'u')
    expect(world.syncer.current('u')).toMatchObject({ kind: 'terminated', work: { pod: newer } })
  })
})
