import { describe, expect, it } from 'vitest'
import { FakeTrace } from '../../../src/main/kubelet/container/fake-trace.ts'
import { fakePod } from '../../../src/main/kubelet/pod/fake-pod.ts'
import type { UpdatePodOptions } from '../../../src/main/kubelet/workers/update-pod-options.ts'
import { newWorkerRecord, workTypeOf } from '../../../src/main/kubelet/workers/worker-record.ts'
import type { WorkerRecord } from '../../../src/main/kubelet/workers/worker-record.ts'
import { WorkerRequeue } from '../../../src/main/kubelet/workers/worker-requeue.ts'
import type { RequeueReason } from '../../../src/main/kubelet/workers/worker-requeue.ts'
import {
  watchedWorlds,
  pod,
  deleting,
  inPhase,
  update,
  end,
  created,
  running,
  terminating,
  terminated,
  finished,
  stoppingRuntimePod,
  second,
  third,
  staticName,
  secondWaits,
} from './worker-fixture.ts'
import type { World } from './worker-fixture.ts'

const setUp = watchedWorlds()

describe('pod-workers#shared-state', () => {
  it.each<readonly [string, (world: World) => Promise<unknown>, unknown]>([
    [
      'podsSynced is false until the first SyncKnownPods',
      (world) => {
        const { table } = world.workers
        const before = table.podsSynced
        world.workers.syncKnownPods([])
        return Promise.resolve([before, table.podsSynced])
      },
      [false, true],
    ],
    [
      'podUpdates holds a signal for every worker that is not finished',
      async (world) => {
        await finished(world)
        await created(world, fakePod({ uid: 'v' }))
        return [...world.workers.table.podUpdates.keys()]
      },
      ['v'],
    ],
    [
      'podSyncStatuses holds the record of every uid, finished or not',
      async (world) => {
        await finished(world)
        await created(world, fakePod({ uid: 'v' }))
        return [...world.workers.table.records.keys()]
      },
      ['u', 'v'],
    ],
    [
      'startedStaticPodsByFullname holds the single uid that may run under a static name',
      async (world) => {
        await secondWaits(world)
        await running(world)
        return [...world.workers.table.staticPodStart.started]
      },
      [[staticName, 'first']],
    ],
    [
      'waitingToStartStaticPodsByFullname holds the others in the order of their first update',
      async (world) => {
        await secondWaits(world)
        await created(world, third)
        await update(world, { updateType: 'update', pod: second })
        return [...world.workers.table.staticPodStart.waitingToStart]
      },
      [[staticName, ['second', 'third']]],
    ],
    [
      'workQueue holds one due time per uid, the last one',
      async (world) => {
        await running(world)
        world.workQueue.enqueue('u', 5000, [])
        world.workQueue.enqueue('u', 7000, [])
        return world.workQueue.dueAt('u')
      },
      8000,
    ],
  ])('%s', async (_, look, expected) => {
    expect(await look(setUp())).toEqual(expected)
  })

  it.each<readonly [RequeueReason, number, number]>([
    ['resync', 60_000, 90_000],
    ['error', 10_000, 15_000],
    ['waiting', 10_000, 15_000],
    ['network', 1000, 1500],
    ['transition', 0, 0],
  ])('stretches the pause %s at random from %d ms to less than %d ms', (why, least, most) => {
    const { workQueue, record, workers } = setUp()
    workers.updatePod({ updateType: 'create', pod, causes: [] })
    const pauses = [0, 0.5, 1].map((chance) => {
      const random = { next: () => chance, fork: () => random }
      new WorkerRequeue({ random, trace: new FakeTrace(), workQueue }).enqueue(record('u'), why, [])
      return (workQueue.dueAt('u') ?? 0) - 1000
    })
    expect(pauses).toEqual([least, (least + most) / 2, most])
  })
})

describe('pod-workers#worker-record', () => {
  type Field = Exclude<keyof WorkerRecord, 'uid' | 'subject' | 'currentSync'>
  interface Row {
    readonly field: Field
    readonly when: string
    /** Undefined: done, and no worker has run. */
    readonly act: (world: World) => Promise<void> | undefined
    readonly is: unknown
  }
  const killed = (killPodOptions: NonNullable<UpdatePodOptions['killPodOptions']>) => {
    const options = { updateType: 'kill', pod, killPodOptions } as const
    return (world: World) => update(world, options)
  }
  const recorded = (world: World): undefined => {
    world.workers.updatePod({ updateType: 'create', pod, causes: [] })
  }
  const active = { pod, mirrorPod: undefined, runningPod: undefined, killPodOptions: undefined }
  it.each<Row>([
    {
      field: 'cancellation',
      when: 'not before the first consumption',
      act: recorded,
      is: undefined,
    },
    { field: 'fullName', when: 'at creation', act: recorded, is: 'web_default' },
    { field: 'working', when: 'true in UpdatePod', act: recorded, is: true },
    { field: 'working', when: 'false when nothing is pending', act: running, is: false },
    { field: 'working', when: 'false at exit', act: finished, is: false },
    {
      field: 'pendingUpdate',
      when: 'in UpdatePod',
      act: recorded,
      is: { updateType: 'create', pod, causes: [1] },
    },
    { field: 'pendingUpdate', when: 'gone at consumption', act: created, is: undefined },
    { field: 'activeUpdate', when: 'never before start', act: recorded, is: undefined },
    { field: 'activeUpdate', when: 'at consumption', act: created, is: active },
    { field: 'syncedAt', when: 'at creation', act: recorded, is: 1000 },
    { field: 'startedAt', when: 'not before the first consumption', act: recorded, is: undefined },
    { field: 'startedAt', when: 'at the first consumption', act: created, is: 1000 },
    { field: 'startedAt', when: 'never for runtime pods', act: stoppingRuntimePod, is: undefined },
    { field: 'terminatingAt', when: 'not before a request', act: running, is: undefined },
    { field: 'terminatingAt', when: 'when termination is requested', act: terminating, is: 1000 },
    { field: 'terminatingBecause', when: 'with it, in words', act: terminating, is: 'killed' },
    {
      field: 'startedTerminating',
      when: 'not before the worker acknowledges',
      act: async (world) => {
        await created(world)
        await killed({})(world)
      },
      is: false,
    },
    { field: 'startedTerminating', when: 'when it does', act: terminating, is: true },
    {
      field: 'startedTerminating',
      when: 'when SyncPod says that the pod is over',
      act: async (world) => {
        await created(world)
        await end(world, 'u', 'terminal')
      },
      is: true,
    },
    { field: 'gracePeriodSeconds', when: 'none while it runs', act: running, is: 0 },
    { field: 'gracePeriodSeconds', when: 'while stopping is requested', act: terminating, is: 30 },
    { field: 'terminatedAt', when: 'not while it stops', act: terminating, is: undefined },
    { field: 'terminatedAt', when: 'when SyncTerminatingPod succeeded', act: terminated, is: 1000 },
    {
      field: 'deleted',
      when: 'when deletionTimestamp is seen',
      act: (world) => update(world, { updateType: 'update', pod: deleting(5) }),
      is: true,
    },
    { field: 'deleted', when: 'for a runtime pod', act: stoppingRuntimePod, is: true },
    {
      field: 'deleted',
      when: 'for an orphan',
      act: async (world) => {
        await running(world)
        world.workers.syncKnownPods([])
      },
      is: true,
    },
    { field: 'deleted', when: 'not for a plain kill', act: terminating, is: false },
    {
      field: 'evicted',
      when: 'when the transition was one',
      act: killed({ evict: true }),
      is: true,
    },
    { field: 'finished', when: 'not before SyncTerminatedPod', act: terminated, is: false },
    { field: 'finished', when: 'when it succeeded', act: finished, is: true },
    {
      field: 'restartRequested',
      when: 'when a create comes while it stops',
      act: async (world) => {
        await terminating(world)
        await created(world)
      },
      is: true,
    },
    { field: 'observedRuntime', when: 'for a runtime pod', act: stoppingRuntimePod, is: true },
    { field: 'observedRuntime', when: 'not for another', act: terminating, is: false },
    {
      field: 'notifyPostTerminating',
      when: 'closed and cleared by completeTerminating',
      act: async (world) => {
        await killed({ onCompleted: () => undefined })(world)
        expect(world.record('u').notifyPostTerminating).toHaveLength(1)
        await end(world, 'u')
      },
      is: [],
    },
    {
      field: 'statusPostTerminating',
      when: 'cleared by completeTerminating',
      act: async (world) => {
        await killed({ podStatusFunc: (status) => status })(world)
        expect(world.record('u').statusPostTerminating).toHaveLength(1)
        await end(world, 'u')
      },
      is: [],
    },
    {
      field: 'blockedByUid',
      when: 'not for a pod that need not wait',
      act: running,
      is: undefined,
    },
  ])('$field: $when', async ({ field, act, is }) => {
    const world = setUp()
    const acting = act(world)
    if (acting !== undefined) await acting
    expect(world.record('u')[field]).toEqual(is)
  })

  it('creates its context at the first update it takes, and again after a cancellation', async () => {
    const world = setUp()
    await created(world)
    const context = world.record('u').cancellation
    await end(world, 'u')
    await update(world, { updateType: 'sync', pod })
    expect(world.record('u').cancellation).toBe(context)
    await update(world, { updateType: 'kill', pod })
    expect(context?.isCancelled()).toBe(true)
    await end(world, 'u', 'cancelled')
    expect(world.record('u').cancellation).not.toBe(context)
    expect(world.record('u').cancellation?.isCancelled()).toBe(false)
  })

  it.each([
    ['sync', undefined, undefined],
    ['terminating', 3, undefined],
    ['terminated', 3, 4],
  ] as const)('derives the state %s from its times', (state, terminatingAt, terminatedAt) => {
    const record = newWorkerRecord({ uid: 'u', name: 'web', namespace: 'default', now: 1 })
    expect(workTypeOf({ ...record, terminatingAt, terminatedAt })).toBe(state)
  })

  it('works the state out at consumption time, not at UpdatePod time', async () => {
    const world = setUp()
    world.workers.updatePod({ updateType: 'create', pod, causes: [] })
    world.workers.updatePod({ updateType: 'kill', pod, causes: [] })
    world.workers.updatePod({ updateType: 'sync', pod, causes: [] })
    await world.settle()
    expect(world.syncer.kinds).toEqual(['terminating u'])
    expect(world.record('u').pendingUpdate).toBeUndefined()
  })
})

describe('pod-workers#states', () => {
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

  it.each<readonly [string, string, (world: World) => Promise<void>]>([
    ['unknown', 'sync', created],
    ['sync', 'terminating', terminating],
    [
      'sync, by SyncPod that returned terminal,',
      'terminating',
      async (world) => {
        await created(world)
        await end(world, 'u', 'terminal')
      },
    ],
    [
      'sync, orphaned,',
      'terminating',
      async (world) => {
        await running(world)
        world.workers.syncKnownPods([])
        await world.settle()
      },
    ],
    ['terminating', 'terminated', terminated],
    [
      'unknown, phase terminal and nothing alive,',
      'terminated',
      (world) => update(world, { updateType: 'create', pod: inPhase('Failed') }),
    ],
    ['unknown, known to the runtime only,', 'runtimePod', stoppingRuntimePod],
  ])('leads from %s to %s', async (_, to, act) => {
    const world = setUp()
    await act(world)
    expect(world.syncer.current('u').kind).toBe(to)
  })

  it('leads from waiting to finished when the pod is to stop before it has started', async () => {
    const world = setUp()
    await secondWaits(world)
    await update(world, { updateType: 'kill', pod: second })
    expect(world.record('second')).toMatchObject({ finished: true, startedAt: undefined })
  })

  it('starts a regular pod that is deleted already by stopping it', async () => {
    const world = setUp()
    world.workers.updatePod({ updateType: 'create', pod: deleting(5), causes: [] })
    await world.settle()
    expect(world.syncer.current('u')).toMatchObject({ kind: 'terminating' })
    expect(world.record('u').startedAt).toBe(1000)
  })

  it('cannot be undone: no update cancels a termination', async () => {
    const world = setUp()
    await terminating(world)
    for (const updateType of ['update', 'sync', 'create'] as const)
      world.workers.updatePod({ updateType, pod, causes: [] })
    await end(world, 'u')
    await end(world, 'u')
    expect(world.syncer.kinds).toEqual(['sync u', 'terminating u', 'terminated u'])
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
