import { describe, expect, it } from 'vitest'
import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import { fakePod, fakeStaticPod } from '../../../src/main/kubelet/pod/fake-pod.ts'
import { fakeRunningPod } from '../../../src/main/kubelet/workers/fake-workers.ts'
import { killPodNow } from '../../../src/main/kubelet/workers/kill-pod.ts'
import type { KillPodRequest } from '../../../src/main/kubelet/workers/kill-pod.ts'
import type { WorkerRecord } from '../../../src/main/kubelet/workers/worker-record.ts'
import {
  watchedWorlds,
  pod,
  end,
  created,
  running,
  terminating,
  terminated,
  finished,
  stoppingRuntimePod,
  secondWaits,
} from './worker-fixture.ts'
import type { World } from './worker-fixture.ts'

const setUp = watchedWorlds()

describe('pod-workers#reuse-of-a-uid', () => {
  it('is forgotten once it has finished although it is desired, so that it starts again', async () => {
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

describe('pod-workers#syncknownpods', () => {
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

  describe('removeTerminatedWorker', () => {
    interface Row {
      readonly condition: string
      /** Undefined: done, and no worker has run. */
      readonly reach: (world: World) => Promise<void> | undefined
      readonly desired: readonly Pod[]
      readonly isRemoved: boolean
      readonly effect: Partial<WorkerRecord>
      readonly isRequeued: boolean
    }
    const stuck = async (world: World) => {
      await terminating(world)
      await end(world, 'u', 'error')
    }
    it.each<Row>([
      {
        condition: 'not finished, not orphan',
        reach: async (world) => {
          await stuck(world)
          await created(world)
        },
        desired: [pod],
        isRemoved: false,
        effect: { deleted: false, restartRequested: true },
        isRequeued: false,
      },
      {
        condition: 'not finished, orphan, never started',
        reach: (world) => {
          world.workers.updatePod({ updateType: 'create', pod, causes: [] })
          return undefined
        },
        desired: [],
        isRemoved: true,
        effect: {},
        isRequeued: false,
      },
      {
        condition: 'not finished, orphan, never started but seen in the runtime',
        reach: async (world) => {
          await stoppingRuntimePod(world)
          await end(world, 'u', 'error')
        },
        desired: [],
        isRemoved: false,
        effect: { deleted: true },
        isRequeued: true,
      },
      {
        condition: 'orphan, termination not requested',
        reach: running,
        desired: [],
        isRemoved: false,
        effect: { deleted: true, terminatingAt: 1000, gracePeriodSeconds: 30 },
        isRequeued: true,
      },
      {
        condition: 'orphan, already terminating',
        reach: stuck,
        desired: [],
        isRemoved: false,
        effect: { deleted: true, terminatingAt: 1000 },
        isRequeued: true,
      },
      {
        condition: 'orphan, already terminated',
        reach: async (world) => {
          await terminated(world)
          await end(world, 'u', 'error')
        },
        desired: [],
        isRemoved: false,
        effect: { deleted: true, terminatedAt: 1000 },
        isRequeued: true,
      },
      {
        condition: 'finished, orphan',
        reach: finished,
        desired: [],
        isRemoved: true,
        effect: {},
        isRequeued: false,
      },
      {
        condition: 'finished, desired again',
        reach: async (world) => {
          await finished(world)
          await created(world)
        },
        desired: [pod],
        isRemoved: true,
        effect: {},
        isRequeued: false,
      },
    ])('$condition', async ({ reach, desired, isRemoved, effect, isRequeued }) => {
      const world = setUp()
      const reaching = reach(world)
      if (reaching !== undefined) await reaching
      const reported = world.workers.syncKnownPods(desired)
      expect(reported.has('u')).toBe(!isRemoved)
      expect(world.workers.recordUids()).toEqual(isRemoved ? [] : ['u'])
      if (isRemoved) expect(world.workers.table.podUpdates.has('u')).toBe(false)
      else expect(world.record('u')).toMatchObject(effect)
      await world.settle()
      expect(world.syncer.open).toHaveLength(isRequeued ? 1 : 0)
    })
  })

  it('terminates a running orphan with the pod’s own grace, which the replay does not have', async () => {
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

  it('gives an orphan whose pod no worker ever took 1 s', async () => {
    const world = setUp()
    await secondWaits(world)
    // No update brings a record there; the rule is the kubelet's all the same.
    world.record('first').activeUpdate = {
      pod: undefined,
      mirrorPod: undefined,
      runningPod: fakeRunningPod('first'),
      killPodOptions: undefined,
    }
    world.workers.syncKnownPods([])
    expect(world.record('first').gracePeriodSeconds).toBe(1)
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

  it('repeats the last update of an orphan that is terminating', async () => {
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

  it('does not let the worker of a forgotten uid sync for a new record of the same turn', async () => {
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

describe('termination#killpodnow: killPodNow', () => {
  function setUpKill(graceSeconds = 30) {
    const world = setUp()
    const killed = fakePod({ uid: 'u', spec: { terminationGracePeriodSeconds: graceSeconds } })
    const kill = killPodNow({ podWorkers: world.workers, ...world })
    const results: unknown[] = []
    return {
      ...world,
      results,
      kill: (request: Partial<KillPodRequest> = {}) => {
        void kill(killed, { evict: false, causes: [], ...request }).then((result) =>
          results.push(result),
        )
      },
    }
  }

  it('resolves when the containers have stopped, not before', async () => {
    const { kill, settle, syncer, results, clock } = setUpKill()
    kill()
    await settle()
    await clock.advance(20_000)
    expect(results).toEqual([])
    syncer.current('u').finish()
    await settle()
    expect(results).toEqual([{ ok: true, value: undefined }])
    expect(clock.pendingTimers).toBe(0)
  })

  it('hands evict, the override and the status function to the worker', async () => {
    const { kill, settle, syncer, record } = setUpKill()
    const podStatusFunc = () => ({ reason: 'Evicted' })
    kill({ evict: true, gracePeriodSecondsOverride: 1, podStatusFunc })
    await settle()
    expect(record('u')).toMatchObject({ evicted: true, gracePeriodSeconds: 1 })
    expect(syncer.current('u').work).toMatchObject({ gracePeriodSeconds: 1, podStatusFunc })
  })

  it.each([
    ['1.5 times the grace', 30, undefined, 45_000],
    ['whole seconds of it', 21, undefined, 31_000],
    ['at least 10 s', 1, undefined, 10_000],
    ['the override counts', 30, 10, 15_000],
    ['an override of 0 too', 30, 0, 10_000],
  ])('gives up waiting: %s', async (_, graceSeconds, override, waitMs) => {
    const { kill, results, clock, recorder, record } = setUpKill(graceSeconds)
    kill({ gracePeriodSecondsOverride: override })
    await clock.advance(waitMs - 1)
    expect(results).toEqual([])
    await clock.advance(1)
    expect(results).toEqual([{ ok: false, error: 'timeout waiting to kill pod' }])
    expect(recorder.lines).toEqual([
      'Warning ExceededGracePeriod Container runtime did not kill the pod within specified grace period.',
    ])
    expect(record('u').terminatedAt).toBeUndefined()
  })

  it('waits 10 s for a pod that names no grace', async () => {
    const { podWorkers, ...world } = { ...setUp(), podWorkers: { updatePod: () => undefined } }
    const { terminationGracePeriodSeconds: _, ...spec } = pod.spec
    const kill = killPodNow({ podWorkers, ...world })
    let isOver = false
    const result = kill({ ...pod, spec }, { evict: false, causes: [] }).then((killed) => {
      isOver = true
      return killed
    })
    await world.clock.advance(9999)
    expect(isOver).toBe(false)
    await world.clock.advance(1)
    expect((await result).ok).toBe(false)
  })

  it('continues the kill in the background after the caller stopped waiting', async () => {
    const { kill, clock, results, syncer, record, settle } = setUpKill()
    kill()
    await clock.advance(60_000)
    expect(results).toHaveLength(1)
    syncer.current('u').finish()
    await settle()
    expect(record('u').terminatedAt).toBe(61_000)
  })

  it('resolves at once for a stopped pod, and times out for a finished one', async () => {
    const { kill, settle, syncer, results, clock } = setUpKill()
    kill()
    await settle()
    syncer.current('u').finish()
    await settle()
    kill()
    await settle()
    expect(results).toHaveLength(2)
    syncer.current('u').finish()
    await settle()
    syncer.open.forEach((call) => {
      call.finish()
    })
    await settle()
    kill()
    await clock.advance(44_999)
    expect(results).toHaveLength(2)
    await clock.advance(1)
    expect(results[2]).toEqual({ ok: false, error: 'timeout waiting to kill pod' })
  })
})
