import { afterEach, expect } from 'vitest'
import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import { fakePod, fakeStaticPod } from '../../../src/main/kubelet/pod/fake-pod.ts'
import { outcomeOf } from '../../../src/main/kubelet/workers/fake-pod-syncer.ts'
import type { SyncEnd } from '../../../src/main/kubelet/workers/fake-pod-syncer.ts'
import { fakeRunningPod, setUpWorkers } from '../../../src/main/kubelet/workers/fake-workers.ts'
import type { UpdatePodOptions } from '../../../src/main/kubelet/workers/update-pod-options.ts'

/** Pod workers on fakes of their ports and the virtual clock. */
export type World = ReturnType<typeof setUpWorkers>

/** Makes worlds for the tests of a file; after each test the invariants of pod-workers#invariants have to hold in all of them. */
export function watchedWorlds(): () => World {
  const worlds: World[] = []
  afterEach(() => {
    for (const { invariants } of worlds.splice(0)) expect(invariants.broken).toEqual([])
  })
  return () => {
    const world = setUpWorkers()
    worlds.push(world)
    return world
  }
}

/** An ordinary pod. */
export const pod = fakePod({ uid: 'u' })
/** The pod after a deletion with this grace. */
export const deleting = (graceSeconds: number, over: Pod = pod): Pod => ({
  ...over,
  metadata: {
    ...over.metadata,
    deletionTimestamp: '2026-01-01T00:00:00Z',
    deletionGracePeriodSeconds: graceSeconds,
  },
})
/** The pod as it is when the API shows it as over. */
export const inPhase = (phase: 'Failed' | 'Succeeded', over: Pod = pod): Pod => ({
  ...over,
  status: { phase },
})

/** Updates the workers, and lets them run. */
export async function update(
  world: World,
  options: Omit<UpdatePodOptions, 'causes'>,
): Promise<void> {
  world.workers.updatePod({ ...options, causes: [] })
  await world.settle()
}

/** Ends the sync running. */
export async function end(world: World, uid: string, how: SyncEnd = 'ok'): Promise<void> {
  world.syncer.current(uid).finish(outcomeOf(how))
  await world.settle()
}

/** A pod whose first sync is under way. */
export async function created(world: World, which: Pod = pod): Promise<void> {
  await update(world, { updateType: 'create', pod: which })
}

/** A pod whose first sync is over. */
export async function running(world: World, which: Pod = pod): Promise<void> {
  await created(world, which)
  await end(world, which.metadata.uid)
}

/** A pod whose containers are being stopped. */
export async function terminating(world: World, which: Pod = pod): Promise<void> {
  await running(world, which)
  await update(world, { updateType: 'kill', pod: which })
  expect(world.syncer.current(which.metadata.uid).kind).toBe('terminating')
}

/** A pod whose containers have stopped, and which is being cleaned up. */
export async function terminated(world: World, which: Pod = pod): Promise<void> {
  await terminating(world, which)
  await end(world, which.metadata.uid)
  expect(world.syncer.current(which.metadata.uid).kind).toBe('terminated')
}

/** A pod whose worker is done. */
export async function finished(world: World, which: Pod = pod): Promise<void> {
  await terminated(world, which)
  await end(world, which.metadata.uid)
  expect(world.record(which.metadata.uid).finished).toBe(true)
}

/** A pod that only the runtime knows, being stopped. */
export async function stoppingRuntimePod(world: World): Promise<void> {
  await update(world, { updateType: 'kill', runningPod: fakeRunningPod('u') })
}

/** Static pods of one full name. */
export const first = fakeStaticPod({ uid: 'first' })
export const second = fakeStaticPod({ uid: 'second' })
export const third = fakeStaticPod({ uid: 'third' })
/** Their full name. */
export const staticName = 'web-node_default'

/** The static pod `first` runs, and `second` waits for its name. */
export async function secondWaits(world: World): Promise<void> {
  await running(world, first)
  await created(world, second)
}
