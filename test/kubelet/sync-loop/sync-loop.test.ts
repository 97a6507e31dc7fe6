import { describe, expect, it } from 'vitest'
import type {
  ContainerState,
  ContainerStatus,
  Pod,
  PodStatus,
} from '../../../src/shared/kubernetes/objects.ts'
import type { PodSource } from '../../../src/shared/model/pod-source.ts'
import { nodeClockHost } from '../../../src/main/clock/node-clock-host.ts'
import { seededRandom } from '../../../src/main/clock/seeded-random.ts'
import { VirtualClock } from '../../../src/main/clock/virtual-clock.ts'
import type { MergedPod, PodUpdate } from '../../../src/main/kubelet/config/pod-config.ts'
import { ExpectedSources } from '../../../src/main/kubelet/config/sources-ready.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { FakeTrace } from '../../../src/main/kubelet/container/fake-trace.ts'
import { fakePod } from '../../../src/main/kubelet/pod/fake-pod.ts'
import { PodManager } from '../../../src/main/kubelet/pod/pod-manager.ts'
import { PodsController } from '../../../src/main/kubelet/pods-controller.ts'
import type { PodProvider, PodsControllerDeps } from '../../../src/main/kubelet/pods-controller.ts'
import type { PodLifecycleEvent } from '../../../src/main/kubelet/container/runtime.ts'
import { FakeStatusManager } from '../../../src/main/kubelet/status/fake-status-manager.ts'

function toldOf(state: ContainerState): ContainerStatus {
  return { name: 'c', state, ready: false, restartCount: 0, image: 'i', imageID: '' }
}

function setUp(
  options: {
    readonly sources?: readonly PodSource[]
    readonly cleanupMs?: number
    /** How long an admission waits for a preemption. */
    readonly admissionMs?: number
  } = {},
) {
  const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  const trace = new FakeTrace()
  const podManager = new PodManager({ trace })
  const calls: string[] = []
  const note = (what: string) => (pods: readonly MergedPod[]) => {
    calls.push(`${what} ${pods.map((one) => one.pod.metadata.uid).join(',')}`)
  }
  const state = {
    due: [] as string[],
    wants: [] as string[],
    errors: [] as string[],
    /** Uids of pods whose containers could run. */
    atWork: [] as string[],
    iterations: 0,
  }
  const sourcesReady = new ExpectedSources({
    expected: options.sources ?? [],
    hasSeen: () => true,
  })
  const passing = async (ms: number | undefined): Promise<void> => {
    if (ms === undefined) return
    await new Promise<void>((resolve) => {
      clock.after(ms, resolve)
    })
  }
  const statusManager = new FakeStatusManager()
  const podWorkers = {
    isPodTerminationRequested: () => false,
    shouldPodContentBeRemoved: () => false,
    shouldPodRuntimeBeRemoved: () => false,
    couldHaveRunningContainers: (uid: string) => state.atWork.includes(uid),
  }
  const deps: PodsControllerDeps = {
    podManager,
    podWorkers,
    statusManager,
    handler: {
      handlePodAdditions: async (pods) => {
        note('add')(pods)
        await passing(options.admissionMs)
      },
      handlePodUpdates: async (pods) => {
        await Promise.resolve(note('update')(pods))
      },
      handlePodRemoves: async (pods) => {
        await Promise.resolve(note('remove')(pods))
      },
      handlePodReconcile: async (pods) => {
        await Promise.resolve(note('reconcile')(pods))
      },
      handlePodSyncs: (pods: readonly Pod[]) => {
        calls.push(`sync ${pods.map((pod) => pod.metadata.uid).join(',')}`)
      },
      handlePodSyncByUID: () => undefined,
      handlePodCleanups: async () => {
        calls.push(`cleanup@${clock.now()}`)
        await passing(options.cleanupMs)
      },
      cleanUpContainersInPod: (uid) => calls.push(`containers ${uid}`),
    },
    sourcesReady,
    dueWork: () => state.due.splice(0).map((uid) => ({ uid, causes: [9] })),
    wantsSync: (pod) => state.wants.includes(pod.metadata.uid),
    clock,
    random: seededRandom(1),
    trace,
    log: new FakeLog(),
    onIteration: () => {
      state.iterations++
    },
  }
  const controller = new PodsController(deps)
  let tellController: ((event: PodLifecycleEvent) => void) | undefined
  const provider: PodProvider = {
    start: (onEvent) => {
      tellController = onEvent
    },
    stop: () => {
      tellController = undefined
    },
    runtimeErrors: () => state.errors,
  }
  controller.registerProvider(provider)
  const tell = (event: PodLifecycleEvent): void => tellController?.(event)
  const isProviderAtWork = (): boolean => tellController !== undefined
  const update = (op: PodUpdate['op'], ...pods: Pod[]): void => {
    controller.takeConfig({ op, source: 'api', pods: pods.map((pod) => ({ pod, causes: [] })) })
  }
  return {
    deps,
    clock,
    trace,
    podManager,
    podWorkers,
    statusManager,
    calls,
    state,
    controller,
    provider,
    tell,
    isProviderAtWork,
    update,
    sourcesReady,
  }
}

describe('sync-loop#inputs', () => {
  it.each([
    ['ADD', 'add web-uid'],
    ['UPDATE', 'update web-uid'],
    ['DELETE', 'update web-uid'],
    ['REMOVE', 'remove web-uid'],
    ['RECONCILE', 'reconcile web-uid'],
  ] as const)('hands %s to its handler', async (op, call) => {
    const { controller, clock, calls, update } = setUp()
    void controller.run()
    update(op, fakePod())
    await clock.advance(0)
    expect(calls).toEqual([call])
  })

  it('keeps the order of one source’s updates', async () => {
    const { controller, clock, calls, update } = setUp()
    void controller.run()
    update('REMOVE', fakePod({ uid: 'old' }))
    update('ADD', fakePod({ uid: 'new' }))
    await clock.advance(0)
    expect(calls).toEqual(['remove old', 'add new'])
  })

  it('takes either of two ready inputs first', async () => {
    const { controller, clock, calls, podManager, state, update } = setUp({
      sources: ['http'],
      admissionMs: 50,
    })
    podManager.setPods([fakePod({ name: 'due', uid: 'due' })], [])
    void controller.run()
    const firsts = new Set<string>()
    for (let second = 1; second <= 20; second++) {
      await clock.advance(second * 1000 - 20 - clock.now())
      // The loop is busy with this one while the tick comes, and then the other.
      update('ADD', fakePod({ uid: 'busy' }))
      state.due = ['due']
      await clock.advance(30)
      update('ADD', fakePod({ uid: 'other' }))
      await clock.advance(500)
      const [busy, first, ...rest] = calls.splice(0)
      expect([busy, ...[first ?? '', ...rest].toSorted()]).toEqual([
        'add busy',
        'add other',
        'sync due',
      ])
      firsts.add(first ?? '')
    }
    expect([...firsts].toSorted()).toEqual(['add other', 'sync due'])
  })

  it('never handles an input in the call that brought it', () => {
    const { controller, calls, update } = setUp()
    void controller.run()
    update('ADD', fakePod())
    expect(calls).toEqual([])
  })

  it('syncs each second the known pods that are due, and those past their deadline', async () => {
    const { controller, clock, calls, podManager, state } = setUp({ sources: ['file'] })
    podManager.setPods([fakePod({ name: 'a', uid: 'a' }), fakePod({ name: 'b', uid: 'b' })], [])
    void controller.run()
    state.due = ['a', 'forgotten']
    await clock.advance(1000)
    expect(calls.splice(0)).toEqual(['sync a'])
    await clock.advance(1000)
    expect(calls.splice(0)).toEqual([])
    state.wants = ['b']
    await clock.advance(1000)
    expect(calls).toEqual(['sync b'])
  })

  it('runs housekeeping every two seconds once the sources are ready, and traces once that it waits', async () => {
    const { controller, clock, calls, trace, update } = setUp({ sources: ['api'] })
    void controller.run()
    await clock.advance(6000)
    expect(calls).toEqual([])
    expect(trace.data('loop.housekeeping')).toEqual([
      { orphans: 0, skipped: true, message: 'not all sources have been seen yet' },
    ])
    update('ADD')
    await clock.advance(4000)
    expect(calls).toEqual(['add ', 'cleanup@8000', 'cleanup@10000'])
  })

  it('takes no other input while housekeeping waits for the runtime', async () => {
    const { controller, clock, calls, update } = setUp({ cleanupMs: 500 })
    void controller.run()
    await clock.advance(2100)
    update('ADD', fakePod())
    await clock.advance(300)
    expect(calls).toEqual(['cleanup@2000'])
    await clock.advance(200)
    expect(calls).toEqual(['cleanup@2000', 'add web-uid'])
    expect(controller.view().housekeepingMs).toBe(500)
  })

  it('takes no other input while an admission waits for a preemption', async () => {
    const { controller, clock, calls, update, sourcesReady } = setUp({
      sources: ['api'],
      admissionMs: 500,
    })
    void controller.run()
    update('ADD', fakePod({ uid: 'critical' }))
    update('UPDATE', fakePod({ uid: 'other' }))
    await clock.advance(499)
    expect(calls).toEqual(['add critical'])
    expect(sourcesReady.allReady()).toBe(false)
    await clock.advance(1)
    expect(calls).toEqual(['add critical', 'update other'])
    expect(sourcesReady.allReady()).toBe(true)
  })

  it('syncs on what the PLEG saw, and cleans up after a container that died', async () => {
    const { controller, clock, calls, podManager, tell } = setUp()
    podManager.setPods([fakePod()], [])
    void controller.run()
    const event = (
      type: 'ContainerStarted' | 'ContainerDied' | 'ContainerRemoved',
      uid: string,
    ) => {
      tell({ uid, type, containerId: 'c1', causes: [] })
    }
    event('ContainerStarted', 'web-uid')
    event('ContainerDied', 'web-uid')
    event('ContainerRemoved', 'web-uid')
    event('ContainerStarted', 'unknown')
    event('ContainerDied', 'unknown')
    await clock.advance(0)
    expect(calls).toEqual([
      'sync web-uid',
      'sync web-uid',
      'containers web-uid',
      'containers unknown',
    ])
  })

  it('pauses while the runtime is down, for longer and longer, and continues afterwards', async () => {
    const { controller, clock, calls, state, update } = setUp()
    state.errors = ['container runtime is down']
    void controller.run()
    update('ADD', fakePod())
    await clock.advance(60_000)
    expect(calls).toEqual([])
    expect(controller.view().isStalledBy).toEqual(['container runtime is down'])
    state.errors = []
    await clock.advance(5000)
    expect(calls).toContain('add web-uid')
  })

  it('traces what it took, with names, and counts iterations', async () => {
    const { controller, clock, trace, state, update } = setUp()
    void controller.run()
    update(
      'ADD',
      ...Array.from({ length: 7 }, (_, index) => fakePod({ name: `p${index}`, uid: `u${index}` })),
    )
    await clock.advance(0)
    expect(trace.data('loop.config')).toEqual([
      {
        source: 'api',
        op: 'ADD',
        pods: 7,
        names: ['default/p0', 'default/p1', 'default/p2', 'default/p3', 'default/p4'],
      },
    ])
    expect(controller.view().iterations).toBe(1)
    expect(state.iterations).toBe(1)
  })

  it('takes no input after stop, and leaves no timer', async () => {
    const { controller, clock, calls, update, isProviderAtWork } = setUp()
    const run = controller.run()
    expect(isProviderAtWork()).toBe(true)
    await controller.stop()
    await run
    expect(isProviderAtWork()).toBe(false)
    update('ADD', fakePod())
    await clock.advance(5000)
    expect(calls).toEqual([])
    expect(clock.pendingTimers).toBe(0)
  })
})

describe('sync-loop#inputs: as the seed names it (PodsController)', () => {
  it('has stopped when the current input is finished, and run ends with it', async () => {
    const { controller, clock, update } = setUp({ admissionMs: 300 })
    const ends: string[] = []
    void controller.run().then(() => ends.push('run'))
    update('ADD', fakePod())
    await clock.advance(100)
    void controller.stop().then(() => ends.push('stop'))
    await clock.advance(100)
    expect(ends).toEqual([])
    await clock.advance(100)
    expect(ends.toSorted()).toEqual(['run', 'stop'])
  })

  it('is not used again once it was stopped, also before it ran', async () => {
    const { controller, clock, calls, update, isProviderAtWork } = setUp()
    await controller.stop()
    await controller.run()
    update('ADD', fakePod())
    await clock.advance(5000)
    expect([calls, isProviderAtWork()]).toEqual([[], false])
  })

  it('runs once, however often it is started', async () => {
    const { controller, clock, calls } = setUp()
    void controller.run()
    void controller.run()
    await clock.advance(2000)
    expect(calls).toEqual(['cleanup@2000'])
  })

  it('needs a provider before it runs, and takes none while it does', async () => {
    const { controller, provider, deps } = setUp()
    const lonely = new PodsController(deps)
    await expect(lonely.run()).rejects.toThrow('no provider')
    void controller.run()
    expect(() => {
      controller.registerProvider(provider)
    }).toThrow('before the loop runs')
  })

  it('is ready once the runtime is well, and not before it runs', async () => {
    const { controller, clock, state } = setUp()
    let isReady = false
    void controller.ready().then(() => {
      isReady = true
    })
    state.errors = ['container runtime is down']
    await clock.advance(1000)
    void controller.run()
    await clock.advance(1000)
    expect(isReady).toBe(false)
    state.errors = []
    await clock.advance(5000)
    expect(isReady).toBe(true)
  })

  it('hands out the pod workers’ answers and the status manager', () => {
    const { controller, podWorkers, statusManager } = setUp()
    expect(controller.getPodStateProvider()).toBe(podWorkers)
    expect(controller.getStatusManager()).toBe(statusManager)
  })

  it.each<readonly [string, boolean, PodStatus, boolean]>([
    ['a worker may still run its containers', true, {}, false],
    [
      'its status still shows one that runs',
      false,
      { containerStatuses: [toldOf({ running: {} })] },
      false,
    ],
    [
      'its status still shows an init container that runs',
      false,
      { initContainerStatuses: [toldOf({ running: {} })] },
      false,
    ],
    [
      'all that it shows has ended',
      false,
      { containerStatuses: [toldOf({ terminated: { exitCode: 0 } }), toldOf({ waiting: {} })] },
      true,
    ],
  ])('knows what the node holds for a pod: %s', (_what, isAtWork, status, isReclaimed) => {
    const { controller, state } = setUp()
    if (isAtWork) state.atWork.push('web-uid')
    expect(controller.podCouldHaveRunningContainers(fakePod())).toBe(isAtWork)
    expect(controller.podResourcesAreReclaimed(fakePod(), status)).toBe(isReclaimed)
  })
})
