import { fakeAllocations } from '../../../src/main/kubelet/allocation/fake-allocations.ts'
import { fakeResizeConditions } from '../../../src/main/kubelet/status/fake-status-manager.ts'
import { describe, expect, it } from 'vitest'
import type { Pod, PodStatus } from '../../../src/shared/kubernetes/objects.ts'
import { err, ok } from '../../../src/shared/result.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { FakeTrace } from '../../../src/main/kubelet/container/fake-trace.ts'
import type { RuntimePod } from '../../../src/main/kubelet/container/runtime.ts'
import { PodCleanups } from '../../../src/main/kubelet/pod-cleanups.ts'
import { fakeMirrorOf, fakePod, fakeStaticPod } from '../../../src/main/kubelet/pod/fake-pod.ts'
import { PodManager } from '../../../src/main/kubelet/pod/pod-manager.ts'
import type { UpdatePodOptions } from '../../../src/main/kubelet/workers/update-pod-options.ts'
import type { PodWorkerSync } from '../../../src/main/kubelet/workers/sync-known-pods.ts'

function runtimePod(uid: string): RuntimePod {
  return { uid, name: uid, namespace: 'default', createdAt: 0, containers: [], sandboxes: [] }
}

function worker(state: PodWorkerSync['state']): PodWorkerSync {
  return { state, orphan: false, hasConfig: true, static: false }
}

function setUp(
  options: {
    readonly pods?: readonly Pod[]
    readonly working?: Readonly<Record<string, PodWorkerSync>>
    readonly running?: readonly string[]
    readonly isRuntimeDown?: boolean
    readonly mirrorTerminating?: readonly string[]
    readonly statuses?: Readonly<Record<string, PodStatus>>
  } = {},
) {
  const trace = new FakeTrace()
  const podManager = new PodManager({ trace })
  podManager.setPods(options.pods ?? [], [])
  trace.events.length = 0
  const updates: UpdatePodOptions[] = []
  const deletedMirrors: string[] = []
  const keptStatuses: string[][] = []
  const probed: string[] = []
  /** What was done, in order. */
  const order: string[] = []
  const cleanups = new PodCleanups({
    podManager,
    podWorkers: {
      updatePod: (update) => {
        updates.push(update)
        order.push(
          `${update.updateType} ${update.pod?.metadata.uid ?? `runtime ${update.runningPod?.uid ?? ''}`}`,
        )
      },
      isPodKnownTerminated: () => false,
      isPodTerminationRequested: () => false,
      shouldPodContentBeRemoved: () => false,
      isPodForMirrorPodTerminatingByFullName: (name) =>
        options.mirrorTerminating?.includes(name) ?? false,
      syncKnownPods: (desired) => {
        order.push(`syncKnownPods ${desired.map(({ metadata }) => metadata.uid).join(',')}`)
        return new Map(Object.entries(options.working ?? {}))
      },
    },
    prober: {
      cleanupPods: (desired) => {
        probed.push(...['u', 'v', 'w'].filter((uid) => desired.has(uid)))
      },
    },
    statusManager: {
      resizeConditions: fakeResizeConditions(),
      getPodStatus: (uid) => options.statuses?.[uid],
      setPodStatus: () => false,
      setContainerReadiness: () => undefined,
      setContainerStartup: () => undefined,
      terminatePod: () => undefined,
      removeOrphanedStatuses: (uids) => {
        keptStatuses.push([...uids])
        order.push('removeOrphanedStatuses')
      },
      versions: () => undefined,
    },
    allocations: fakeAllocations(),
    mirrorClient: {
      createMirrorPod: () => Promise.resolve(ok(undefined)),
      deleteMirrorPod: (fullName, { uid }) => {
        deletedMirrors.push(`${fullName} ${uid ?? 'by name'}`)
        order.push(`deleteMirrorPod ${fullName}`)
        return Promise.resolve(ok(true))
      },
    },
    runtime: {
      getPods: () => {
        order.push('list what runs')
        return Promise.resolve(
          options.isRuntimeDown === true
            ? err({ kind: 'unavailable', message: 'down' } as const)
            : ok((options.running ?? []).map(runtimePod)),
        )
      },
    },
    crashLoopBackOff: {
      collectGarbage: () => {
        order.push('forget expired back-offs')
      },
    },
    trace,
    log: new FakeLog(),
  })
  const recorded = (): readonly string[] =>
    updates.map(
      (update) =>
        `${update.updateType} ${update.pod?.metadata.uid ?? `runtime ${update.runningPod?.uid ?? ''}`}`,
    )
  return { order, cleanups, updates, recorded, deletedMirrors, keptStatuses, probed, trace }
}

describe('sync-loop#housekeeping', () => {
  it('goes through its steps in the kubelet’s order', async () => {
    const over = fakePod({
      name: 'over',
      uid: 'over',
      metadata: { deletionTimestamp: 't' },
      status: { phase: 'Failed' },
    })
    const orphan = fakeMirrorOf(fakeStaticPod({ name: 'orphan' }), { uid: 'm2' })
    const { order, cleanups } = setUp({
      pods: [over, fakePod({ name: 'new', uid: 'new' }), orphan],
      running: ['unknown'],
    })
    await cleanups.run()
    expect(order).toEqual([
      // 2 and 3: the pods as they are now, never a mirror.
      'syncKnownPods over,new',
      // 5
      'list what runs',
      // 7
      'removeOrphanedStatuses',
      // 10
      'deleteMirrorPod orphan_default',
      // 11
      'create new',
      // 12
      'kill over',
      // 13
      'kill runtime unknown',
      // 15
      'forget expired back-offs',
    ])
  })

  it('stops the probes of pods that are terminated or have no worker', async () => {
    const working = { u: worker('sync'), v: worker('terminating'), w: worker('terminated') }
    const all = setUp({ working })
    await all.cleanups.run()
    expect(all.probed).toEqual(['u', 'v'])
    const one = setUp({ working: { u: worker('sync') } })
    await one.cleanups.run()
    expect(one.probed).toEqual(['u'])
  })

  it('does nothing, without an event, when nothing has to be done', async () => {
    const { cleanups, recorded, trace } = setUp({
      pods: [fakePod()],
      working: { 'web-uid': worker('sync') },
      running: ['web-uid'],
    })
    await cleanups.run()
    expect(recorded()).toEqual([])
    expect(trace.kinds).toEqual([])
  })

  it('deletes orphaned mirrors by name alone, but not while their static pod is stopping', async () => {
    const stopping = fakeMirrorOf(fakeStaticPod({ name: 'stopping' }), { uid: 'm1' })
    const orphan = fakeMirrorOf(fakeStaticPod({ name: 'orphan' }), { uid: 'm2' })
    const { cleanups, deletedMirrors } = setUp({
      pods: [stopping, orphan],
      mirrorTerminating: ['stopping_default'],
    })
    await cleanups.run()
    expect(deletedMirrors).toEqual(['orphan_default by name'])
  })

  it('creates a worker, with its mirror, for an active pod that has none', async () => {
    const pod = fakeStaticPod()
    const { cleanups, updates } = setUp({ pods: [pod, fakeMirrorOf(pod, { uid: 'm1' })] })
    await cleanups.run()
    expect(updates).toEqual([
      {
        updateType: 'create',
        pod,
        mirrorPod: fakeMirrorOf(pod, { uid: 'm1' }),
        causes: [1],
      },
    ])
    expect(cleanups.restartedPodsTotal).toBe(1)
  })

  it('leaves a rejected pod without a worker alone', async () => {
    const { cleanups, recorded } = setUp({
      pods: [fakePod()],
      statuses: { 'web-uid': { phase: 'Failed', reason: 'OutOfcpu' } },
    })
    await cleanups.run()
    expect(recorded()).toEqual([])
  })

  it('finishes a deleted pod that is terminal in the API and has no worker', async () => {
    const over = fakePod({ metadata: { deletionTimestamp: 't' }, status: { phase: 'Failed' } })
    const { cleanups, recorded } = setUp({ pods: [over] })
    await cleanups.run()
    expect(recorded()).toEqual(['kill web-uid'])
  })

  it('does not finish it as long as the runtime runs something of it: that is killed first', async () => {
    const over = fakePod({ metadata: { deletionTimestamp: 't' }, status: { phase: 'Failed' } })
    const { cleanups, recorded } = setUp({ pods: [over], running: ['web-uid'] })
    await cleanups.run()
    expect(recorded()).toEqual(['kill runtime web-uid'])
  })

  it('kills running containers without a worker, with one second of grace', async () => {
    const { cleanups, updates, recorded } = setUp({
      running: ['unknown', 'syncing', 'stopping', 'stopped'],
      working: {
        syncing: worker('sync'),
        stopping: worker('terminating'),
        stopped: worker('terminated'),
      },
    })
    await cleanups.run()
    expect(recorded()).toEqual(['kill runtime unknown'])
    expect(updates[0]?.killPodOptions).toEqual({ gracePeriodSecondsOverride: 1 })
    expect(cleanups.orphanedRuntimePodsTotal).toBe(1)
  })

  it('keeps the statuses of pods and mirrors, and drops the others', async () => {
    const pod = fakeStaticPod()
    const { cleanups, keptStatuses } = setUp({
      pods: [pod, fakeMirrorOf(pod, { uid: 'm1' })],
      working: { 'static-1': worker('sync') },
    })
    await cleanups.run()
    expect(keptStatuses).toEqual([['static-1', 'm1']])
  })

  it('ends early when the runtime does not answer', async () => {
    const { cleanups, recorded, keptStatuses } = setUp({ pods: [fakePod()], isRuntimeDown: true })
    await cleanups.run()
    expect(recorded()).toEqual([])
    expect(keptStatuses).toEqual([])
  })

  it('names the pass as the cause of what it does', async () => {
    const { cleanups, trace, updates } = setUp({ pods: [fakePod()], running: ['unknown'] })
    await cleanups.run()
    expect(trace.data('loop.housekeeping')).toEqual([
      { orphans: 0, skipped: false, message: 'pods that have no worker' },
    ])
    expect(updates.map((update) => update.causes)).toEqual([[1], [1]])
  })
})
