import { describe, expect, it } from 'vitest'
import { fakePod } from '../../../src/main/kubelet/pod/fake-pod.ts'
import {
  watchedWorlds,
  pod,
  deleting,
  update,
  end,
  created,
  running,
  terminating,
} from '../pod-workers/worker-fixture.ts'

const setUp = watchedWorlds()

describe('termination#cancellation', () => {
  it('shows the requested grace and the grace of the call in progress', async () => {
    const world = setUp()
    await terminating(world)
    await update(world, { updateType: 'update', pod: deleting(3) })
    expect(world.workers.workerView('u')).toMatchObject({
      gracePeriodSeconds: 3,
      currentSync: { workType: 'terminating', startedAt: 1000, gracePeriodSeconds: 30 },
      cancelled: true,
    })
    await end(world, 'u', 'error')
    expect(world.workers.workerView('u')).toMatchObject({
      currentSync: { workType: 'terminating', startedAt: 1000, gracePeriodSeconds: 3 },
      cancelled: false,
    })
  })

  it('lets a call in progress run to its end; the shorter grace reaches only the next one', async () => {
    const world = setUp()
    await terminating(world)
    const [call] = world.syncer.open
    await update(world, { updateType: 'update', pod: deleting(3) })
    await world.clock.advance(20_000)
    expect(world.syncer.open).toEqual([call])
    await end(world, 'u')
    expect(world.record('u').terminatedAt).toBe(21_000)
    expect(world.syncer.kinds.filter((kind) => kind === 'terminating u')).toHaveLength(1)
  })

  it('takes the pending update at once after a cancellation', async () => {
    const world = setUp()
    await created(world)
    await update(world, { updateType: 'kill', pod })
    const { now } = world.clock
    const before = now()
    await end(world, 'u', 'cancelled')
    expect(world.syncer.current('u').kind).toBe('terminating')
    expect(now()).toBe(before)
  })

  it('shows nothing under way between two syncs', async () => {
    const world = setUp()
    await running(world)
    expect(world.workers.workerView('u')?.currentSync).toBeNull()
  })
})

describe('pod-workers#invariants', () => {
  it('never awaits in UpdatePod and SyncKnownPods: their effect is there when they return', async () => {
    const world = setUp()
    await running(world)
    world.workers.updatePod({ updateType: 'kill', pod, causes: [] })
    expect(world.workers.isPodTerminationRequested('u')).toBe(true)
    world.workers.updatePod({ updateType: 'create', pod: fakePod({ uid: 'v' }), causes: [] })
    expect([...world.workers.syncKnownPods([pod]).keys()]).toEqual(['u'])
  })

  it('loses no ring between a consumption and the next wait', async () => {
    const world = setUp()
    await created(world)
    const call = world.syncer.current('u')
    // In the turn in which the sync ends, before its worker has gone on.
    call.finish()
    world.workers.updatePod({ updateType: 'update', pod, causes: [] })
    await world.settle()
    expect(world.syncer.calls).toHaveLength(2)
  })
})
