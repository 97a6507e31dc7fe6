import { describe, expect, it } from 'vitest'
import { fakeRow, fakeWorker, fakeNow } from '../../../bridge/fake-views.ts'
import { providerAnswers } from '../../../../shared/model/explanation/explanation-fields.ts'
import { text } from '../../../text/text.ts'
import { lifecycleSteps } from '../history/worker-lifecycle.ts'
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
    createdAt: fakeNow - 60_000,
    grace: { seconds: 30, startedAt: fakeNow - 9000, killAt: fakeNow + 21_000 },
  }),
  { statusVersionSent: null },
)

function lines(worker: typeof fresh): Readonly<Record<string, string>> {
  const { labels } = text.pod.record
  return Object.fromEntries(recordLines(worker).map(({ field, value }) => [labels[field], value]))
}

describe('the worker record', () => {
  it('has a line for every field, also before the first sync', () => {
    expect(lines(fresh)).toEqual({
      state: 'waiting',
      'full name': 'new_default',
      'working now': 'idle',
      'pending update': 'create',
      'active update': 'none',
      'sync running': 'none',
      canceled: 'no',
      'first synced': 'not yet',
      started: 'not yet',
      'waits for': 'none',
      'next sync': 'not queued',
      'terminating since': 'not yet',
      'because of': 'nothing',
      acknowledged: 'not yet',
      'grace period': 'none',
      'pending kills': 'none',
      'status functions': 'none',
      terminated: 'not yet',
      finished: 'not yet',
      deleted: 'no',
      evicted: 'no',
      'restart requested': 'no',
      'seen in the runtime only': 'no',
      'status cache': 'empty',
    })
  })

  it('shows times in milliseconds and the record’s own words', () => {
    expect(lines(stopping)).toMatchObject({
      started: '14:01:31.480',
      'terminating since': '14:02:22.480',
      'because of': 'deletionTimestamp',
      'grace period': '30 s',
      'status cache': 'v7, none sent',
    })
  })
})

describe('the updates of a worker', () => {
  const active = {
    podVersion: '12',
    mirrorUid: null,
    isRunningPod: false,
    evict: false,
    gracePeriodSecondsOverride: null,
  }
  it('are shown with everything that the active update contains', () => {
    const taken = (part: Partial<typeof stopping.activeUpdate>) =>
      lines({ ...stopping, activeUpdate: { ...active, ...part } })['active update']
    expect(taken({})).toBe('pod at 12')
    expect(taken({ podVersion: '', mirrorUid: '0123456789abcdef', evict: true })).toBe(
      'pod, mirror 01234567…cdef, evict',
    )
    expect(taken({ podVersion: null, isRunningPod: true, gracePeriodSecondsOverride: 1 })).toBe(
      'running pod, grace 1 s',
    )
  })

  it('include the grace period of the sync in progress and the one requested since', () => {
    const currentSync = {
      workType: 'terminating',
      startedAt: fakeNow - 9000,
      gracePeriodSeconds: 30,
    } as const
    const shown = lines({ ...stopping, currentSync, gracePeriodSeconds: 5, cancelled: true })
    expect(shown).toMatchObject({
      'sync running': 'SyncTerminatingPod since 14:02:22.480, grace 30 s',
      'grace period': '5 s',
      canceled: 'yes',
    })
    const syncing = { workType: 'sync', startedAt: fakeNow, gracePeriodSeconds: null } as const
    expect(lines({ ...stopping, currentSync: syncing })['sync running']).toBe(
      'SyncPod since 14:02:31.480',
    )
  })
})

describe('the fields of a worker', () => {
  it('are all shown, as a line of the record or as an answer', () => {
    const shownElsewhere = ['reason', 'statusVersionSent']
    const shown = [
      ...recordLines(stopping).map(({ field }) => field),
      ...providerAnswers,
      ...shownElsewhere,
    ]
    expect(shown.toSorted()).toEqual(Object.keys(stopping).toSorted())
  })
})

describe('the lifecycle of a worker', () => {
  it('has no past step before the first sync', () => {
    expect(lifecycleSteps(fresh).map(({ name, isPast }) => [name, isPast])).toEqual([
      ['seen', false],
      ['started', false],
      ['terminating', false],
      ['terminated', false],
      ['finished', false],
    ])
  })

  it('is past up to the current step', () => {
    expect(lifecycleSteps(stopping).map(({ isPast }) => isPast)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
    expect(lifecycleSteps({ ...stopping, terminatedAt: fakeNow, finished: true })[4]?.isPast).toBe(
      true,
    )
  })
})
