import { fakeAllocations } from '../../../src/main/kubelet/allocation/fake-allocations.ts'
import { fakeResizeConditions } from '../../../src/main/kubelet/status/fake-status-manager.ts'
import { describe, expect, it } from 'vitest'
import type { Pod, PodCondition, PodStatus } from '../../../src/shared/kubernetes/objects.ts'
import { ok } from '../../../src/shared/result.ts'
import type { AdmissionRefusal } from '../../../src/main/kubelet/admission/pod-admitter.ts'
import { nodeClockHost } from '../../../src/main/clock/node-clock-host.ts'
import { VirtualClock } from '../../../src/main/clock/virtual-clock.ts'
import { FakeEventRecorder } from '../../../src/main/kubelet/container/fake-event-recorder.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { FakeTrace } from '../../../src/main/kubelet/container/fake-trace.ts'
import { PodHandlers } from '../../../src/main/kubelet/pod-handlers.ts'
import { fakeMirrorOf, fakePod, fakeStaticPod } from '../../../src/main/kubelet/pod/fake-pod.ts'
import type { Clock } from '../../../src/main/kubelet/ports.ts'
import { PodManager } from '../../../src/main/kubelet/pod/pod-manager.ts'
import type { UpdatePodOptions } from '../../../src/main/kubelet/workers/update-pod-options.ts'

function setUp(
  options: {
    readonly refuse?: (pod: Pod, others: readonly Pod[]) => AdmissionRefusal | undefined
    readonly isReady?: boolean
    readonly clock?: Clock
    readonly terminationRequested?: readonly string[]
    readonly contentMayBeRemoved?: readonly string[]
  } = {},
) {
  const trace = new FakeTrace()
  const updates: UpdatePodOptions[] = []
  const statuses: { uid: string; status: PodStatus }[] = []
  const removals: { uid: string; died: string | undefined }[] = []
  const events = new FakeEventRecorder()
  const log = new FakeLog()
  const podManager = new PodManager({ trace })
  const handlers = new PodHandlers({
    podManager,
    podWorkers: {
      updatePod: (update) => updates.push(update),
      isPodKnownTerminated: () => false,
      isPodTerminationRequested: (uid) => options.terminationRequested?.includes(uid) ?? false,
      shouldPodContentBeRemoved: (uid) => options.contentMayBeRemoved?.includes(uid) ?? false,
      isPodForMirrorPodTerminatingByFullName: () => false,
    },
    statusManager: {
      resizeConditions: fakeResizeConditions(),
      getPodStatus: () => undefined,
      setPodStatus: (pod, status) => {
        statuses.push({ uid: pod.metadata.uid, status })
        return false
      },
      setContainerReadiness: () => undefined,
      setContainerStartup: () => undefined,
      terminatePod: () => undefined,
      removeOrphanedStatuses: () => undefined,
      versions: () => undefined,
    },
    podCache: {
      get: (uid) => ok({ uid, name: '', namespace: '', ips: [], sandboxes: [], containers: [] }),
      getNewerThan: () => Promise.reject(new Error('not asked')),
    },
    runtime: {
      deleteContainersInPod: (status, died) => {
        removals.push({ uid: status.uid, died })
        return Promise.resolve()
      },
    },
    sourcesReady: {
      addSource: () => undefined,
      allReady: () => options.isReady ?? true,
    },
    allocations: fakeAllocations([{ admit: options.refuse ?? (() => undefined) }]),
    recorder: events,
    clock: options.clock ?? { now: () => 1000, after: () => () => undefined },
    trace,
    log,
  })
  const recorded = (): readonly string[] =>
    updates
      .splice(0)
      .map(
        (update) =>
          `${update.updateType} ${update.pod?.metadata.uid ?? '-'} mirror ${update.mirrorPod?.metadata.uid ?? '-'}`,
      )
  return { handlers, podManager, updates, recorded, statuses, removals, events, log, trace }
}

const merged = (...pods: readonly Pod[]) => pods.map((pod) => ({ pod, causes: [7] }))

describe('sync-loop#handlers: additions', () => {
  it('creates workers in order of creation, static pods first', async () => {
    const { handlers, recorded } = setUp()
    const created = (uid: string, creationTimestamp: string): Pod =>
      fakePod({ name: uid, uid, metadata: { creationTimestamp } })
    await handlers.handlePodAdditions(
      merged(
        created('late', '2026-01-01T00:00:09Z'),
        created('early', '2026-01-01T00:00:01Z'),
        fakeStaticPod(),
      ),
      [8],
    )
    expect(recorded()).toEqual([
      'create static-1 mirror -',
      'create early mirror -',
      'create late mirror -',
    ])
  })

  it('yields to the clock after a hundred pods in a row, of one update or of several', async () => {
    const clock = new VirtualClock(nodeClockHost, { startAt: 1000 })
    let weighed: readonly number[] = []
    const { handlers, updates } = setUp({
      clock,
      refuse: (_pod, others) => {
        weighed = [...weighed, others.length]
        return undefined
      },
    })
    const pods = Array.from({ length: 150 }, (_, index) =>
      fakePod({ name: `p${index}`, uid: `u${index}` }),
    )
    const done = handlers
      .handlePodAdditions(merged(...pods.slice(0, 60)), [])
      .then(() => handlers.handlePodAdditions(merged(...pods.slice(60)), []))
    await clock.advance(0)
    expect(updates).toHaveLength(100)
    await clock.advance(9)
    expect(updates).toHaveLength(100)
    await clock.advance(1)
    await done
    expect(updates).toHaveLength(150)
    // Each was weighed against all before it.
    expect(weighed).toEqual(pods.map((_, index) => index))
  })

  it('hands on both causes and the time', async () => {
    const { handlers, updates } = setUp()
    const pod = fakePod()
    await handlers.handlePodAdditions(merged(pod), [8])
    expect(updates).toEqual([{ updateType: 'create', pod, startTime: 1000, causes: [7, 8] }])
  })

  it('turns a mirror into an update of its static pod, and skips one without', async () => {
    const { handlers, recorded } = setUp()
    const pod = fakeStaticPod()
    await handlers.handlePodAdditions(merged(fakeMirrorOf(pod, { uid: 'm1' })), [])
    expect(recorded()).toEqual([])
    await handlers.handlePodAdditions(merged(pod), [])
    expect(recorded()).toEqual(['create static-1 mirror m1'])
    await handlers.handlePodAdditions(merged(fakeMirrorOf(pod, { uid: 'm2' })), [])
    expect(recorded()).toEqual(['update static-1 mirror m2'])
  })

  it('rejects what admission refuses: an event, a status, no worker', async () => {
    const { handlers, recorded, statuses, events, trace } = setUp({
      refuse: () => ({ reason: 'OutOfcpu', message: "Node didn't have enough resource: cpu" }),
    })
    await handlers.handlePodAdditions(merged(fakePod()), [])
    expect(recorded()).toEqual([])
    expect(events.lines).toEqual(["Warning OutOfcpu Node didn't have enough resource: cpu"])
    expect(statuses).toEqual([
      {
        uid: 'web-uid',
        status: {
          qosClass: 'BestEffort',
          phase: 'Failed',
          reason: 'OutOfcpu',
          message: "Pod was rejected: Node didn't have enough resource: cpu",
        },
      },
    ])
    expect(trace.data('pod.rejected')).toEqual([
      { reason: 'OutOfcpu', message: "Node didn't have enough resource: cpu" },
    ])
  })

  it('asks admission with the other active pods, without terminal ones', async () => {
    const seen: string[][] = []
    const { handlers } = setUp({
      refuse: (_pod, others) => {
        seen.push(others.map((other) => other.metadata.uid))
        return undefined
      },
    })
    await handlers.handlePodAdditions(
      merged(
        fakePod({ name: 'a', uid: 'a' }),
        fakePod({ name: 'b', uid: 'b', status: { phase: 'Succeeded' } }),
        fakePod({ name: 'c', uid: 'c' }),
      ),
      [],
    )
    expect(seen).toEqual([[], ['a']])
  })

  it.each([
    ['is over already', fakePod({ status: { phase: 'Failed' } }), []],
    ['is stopping already', fakePod(), ['web-uid']],
  ])('does not ask admission about a pod that %s', async (_what, pod, terminationRequested) => {
    const { handlers, recorded } = setUp({
      refuse: () => ({ reason: 'no', message: 'no' }),
      terminationRequested,
    })
    await handlers.handlePodAdditions(merged(pod), [])
    expect(recorded()).toEqual(['create web-uid mirror -'])
  })
})

describe('sync-loop#handlers: updates', () => {
  it('updates the worker of the pod, or of the static pod behind a mirror', async () => {
    const { handlers, recorded } = setUp()
    const pod = fakeStaticPod()
    await handlers.handlePodUpdates(merged(fakePod({ name: 'x', uid: 'x' })), [])
    await handlers.handlePodUpdates(merged(fakeMirrorOf(fakeStaticPod({ name: 'unknown' }))), [])
    await handlers.handlePodUpdates(merged(pod), [])
    await handlers.handlePodUpdates(merged(fakeMirrorOf(pod, { uid: 'm1' })), [])
    expect(recorded()).toEqual([
      'update x mirror -',
      'update static-1 mirror -',
      'update static-1 mirror m1',
    ])
  })
})

describe('sync-loop#handlers: removes', () => {
  it('kills a pod, and updates a static pod whose mirror went, with the mirror that went', async () => {
    const { handlers, recorded, podManager } = setUp()
    const pod = fakeStaticPod()
    const mirror = fakeMirrorOf(pod, { uid: 'm1' })
    podManager.setPods([pod, mirror, fakePod()], [])
    await handlers.handlePodRemoves(merged(mirror, fakePod()), [])
    expect(recorded()).toEqual(['update static-1 mirror m1', 'kill web-uid mirror -'])
    expect(podManager.getPodsAndMirrorPods().allMirrorPods).toEqual([])
  })

  it('kills nothing before all sources have been seen', async () => {
    const { handlers, recorded, log } = setUp({ isReady: false })
    await handlers.handlePodRemoves(merged(fakePod()), [])
    expect(recorded()).toEqual([])
    expect(log.lines.map((line) => line.message)).toEqual([
      'skipping delete because sources are not ready yet',
    ])
  })
})

describe('sync-loop#handlers: reconcile', () => {
  it('wakes no worker for a changed status', async () => {
    const { handlers, recorded, podManager } = setUp()
    await handlers.handlePodReconcile(merged(fakePod({ status: { phase: 'Running' } })), [])
    expect(recorded()).toEqual([])
    expect(podManager.getPodByUID('web-uid')?.status).toEqual({ phase: 'Running' })
  })

  describe('of a pod with readiness gates', () => {
    const gate = 'example.com/gate'
    const missing = `corresponding condition of pod readiness gate "${gate}" does not exist.`
    const gated = (ready: Partial<PodCondition> | undefined, isGateTrue: boolean): Pod =>
      fakePod({
        spec: { readinessGates: [{ conditionType: gate }] },
        status: {
          phase: 'Running',
          conditions: [
            ...(ready === undefined ? [] : [{ type: 'Ready', status: 'True' as const, ...ready }]),
            // What it says does not count: the container statuses do.
            { type: 'ContainersReady', status: 'False' },
            ...(isGateTrue ? [{ type: gate, status: 'True' as const }] : []),
          ],
          containerStatuses: [{ name: 'c', ready: true, restartCount: 0, image: 'i', imageID: '' }],
        },
      })

    it.each([
      ['syncs it when its gate opened', gated({ status: 'False' }, true), true],
      ['syncs it when its gate closed', gated({ status: 'True' }, false), true],
      ['syncs it when only the message is outdated', gated({ status: 'False' }, false), true],
      [
        'leaves it alone when status and message are current',
        gated({ status: 'False', message: missing }, false),
        false,
      ],
      ['leaves it alone when it is ready', gated({}, true), false],
      ['leaves it alone while it has no Ready condition', gated(undefined, true), false],
    ])('%s', async (_what, pod, isSynced) => {
      const { handlers, recorded } = setUp()
      await handlers.handlePodReconcile(merged(pod), [])
      expect(recorded()).toEqual(isSynced ? ['sync web-uid mirror -'] : [])
    })
  })

  it('removes the dead containers of an evicted pod', async () => {
    const { handlers, removals } = setUp()
    await handlers.handlePodReconcile(
      merged(fakePod({ status: { phase: 'Failed', reason: 'Evicted' } })),
      [],
    )
    expect(removals).toEqual([{ uid: 'web-uid', died: undefined }])
  })
})

describe('sync-loop#handlers: syncs', () => {
  it('syncs with the mirror of the name, by pod and by uid', () => {
    const { handlers, recorded, podManager } = setUp()
    const pod = fakeStaticPod()
    podManager.setPods([pod, fakeMirrorOf(pod, { uid: 'm1' })], [])
    handlers.handlePodSyncs([pod], [])
    handlers.handlePodSyncByUID('static-1', [])
    handlers.handlePodSyncByUID('unknown', [])
    expect(recorded()).toEqual(['sync static-1 mirror m1', 'sync static-1 mirror m1'])
  })
})

describe('sync-loop#inputs: after a container died', () => {
  it('removes all only where the content of the pod may go', () => {
    const { handlers, removals } = setUp({ contentMayBeRemoved: ['gone'] })
    handlers.cleanUpContainersInPod('gone', 'c1', [])
    handlers.cleanUpContainersInPod('stays', 'c2', [])
    expect(removals).toEqual([
      { uid: 'gone', died: undefined },
      { uid: 'stays', died: 'c2' },
    ])
  })
})
