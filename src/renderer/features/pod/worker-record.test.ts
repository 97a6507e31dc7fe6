import { describe, expect, it } from 'vitest'
import { fakeRow, fakeWorker, storyNow } from '../../bridge/fake-views.ts'
import { lifeSteps } from './life.ts'
import { recordLines } from './worker-record.ts'

const fresh = fakeWorker(fakeRow({ name: 'new', worker: 'waiting', createdAt: null }), {
  pendingUpdate: 'create',
  statusVersion: null,
  statusVersionSent: null,
  nextSyncAt: null,
})
const stopping = fakeWorker(
  fakeRow({
    name: 'old',
    worker: 'TerminatingPod',
    createdAt: storyNow - 60_000,
    grace: { seconds: 30, startedAt: storyNow - 9000, killAt: storyNow + 21_000 },
  }),
  { statusVersionSent: null },
)

function lines(worker: typeof fresh): Readonly<Record<string, string>> {
  return Object.fromEntries(recordLines(worker).map(({ label, value }) => [label, value]))
}

describe('the worker record', () => {
  it('has a line for everything that the record holds, also when nothing has happened', () => {
    expect(lines(fresh)).toEqual({
      state: 'waiting',
      'working now': 'idle',
      'update that waits': 'create',
      'first synced': 'not yet',
      started: 'not yet',
      'next sync': 'not queued',
      'terminating since': 'not yet',
      'because of': 'nothing',
      acknowledged: 'not yet',
      'grace in use': 'none',
      terminated: 'not yet',
      finished: 'not yet',
      deleted: 'no',
      evicted: 'no',
      'restart requested': 'no',
      'status cache': 'empty',
    })
  })

  it('shows times to the millisecond and the record’s own words', () => {
    expect(lines(stopping)).toMatchObject({
      started: '14:01:31.480',
      'terminating since': '14:02:22.480',
      'because of': 'deletionTimestamp',
      'grace in use': '30 s',
      'status cache': 'v7, none sent',
    })
  })
})

describe('the life of a worker', () => {
  it('has only the future before the first sync', () => {
    expect(lifeSteps(fresh).map(({ word, isPast }) => [word, isPast])).toEqual([
      ['seen', false],
      ['started', false],
      ['terminating', false],
      ['terminated', false],
      ['finished', false],
    ])
  })

  it('is past up to where the worker stands', () => {
    expect(lifeSteps(stopping).map(({ isPast }) => isPast)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
    expect(lifeSteps({ ...stopping, terminatedAt: storyNow, finished: true })[4]?.isPast).toBe(true)
  })
})
