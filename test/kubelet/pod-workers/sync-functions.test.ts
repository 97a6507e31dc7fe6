import { fakeAllocations } from '../../../src/main/kubelet/allocation/fake-allocations.ts'
import { describe, expect, it } from 'vitest'
import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import { err, ok } from '../../../src/shared/result.ts'
import type { Result } from '../../../src/shared/result.ts'
import {
  containerStatusOf,
  runtimeStatusOf,
} from '../../../src/main/kubelet/container/fake-pods.ts'
import { FakeEventRecorder } from '../../../src/main/kubelet/container/fake-event-recorder.ts'
import { noProbes } from '../../../src/main/kubelet/container/probe-results.ts'
import { ReasonCache } from '../../../src/main/kubelet/container/reason-cache.ts'
import type { PodRuntimeStatus } from '../../../src/main/kubelet/container/runtime.ts'
import { FakeRuntime } from '../../../src/main/kubelet/fake-runtime.ts'
import { fakePod, fakeStaticPod } from '../../../src/main/kubelet/pod/fake-pod.ts'
import { KubeletPodSyncer } from '../../../src/main/kubelet/pod-syncer.ts'
import { FakeStatusManager } from '../../../src/main/kubelet/status/fake-status-manager.ts'
import { CancellationSource } from '../../../src/main/kubelet/workers/cancellation-source.ts'

const { cancellation } = new CancellationSource()

function setUp() {
  /** What the syncer did, in its order. */
  const order: string[] = []
  const runtime = new FakeRuntime()
  const statusManager = new FakeStatusManager()
  const recorder = new FakeEventRecorder()
  const reasonCache = new ReasonCache()
  const forgotten: string[] = []
  const reconciled: { readonly pod: Pod; readonly mirror: Pod | undefined }[] = []
  let isTerminating = false
  let volumes: Result<undefined, string> = ok(undefined)
  let deadline: { readonly reason: string; readonly message: string } | undefined
  const syncer = new KubeletPodSyncer({
    runtime: {
      getPods: runtime.getPods,
      deleteContainersInPod: runtime.deleteContainersInPod,
      runtimeErrors: runtime.runtimeErrors,
      networkError: runtime.networkError,
      syncPod: (...given) => {
        order.push('runtime syncPod')
        return runtime.syncPod(...given)
      },
      killPod: (...given) => {
        order.push('runtime killPod')
        return runtime.killPod(...given)
      },
      getPodStatus: (...given) => {
        order.push('runtime getPodStatus')
        return runtime.getPodStatus(...given)
      },
    },
    statusManager: {
      resizeConditions: statusManager.resizeConditions,
      getPodStatus: statusManager.getPodStatus,
      setContainerReadiness: statusManager.setContainerReadiness,
      setContainerStartup: statusManager.setContainerStartup,
      removeOrphanedStatuses: statusManager.removeOrphanedStatuses,
      versions: statusManager.versions,
      setPodStatus: (given, status, causes) => {
        order.push(`setPodStatus ${status.phase ?? ''}`)
        return statusManager.setPodStatus(given, status, causes)
      },
      terminatePod: (given) => {
        order.push('terminatePod')
        statusManager.terminatePod(given)
      },
    },
    allocations: fakeAllocations(),
    mirrorReconciler: {
      forget: (uid) => {
        forgotten.push(uid)
      },
      tryReconcileMirrorPods: (pod, mirror) => {
        order.push('tryReconcileMirrorPods')
        reconciled.push({ pod, mirror })
        return Promise.resolve(mirror === undefined)
      },
    },
    setUpPod: () => {
      order.push('setUpPod')
      return Promise.resolve()
    },
    volumes: {
      waitForAttachAndMount: () => {
        order.push('wait for mounts')
        return Promise.resolve(volumes.ok ? ok([]) : volumes)
      },
      waitForUnmount: () => {
        order.push('wait for unmounts')
        return Promise.resolve(volumes)
      },
    },
    reasonCache,
    recorder,
    prober: {
      addPod: () => order.push('addPod'),
      stopLivenessAndStartup: () => order.push('stopLivenessAndStartup'),
      removePod: () => order.push('removePod'),
      probes: noProbes,
    },
    secretManager: {
      registerPod: () => order.push('register secrets'),
      unregisterPod: () => order.push('unregister secrets'),
      getSecret: (_namespace, name) => {
        order.push('read pull secret')
        return Promise.resolve(ok({ metadata: { name, uid: 's' } }))
      },
    },
    configMapManager: {
      registerPod: () => order.push('register config maps'),
      unregisterPod: () => order.push('unregister config maps'),
    },
    isTerminationRequested: () => isTerminating,
    evictionChecks: [{ shouldEvict: () => deadline }],
    hostIPs: () => ['192.0.2.1'],
  })
  return {
    order,
    runtime,
    statusManager,
    recorder,
    reasonCache,
    reconciled,
    forgotten,
    syncer,
    terminate: () => {
      isTerminating = true
    },
    blockVolumes: () => {
      volumes = err('unmounted volumes=[data]: context deadline exceeded')
    },
    pastDeadline: () => {
      deadline = { reason: 'DeadlineExceeded', message: 'too long' }
    },
    sync: (pod: Pod, status: PodRuntimeStatus, mirrorPod?: Pod) =>
      syncer.syncPod(cancellation, {
        updateType: 'sync',
        pod,
        mirrorPod,
        status,
        causes: [3],
      }),
    terminating: (
      pod: Pod,
      status: PodRuntimeStatus,
      rest: Partial<Parameters<typeof syncer.syncTerminatingPod>[1]> = {},
    ) =>
      syncer.syncTerminatingPod(cancellation, {
        pod,
        status,
        gracePeriodSeconds: undefined,
        podStatusFunc: undefined,
        causes: [4],
        ...rest,
      }),
  }
}

const named = { name: 'p', namespace: 'n', uid: 'u' }
const pod = fakePod(named)
const nothing = runtimeStatusOf([], [])
const up = runtimeStatusOf([containerStatusOf('c', 'running')])

describe('pod-workers#sync-functions', () => {
  describe('SyncPod', () => {
    it('takes its steps in the order of the document', async () => {
      const { sync, order } = setUp()
      const imagePullSecrets = [{ name: 's' }]
      await sync(fakeStaticPod({ ...named, spec: { imagePullSecrets } }), nothing)
      // 4 SetPodStatus, 6 managers, 8 mirror reconciliation, 9 to 11 directories, volumes and pull secrets, 12 prober, 13 runtime SyncPod
      expect(order).toEqual([
        'setPodStatus Pending',
        'register secrets',
        'register config maps',
        'tryReconcileMirrorPods',
        'setUpPod',
        'wait for mounts',
        'read pull secret',
        'addPod',
        'runtime syncPod',
      ])
    })

    it('starts nothing while volumes are missing', async () => {
      const { sync, order, blockVolumes } = setUp()
      blockVolumes()
      expect(await sync(pod, nothing)).toEqual({
        ok: false,
        error: { kind: 'failed', message: 'unmounted volumes=[data]: context deadline exceeded' },
      })
      expect(order.at(-1)).toBe('wait for mounts')
    })

    it('registers no Secrets and ConfigMaps of a pod whose termination was requested', async () => {
      const { sync, order, terminate } = setUp()
      terminate()
      await sync(pod, nothing)
      expect(order).not.toContain('register secrets')
      expect(order).not.toContain('register config maps')
      expect(order).toContain('runtime syncPod')
    })

    it('writes the status first, then mirrors, probes and syncs the containers', async () => {
      const { sync, runtime, statusManager, reconciled } = setUp()
      const fixed = fakeStaticPod(named)
      const mirror = fakePod({ uid: 'm' })
      expect(await sync(fixed, nothing, mirror)).toEqual({ ok: true, value: { isTerminal: false } })
      expect(statusManager.set).toHaveLength(1)
      expect(statusManager.set[0]).toMatchObject({
        uid: 'u',
        causes: [3],
        status: {
          phase: 'Pending',
          hostIP: '192.0.2.1',
          containerStatuses: [{ name: 'c', state: { waiting: { reason: 'ContainerCreating' } } }],
        },
      })
      expect(reconciled).toEqual([{ pod: fixed, mirror }])
      expect(runtime.calls).toEqual([{ verb: 'syncPod', uid: 'u', causes: [3] }])
    })

    it('does nothing more for a pod that has ended by itself', async () => {
      const { sync, runtime, statusManager, reconciled } = setUp()
      const done = fakePod({ ...named, spec: { restartPolicy: 'Never' } })
      const exited = runtimeStatusOf([containerStatusOf('c', 'exited', { exitCode: 0 })])
      expect(await sync(done, exited)).toEqual({ ok: true, value: { isTerminal: true } })
      expect(statusManager.getPodStatus('u')?.phase).toBe('Succeeded')
      expect(runtime.calls).toEqual([])
      expect(reconciled).toEqual([])
    })

    it('ends a pod whose deadline has passed', async () => {
      const { sync, statusManager, pastDeadline } = setUp()
      pastDeadline()
      expect(await sync(pod, up)).toEqual({ ok: true, value: { isTerminal: true } })
      expect(statusManager.getPodStatus('u')).toMatchObject({
        phase: 'Failed',
        reason: 'DeadlineExceeded',
        message: 'too long',
      })
    })

    it('stops before the mirror while the network is not ready', async () => {
      const { sync, runtime, recorder, reconciled, statusManager } = setUp()
      runtime.network = 'cni plugin not initialized'
      expect(await sync(pod, nothing)).toEqual({
        ok: false,
        error: { kind: 'failed', message: 'network is not ready: cni plugin not initialized' },
      })
      expect(recorder.lines).toEqual([
        'Warning NetworkNotReady network is not ready: cni plugin not initialized',
      ])
      expect(statusManager.set).toHaveLength(1)
      expect(reconciled).toEqual([])
      expect(runtime.calls).toEqual([])
    })

    it('does not wait for the network with the host’s', async () => {
      const { sync, runtime } = setUp()
      runtime.network = 'cni plugin not initialized'
      const onHost = fakePod({ ...named, spec: { hostNetwork: true } })
      expect(await sync(onHost, nothing)).toEqual({ ok: true, value: { isTerminal: false } })
    })

    it('fails with every container that failed, back-off included, and remembers why', async () => {
      const { sync, runtime, reasonCache } = setUp()
      runtime.syncResult = {
        results: [
          { action: 'CreatePodSandbox', target: 'p_n' },
          {
            action: 'StartContainer',
            target: 'c',
            error: { reason: 'CrashLoopBackOff', message: 'back-off 10s', isBackOff: true },
          },
        ],
      }
      expect(await sync(pod, nothing)).toEqual({
        ok: false,
        error: {
          kind: 'failed',
          message: 'failed to "StartContainer" for "c" with CrashLoopBackOff: "back-off 10s"',
        },
      })
      expect(reasonCache.get('u', 'c')).toEqual({
        reason: 'CrashLoopBackOff',
        message: 'back-off 10s',
      })
    })
  })

  describe('SyncTerminatingPod', () => {
    it('takes its steps in the order of the document', async () => {
      const { terminating, runtime, order } = setUp()
      runtime.statuses.set('u', up)
      await terminating(pod, up)
      expect(order).toEqual([
        'setPodStatus Running',
        'stopLivenessAndStartup',
        'runtime killPod',
        'removePod',
        'runtime getPodStatus',
        'setPodStatus Failed',
      ])
    })

    it('runs to its end once it has begun, despite a cancellation', async () => {
      const { syncer, runtime } = setUp()
      runtime.statuses.set('u', up)
      const source = new CancellationSource()
      const work = {
        pod,
        status: up,
        gracePeriodSeconds: 30,
        podStatusFunc: undefined,
        causes: [],
      }
      const result = syncer.syncTerminatingPod(source.cancellation, work)
      source.cancel()
      expect(await result).toEqual({ ok: true, value: undefined })
    })

    it('fails when the runtime cannot say how the containers ended', async () => {
      const { terminating, runtime, statusManager } = setUp()
      runtime.statuses.set('u', up)
      runtime.statusProblem = 'no answer'
      expect(await terminating(pod, up)).toEqual({
        ok: false,
        error: {
          kind: 'failed',
          message: 'unable to read pod status prior to final pod termination: no answer',
        },
      })
      expect(statusManager.set).toHaveLength(1)
    })

    it('kills with the grace it is given, then writes how the containers ended', async () => {
      const { terminating, runtime, statusManager } = setUp()
      runtime.statuses.set('u', up)
      expect(await terminating(pod, up, { gracePeriodSeconds: 5 })).toEqual({
        ok: true,
        value: undefined,
      })
      expect(runtime.calls).toEqual([
        { verb: 'killPod', uid: 'u', gracePeriodSeconds: 5, causes: [4] },
      ])
      expect(statusManager.set.map(({ status }) => status.phase)).toEqual(['Running', 'Failed'])
      expect(statusManager.getPodStatus('u')).toMatchObject({
        podIP: '10.0.0.1',
        containerStatuses: [{ state: { terminated: { exitCode: 137, reason: 'Error' } } }],
      })
    })

    it('writes the status that the kill asks for before it kills', async () => {
      const { terminating, runtime, statusManager } = setUp()
      runtime.statuses.set('u', up)
      await terminating(pod, up, {
        podStatusFunc: (status) => ({ ...status, phase: 'Failed', reason: 'Evicted' }),
      })
      expect(statusManager.set.map(({ status }) => [status.phase, status.reason])).toEqual([
        ['Failed', 'Evicted'],
        ['Failed', 'Evicted'],
      ])
    })

    it('lets a pod whose containers all exit 0 end as Succeeded, evicted or not', async () => {
      const { terminating, runtime, statusManager } = setUp()
      runtime.statuses.set('u', up)
      runtime.exitCode = 0
      await terminating(pod, up, {
        podStatusFunc: (status) => ({
          ...status,
          phase: 'Failed',
          reason: 'Evicted',
          conditions: [...(status.conditions ?? []), { type: 'DisruptionTarget', status: 'True' }],
        }),
      })
      const last = statusManager.getPodStatus('u')
      expect([last?.phase, last?.reason]).toEqual(['Succeeded', undefined])
      expect(last?.conditions?.map(({ type }) => type)).toContain('DisruptionTarget')
    })

    it('fails with an event when the runtime could not kill', async () => {
      const { terminating, runtime, recorder, order } = setUp()
      runtime.statuses.set('u', up)
      runtime.killResult = { results: [], error: 'no answer' }
      expect(await terminating(pod, up)).toEqual({
        ok: false,
        error: { kind: 'failed', message: 'failed to SyncPod: no answer' },
      })
      expect(recorder.lines).toEqual([
        'Warning FailedKillPod error killing pod: failed to SyncPod: no answer',
      ])
      // The probes stay: the kill is tried again.
      expect(order).toEqual(['setPodStatus Running', 'stopLivenessAndStartup', 'runtime killPod'])
    })

    it('fails when something still runs after a kill that claimed success', async () => {
      const { terminating, runtime } = setUp()
      runtime.statuses.set('u', up)
      runtime.ignoresKills = true
      expect(await terminating(pod, up)).toEqual({
        ok: false,
        error: {
          kind: 'failed',
          message: 'detected running containers after a successful KillPod, CRI violation: [c-0]',
        },
      })
    })

    it('shows a static pod that is stopped for good as Running all the same (status#phase)', async () => {
      const { terminating, runtime, statusManager } = setUp()
      runtime.statuses.set('u', up)
      await terminating(fakeStaticPod(named), up)
      expect(statusManager.getPodStatus('u')?.phase).toBe('Running')
    })
  })

  describe('SyncTerminatingRuntimePod', () => {
    const runningPod = {
      uid: 'r',
      name: 'p',
      namespace: 'n',
      createdAt: 0,
      containers: [],
      sandboxes: [],
    }

    it('kills with one second and writes no status', async () => {
      const { syncer, runtime, statusManager } = setUp()
      expect(
        await syncer.syncTerminatingRuntimePod(cancellation, { runningPod, causes: [5] }),
      ).toEqual({ ok: true, value: undefined })
      expect(runtime.calls).toEqual([
        { verb: 'killPod', uid: 'r', gracePeriodSeconds: 1, causes: [5] },
      ])
      expect(statusManager.set).toEqual([])
    })

    it('fails with an event', async () => {
      const { syncer, runtime, recorder } = setUp()
      runtime.killResult = { results: [], error: 'no answer' }
      const result = await syncer.syncTerminatingRuntimePod(cancellation, {
        runningPod,
        causes: [],
      })
      expect(result).toEqual({
        ok: false,
        error: { kind: 'failed', message: 'failed to SyncPod: no answer' },
      })
      expect(recorder.lines).toEqual([
        'Warning FailedKillPod error killing pod: failed to SyncPod: no answer',
      ])
    })
  })

  describe('SyncTerminatedPod', () => {
    it('writes the last status and marks it as final', async () => {
      const { syncer, statusManager, forgotten, order } = setUp()
      const status = runtimeStatusOf([containerStatusOf('c', 'exited', { exitCode: 3 })], [])
      expect(await syncer.syncTerminatedPod(cancellation, { pod, status, causes: [6] })).toEqual({
        ok: true,
        value: undefined,
      })
      expect(forgotten).toEqual(['u'])
      expect(statusManager.set).toHaveLength(1)
      expect(statusManager.set[0]).toMatchObject({
        uid: 'u',
        status: { phase: 'Failed' },
        causes: [6],
      })
      expect(statusManager.terminated).toEqual(['u'])
      expect(order).toEqual([
        'setPodStatus Failed',
        'wait for unmounts',
        'unregister secrets',
        'unregister config maps',
        'terminatePod',
      ])
    })

    it('is not over while volumes are still mounted', async () => {
      const { syncer, statusManager, blockVolumes } = setUp()
      blockVolumes()
      const work = { pod, status: nothing, causes: [] }
      expect(await syncer.syncTerminatedPod(cancellation, work)).toMatchObject({ ok: false })
      expect(statusManager.terminated).toEqual([])
    })
  })
})
