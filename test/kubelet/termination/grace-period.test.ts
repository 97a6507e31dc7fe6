import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fakeMirrorOf, fakePod, fakeStaticPod } from '../../../src/main/kubelet/pod/fake-pod.ts'
import { failed } from '../../../src/main/kubelet/workers/fake-pod-syncer.ts'
import { fakeRunningPod } from '../../../src/main/kubelet/workers/fake-workers.ts'
import { calculateEffectiveGracePeriod } from '../../../src/main/kubelet/workers/grace-period.ts'
import {
  mergeLastUpdate,
  newWorkerRecord,
  replayOf,
} from '../../../src/main/kubelet/workers/worker-record.ts'
import { watchedWorlds, pod, first, second } from '../pod-workers/worker-fixture.ts'

const setUp = watchedWorlds()

describe('termination#grace-period', () => {
  interface Case {
    readonly recorded?: number
    readonly spec?: number
    readonly deletion?: number
    readonly override?: number
    readonly seconds: number
    readonly isChanged?: boolean
  }

  function podWith({ spec, deletion }: Omit<Case, 'seconds'>) {
    const one = fakePod({
      metadata: deletion === undefined ? {} : { deletionGracePeriodSeconds: deletion },
    })
    const { terminationGracePeriodSeconds: _, ...rest } = one.spec
    return {
      ...one,
      spec: spec === undefined ? rest : { ...rest, terminationGracePeriodSeconds: spec },
    }
  }

  it.each<Case>([
    { spec: 30, seconds: 30 },
    { spec: 30, deletion: 10, seconds: 10 },
    { spec: 30, override: 5, seconds: 5 },
    { spec: 30, deletion: 0, seconds: 1 },
    { spec: 30, override: 0, seconds: 1 },
    { spec: 30, deletion: 60, seconds: 60 },
    { spec: 30, override: 60, seconds: 60 },
    { spec: 30, deletion: 10, override: 5, seconds: 5 },
    { spec: 30, deletion: 5, override: 10, seconds: 5 },
    { spec: 0, seconds: 1 },
    { seconds: 1 },
    // 0 also means "unset" on the way: the override is taken although the deletion asked for less.
    { spec: 30, deletion: 0, override: 10, seconds: 10 },
    // Less than nothing is nothing, but not "unset".
    { spec: 30, deletion: -1, override: 10, seconds: 1 },
    { spec: -1, seconds: 1 },
    // Recorded already: the spec no longer counts, and deletion and override can only shorten it.
    { recorded: 30, spec: 30, seconds: 30 },
    { recorded: 30, spec: 5, seconds: 30 },
    { recorded: 30, spec: 30, override: 1, seconds: 1, isChanged: true },
    { recorded: 30, spec: 30, deletion: 30, override: 1, seconds: 1, isChanged: true },
    { recorded: 30, spec: 30, deletion: 0, seconds: 1, isChanged: true },
    { recorded: 30, spec: 30, override: 31, seconds: 30 },
    { recorded: 30, spec: 30, override: 30, seconds: 30 },
    { recorded: 1, spec: 30, deletion: 0, seconds: 1 },
    // But "unset" lets it grow again.
    { recorded: 1, spec: 30, deletion: 0, override: 30, seconds: 30, isChanged: true },
    { recorded: 20, spec: 30, deletion: 0, override: 30, seconds: 30, isChanged: true },
    { recorded: 20, spec: 30, deletion: 0, override: 20, seconds: 20 },
    { recorded: 20, spec: 30, deletion: 0, override: 10, seconds: 10, isChanged: true },
    { recorded: 10, spec: 30, deletion: 8, override: 9, seconds: 8, isChanged: true },
  ])('%o', (one) => {
    expect(calculateEffectiveGracePeriod(one.recorded ?? 0, podWith(one), one.override)).toEqual({
      seconds: one.seconds,
      isChanged: one.isChanged ?? false,
    })
  })

  const seconds = fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined })
  it('is at least 1, and exceeds the recorded one only by an override after a deletion with 0 s', () => {
    fc.assert(
      fc.property(
        fc.record({ spec: seconds, deletion: seconds, override: seconds }),
        fc.integer({ min: 0, max: 60 }),
        (asked, recorded) => {
          const one = podWith({
            ...(asked.spec === undefined ? {} : { spec: asked.spec }),
            ...(asked.deletion === undefined ? {} : { deletion: asked.deletion }),
          })
          const grace = calculateEffectiveGracePeriod(recorded, one, asked.override)
          expect(grace.seconds).toBeGreaterThanOrEqual(1)
          const isQuirk = asked.deletion === 0 && asked.override !== undefined
          if (recorded > 0 && !isQuirk) expect(grace.seconds).toBeLessThanOrEqual(recorded)
          expect(grace.isChanged).toBe(recorded > 0 && grace.seconds !== recorded)
        },
      ),
    )
  })

  it('takes the smaller of deletion and override, whatever the pod’s own', () => {
    const some = fc.integer({ min: 1, max: 60 })
    fc.assert(
      fc.property(some, some, some, (spec, deletion, override) => {
        const { seconds: used } = calculateEffectiveGracePeriod(
          0,
          podWith({ spec, deletion }),
          override,
        )
        expect(used).toBe(Math.min(deletion, override))
      }),
    )
  })
})

describe('pod-workers#active-update', () => {
  const newRecord = () => newWorkerRecord({ uid: 'u', name: 'web', namespace: 'default', now: 1 })
  const mirror = fakePod({ uid: 'm' })
  const runningPod = fakeRunningPod('u')

  it('takes the newest pod, and keeps a known one when only the runtime knows the update', () => {
    const record = newRecord()
    mergeLastUpdate(record, { updateType: 'create', pod: first, causes: [] })
    mergeLastUpdate(record, { updateType: 'update', pod: second, causes: [] })
    expect(record.activeUpdate?.pod).toBe(second)
    mergeLastUpdate(record, { updateType: 'kill', runningPod, causes: [] })
    expect(record.activeUpdate).toMatchObject({ pod: second, runningPod })
    mergeLastUpdate(record, { updateType: 'sync', pod: first, causes: [] })
    expect(record.activeUpdate).toMatchObject({ pod: first, runningPod: undefined })
  })

  it('keeps the last mirror', () => {
    const record = newRecord()
    mergeLastUpdate(record, { updateType: 'sync', pod: first, mirrorPod: mirror, causes: [] })
    mergeLastUpdate(record, { updateType: 'sync', pod: first, causes: [] })
    expect(record.activeUpdate?.mirrorPod).toBe(mirror)
  })

  it('keeps of the kill options evict of this update and the override, nothing else', () => {
    const record = newRecord()
    mergeLastUpdate(record, {
      updateType: 'kill',
      pod: first,
      killPodOptions: {
        evict: true,
        gracePeriodSecondsOverride: 3,
        onCompleted: () => undefined,
        podStatusFunc: (status) => status,
      },
      causes: [],
    })
    expect(record.activeUpdate?.killPodOptions).toEqual({
      evict: true,
      gracePeriodSecondsOverride: 3,
    })
    mergeLastUpdate(record, { updateType: 'sync', pod: first, causes: [] })
    expect(record.activeUpdate?.killPodOptions).toEqual({
      evict: true,
      gracePeriodSecondsOverride: 3,
    })
    mergeLastUpdate(record, {
      updateType: 'kill',
      pod: first,
      killPodOptions: { evict: false },
      causes: [],
    })
    expect(record.activeUpdate?.killPodOptions).toEqual({})
  })

  it('replays as a sync without a start time', () => {
    const record = newRecord()
    const update = { updateType: 'create', pod: first, mirrorPod: mirror, startTime: 5 } as const
    mergeLastUpdate(record, { ...update, causes: [1] })
    expect(record.activeUpdate && replayOf(record.activeUpdate, [7])).toEqual({
      updateType: 'sync',
      pod: first,
      mirrorPod: mirror,
      causes: [7],
    })
  })

  it('remembers the mirror of an earlier update for its replays', async () => {
    const world = setUp()
    const fixed = fakeStaticPod({ uid: 's' })
    const mirrorPod = fakeMirrorOf(fixed)
    world.workers.updatePod({ updateType: 'create', pod: fixed, mirrorPod, causes: [] })
    await world.settle()
    world.syncer.current('s').finish()
    await world.settle()
    world.workers.updatePod({ updateType: 'sync', pod: fixed, causes: [] })
    await world.settle()
    world.syncer.current('s').finish()
    await world.settle()
    expect(world.record('s').activeUpdate).toEqual({
      pod: fixed,
      mirrorPod,
      runningPod: undefined,
      killPodOptions: undefined,
    })
  })

  it('drops evict from what it remembers when a plain kill follows, but not from the record', async () => {
    const world = setUp()
    const evict = { evict: true, gracePeriodSecondsOverride: 9 }
    world.workers.updatePod({ updateType: 'kill', pod, killPodOptions: evict, causes: [] })
    await world.settle()
    expect(world.record('u').activeUpdate?.killPodOptions).toEqual(evict)
    world.workers.updatePod({ updateType: 'kill', pod, causes: [] })
    world.syncer.current('u').finish(failed('no'))
    await world.settle()
    expect(world.record('u').activeUpdate?.killPodOptions).toEqual({
      gracePeriodSecondsOverride: 9,
    })
    expect(world.record('u').evicted).toBe(true)
  })
})
