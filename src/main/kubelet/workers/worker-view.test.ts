import { describe, expect, it } from 'vitest'
import { fakePod } from '../pod/fake-pod.ts'
import { CancellationSource } from './cancellation-source.ts'
import { fakeRunningPod } from './fake-workers.ts'
import { newWorkerRecord } from './worker-record.ts'
import type { ActiveUpdate, WorkerRecord } from './worker-record.ts'
import { workerView } from './worker-view.ts'

function record(over: Partial<WorkerRecord> = {}): WorkerRecord {
  return { ...newWorkerRecord({ uid: 'u', name: 'web', namespace: 'default', now: 1 }), ...over }
}

const started = { startedAt: 2 }
const requested = { ...started, terminatingAt: 3 }
const acknowledged = { ...requested, startedTerminating: true }
const stopped = { ...acknowledged, terminatedAt: 4 }
const done = { ...stopped, finished: true }

describe('workerView', () => {
  const view = (over: Partial<WorkerRecord>) =>
    workerView(record(over), { podsSynced: true, nextSyncAt: 77, mirrorIsGuarded: false })

  it.each<readonly [string, Partial<WorkerRecord>, string, string]>([
    ['has not begun', {}, 'waiting', 'has not taken its first update yet'],
    [
      'stands in line',
      { blockedByUid: 'other' },
      'waiting',
      'waits for other, which still holds the name web_default',
    ],
    ['runs', started, 'SyncPod', ''],
    ['is to end before it has begun', { terminatingAt: 3 }, 'TerminatingPod', ''],
    ['stops', requested, 'TerminatingPod', ''],
    ['has stopped', stopped, 'TerminatedPod', ''],
    ['is done', done, 'finished', ''],
    [
      'was stopped before it began',
      { terminatingAt: 3, terminatedAt: 4, finished: true },
      'finished',
      'it was stopped before it could start',
    ],
    [
      'was created again while it stopped',
      { ...acknowledged, restartRequested: true },
      'TerminatingPod',
      'a pod with the same uid was created while it was stopping; it starts again after this one has finished',
    ],
    [
      'was created again and has stopped',
      { ...stopped, restartRequested: true },
      'TerminatedAndRecreatedPod',
      'a pod with the same uid was created while it was stopping; it starts again after this one has finished',
    ],
    [
      'was created again and is done',
      { ...done, restartRequested: true },
      'TerminatedAndRecreatedPod',
      'a pod with the same uid was created while it was stopping; it starts again after this one has finished',
    ],
  ])('names the state of one that %s', (_, over, state, reason) => {
    expect(view(over)).toMatchObject({ state, reason })
  })

  it('shows the whole record', () => {
    const active: ActiveUpdate = {
      pod: fakePod({ uid: 'u', metadata: { resourceVersion: '12' } }),
      mirrorPod: fakePod({ uid: 'm' }),
      runningPod: undefined,
      killPodOptions: { evict: true, gracePeriodSecondsOverride: 1 },
    }
    expect(
      view({
        ...requested,
        working: true,
        terminatingBecause: 'evicted',
        gracePeriodSeconds: 1,
        evicted: true,
        pendingUpdate: { updateType: 'kill', causes: [] },
        activeUpdate: active,
        currentSync: { type: 'terminating', startedAt: 5, gracePeriodSeconds: 30 },
        notifyPostTerminating: [() => undefined],
        statusPostTerminating: [(status) => status, (status) => status],
      }),
    ).toEqual({
      state: 'TerminatingPod',
      reason: '',
      fullName: 'web_default',
      working: true,
      pendingUpdate: 'kill',
      activeUpdate: {
        podVersion: '12',
        mirrorUid: 'm',
        isRunningPod: false,
        evict: true,
        gracePeriodSecondsOverride: 1,
      },
      currentSync: { workType: 'terminating', startedAt: 5, gracePeriodSeconds: 30 },
      cancelled: false,
      syncedAt: 1,
      startedAt: 2,
      blockedByUid: null,
      terminatingAt: 3,
      terminatingBecause: 'evicted',
      acknowledgedTerminating: false,
      gracePeriodSeconds: 1,
      waitingForEnd: 1,
      statusFunctions: 2,
      terminatedAt: null,
      deleted: false,
      evicted: true,
      finished: false,
      restartRequested: false,
      observedRuntime: false,
      knownTerminated: false,
      couldHaveRunningContainers: true,
      shouldBeFinished: false,
      terminationRequested: true,
      containersShouldBeTerminating: false,
      runtimeMayBeRemoved: false,
      contentMayBeRemoved: true,
      mirrorIsGuarded: false,
      nextSyncAt: 77,
      statusVersion: null,
      statusVersionSent: null,
    })
  })

  it('shows what only the runtime knows, and a pod that is in no API', () => {
    const nothing = { mirrorPod: undefined, killPodOptions: undefined }
    const runtimeOnly = { ...nothing, pod: undefined, runningPod: fakeRunningPod('u') }
    const fromFile = { ...nothing, pod: fakePod({ uid: 'u' }), runningPod: undefined }
    const shown = [runtimeOnly, fromFile].map((activeUpdate) => view({ activeUpdate }).activeUpdate)
    const options = { mirrorUid: null, evict: false, gracePeriodSecondsOverride: null }
    expect(shown).toEqual([
      { ...options, podVersion: null, isRunningPod: true },
      { ...options, podVersion: '', isRunningPod: false },
    ])
  })

  /** One change of each field; a field that is added to the record and is not here does not compile. */
  const changes: Readonly<
    Record<Exclude<keyof WorkerRecord, 'uid' | 'subject'>, Partial<WorkerRecord>>
  > = {
    fullName: { fullName: record({}).fullName.replace('web', 'db') as WorkerRecord['fullName'] },
    syncedAt: { syncedAt: 9 },
    cancellation: { cancellation: cancelledSource() },
    working: { working: true },
    pendingUpdate: { pendingUpdate: { updateType: 'sync', causes: [] } },
    activeUpdate: {
      activeUpdate: {
        pod: undefined,
        mirrorPod: undefined,
        runningPod: undefined,
        killPodOptions: undefined,
      },
    },
    currentSync: { currentSync: { type: 'sync', startedAt: 9, gracePeriodSeconds: undefined } },
    startedAt: { startedAt: 9 },
    terminatingAt: { terminatingAt: 9 },
    terminatingBecause: { terminatingBecause: 'killed' },
    startedTerminating: { startedTerminating: true },
    gracePeriodSeconds: { gracePeriodSeconds: 9 },
    terminatedAt: { terminatedAt: 9 },
    deleted: { deleted: true },
    evicted: { evicted: true },
    finished: { finished: true },
    restartRequested: { restartRequested: true },
    observedRuntime: { observedRuntime: true },
    notifyPostTerminating: { notifyPostTerminating: [() => undefined] },
    statusPostTerminating: { statusPostTerminating: [(status) => status] },
    blockedByUid: { blockedByUid: 'other' },
  }
  it.each(Object.entries(changes))('lets nothing of the record be lost: %s', (_, change) => {
    expect(view(change)).not.toEqual(view({}))
  })
})

function cancelledSource(): CancellationSource {
  const source = new CancellationSource()
  source.cancel()
  return source
}
