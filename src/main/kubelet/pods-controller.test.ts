import { describe, expect, it } from 'vitest'
import type { Pod } from '../../shared/kubernetes/objects.ts'
import type { PodSource } from '../../shared/model/trace-event.ts'
import { nodeClockHost } from '../clock/node-clock-host.ts'
import { seededRandom } from '../clock/seeded-random.ts'
import { VirtualClock } from '../clock/virtual-clock.ts'
import type { MergedPod, PodUpdate } from './config/pod-config.ts'
import { ExpectedSources } from './config/sources-ready.ts'
import { FakeLog } from './container/fake-log.ts'
import { FakeTrace } from './container/fake-trace.ts'
import { fakePod } from './pod/fake-pod.ts'
import { PodManager } from './pod/pod-manager.ts'
import { PodsController } from './pods-controller.ts'

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
  const controller = new PodsController({
    podManager,
    handler: {
      handlePodAdditions: async (pods) => {
        note('add')(pods)
        await passing(options.admissionMs)
      },
      handlePodUpdates: note('update'),
      handlePodRemoves: note('remove'),
      handlePodReconcile: note('reconcile'),
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
    runtimeErrors: () => state.errors,
    clock,
    random: seededRandom(1),
    trace,
    log: new FakeLog(),
    onIteration: () => {
      state.iterations++
    },
  })
  const update = (op: PodUpdate['op'], ...pods: Pod[]): void => {
    controller.takeConfig({ op, source: 'api', pods: pods.map((pod) => ({ pod, causes: [] })) })
  }
  return { clock, trace, podManager, calls, state, controller, update, sourcesReady }
}

describe('PodsController', () => {
  it.each([
    ['ADD', 'add web-uid'],
    ['UPDATE', 'update web-uid'],
    ['DELETE', 'update web-uid'],
    ['REMOVE', 'remove web-uid'],
    ['RECONCILE', 'reconcile web-uid'],
  ] as const)('hands %s to its handler', async (op, call) => {
    const { controller, clock, calls, update } = setUp()
    controller.start()
    update(op, fakePod())
    await clock.advance(0)
    expect(calls).toEqual([call])
  })

  it('keeps the order of what one source says', async () => {
    const { controller, clock, calls, update } = setUp()
    controller.start()
    update('REMOVE', fakePod({ uid: 'old' }))
    update('ADD', fakePod({ uid: 'new' }))
    await clock.advance(0)
    expect(calls).toEqual(['remove old', 'add new'])
  })

  it('never handles an input in the stack of whoever brought it', () => {
    const { controller, calls, update } = setUp()
    controller.start()
    update('ADD', fakePod())
    expect(calls).toEqual([])
  })

  it('syncs each second the pods that are due and known, and those that want it', async () => {
    const { controller, clock, calls, podManager, state } = setUp({ sources: ['file'] })
    podManager.setPods([fakePod({ name: 'a', uid: 'a' }), fakePod({ name: 'b', uid: 'b' })], [])
    controller.start()
    state.due = ['a', 'forgotten']
    await clock.advance(1000)
    expect(calls.splice(0)).toEqual(['sync a'])
    await clock.advance(1000)
    expect(calls.splice(0)).toEqual([])
    state.wants = ['b']
    await clock.advance(1000)
    expect(calls).toEqual(['sync b'])
  })

  it('cleans up every two seconds once the sources are ready, and says once that it waits', async () => {
    const { controller, clock, calls, trace, update } = setUp({ sources: ['api'] })
    controller.start()
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
    controller.start()
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
    controller.start()
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
    const { controller, clock, calls, podManager } = setUp()
    podManager.setPods([fakePod()], [])
    controller.start()
    const event = (
      type: 'ContainerStarted' | 'ContainerDied' | 'ContainerRemoved',
      uid: string,
    ) => {
      controller.takePleg({ uid, type, containerId: 'c1', causes: [] })
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

  it('stands still while the runtime is down, with growing pauses, and goes on after', async () => {
    const { controller, clock, calls, state, update } = setUp()
    state.errors = ['container runtime is down']
    controller.start()
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
    controller.start()
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

  it('takes nothing more after stop, and leaves no timer', async () => {
    const { controller, clock, calls, update } = setUp()
    controller.start()
    controller.stop()
    update('ADD', fakePod())
    await clock.advance(5000)
    expect(calls).toEqual([])
    expect(clock.pendingTimers).toBe(0)
  })
})
