import { describe, expect, it } from 'vitest'
import { fakePod } from '../pod/fake-pod.ts'
import { fakeRunningPod } from './fake-workers.ts'
import { mergeLastUpdate, newWorkerRecord, replacePending, replayOf } from './worker-record.ts'

const newRecord = () => newWorkerRecord({ uid: 'u', name: 'web', namespace: 'default', now: 1 })
const first = fakePod({ uid: 'u' })
const second = fakePod({ uid: 'u', metadata: { labels: { v: '2' } } })
const mirror = fakePod({ uid: 'm' })
const runningPod = fakeRunningPod('u')

describe('mergeLastUpdate (semantics 4.7)', () => {
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
})

describe('replacePending', () => {
  it('names at most the newest 32 causes of updates that were coalesced', () => {
    const record = newRecord()
    for (let cause = 1; cause <= 100; cause++)
      replacePending(record, { updateType: 'sync', pod: first, causes: [cause] })
    expect(record.pendingUpdate?.causes).toEqual(Array.from({ length: 32 }, (_, i) => 69 + i))
  })
})
