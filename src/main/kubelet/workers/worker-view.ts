import { assertNever } from '../../../shared/assert-never.ts'
import type { WorkerStateWord } from '../../../shared/model/pod-row.ts'
import type {
  ActiveUpdateView,
  CurrentSyncView,
  WorkerView,
} from '../../../shared/model/worker-view.ts'
import { workerAnswers } from './worker-answers.ts'
import { workTypeOf } from './worker-record.ts'
import type { ActiveUpdate, CurrentSync, WorkerRecord } from './worker-record.ts'

/** The state of a worker under the seed's names (PodWorkerState); a waiting worker counts as SyncPod. */
export type PodWorkerState =
  'SyncPod' | 'TerminatingPod' | 'TerminatedPod' | 'TerminatedAndRecreatedPod'

/** `TerminatedAndRecreatedPod`: stopped, and a pod of the same uid was created meanwhile. */
function podWorkerState(record: WorkerRecord): PodWorkerState {
  const type = workTypeOf(record)
  switch (type) {
    case 'sync':
      return 'SyncPod'
    case 'terminating':
      return 'TerminatingPod'
    case 'terminated':
      return record.restartRequested ? 'TerminatedAndRecreatedPod' : 'TerminatedPod'
    default:
      return assertNever(type, 'work type')
  }
}

function stateWord(record: WorkerRecord): WorkerStateWord {
  const state = podWorkerState(record)
  if (state === 'TerminatedPod' && record.finished) return 'finished'
  return state === 'SyncPod' && record.startedAt === undefined ? 'waiting' : state
}

function stateReason(record: WorkerRecord): string {
  if (record.restartRequested)
    return 'a pod with the same uid was created while it was stopping; it starts again after this one has finished'
  if (record.finished && record.startedAt === undefined && !record.startedTerminating)
    return 'it was stopped before it could start'
  const isWaiting = record.startedAt === undefined && record.terminatingAt === undefined
  if (isWaiting && record.blockedByUid !== undefined)
    return `waits for ${record.blockedByUid}, which still holds the name ${record.fullName}`
  return isWaiting ? 'has not taken its first update yet' : ''
}

function activeUpdateView(active: ActiveUpdate): ActiveUpdateView {
  const { pod, mirrorPod, runningPod, killPodOptions } = active
  return {
    podVersion: pod === undefined ? null : (pod.metadata.resourceVersion ?? ''),
    mirrorUid: mirrorPod?.metadata.uid ?? null,
    isRunningPod: runningPod !== undefined,
    evict: killPodOptions?.evict === true,
    gracePeriodSecondsOverride: killPodOptions?.gracePeriodSecondsOverride ?? null,
  }
}

function currentSyncView({ type, startedAt, gracePeriodSeconds }: CurrentSync): CurrentSyncView {
  return { workType: type, startedAt, gracePeriodSeconds: gracePeriodSeconds ?? null }
}

/**
 * A record as the page shows it, field by field (pod-workers#worker-record). Status versions are the status manager's, and null
 * here. `mirrorIsGuarded`: housekeeping keeps its mirror, since the record holds a static name and terminates.
 */
export function workerView(
  record: WorkerRecord,
  options: {
    readonly podsSynced: boolean
    readonly nextSyncAt: number | undefined
    readonly mirrorIsGuarded: boolean
  },
): WorkerView {
  return {
    state: stateWord(record),
    reason: stateReason(record),
    fullName: record.fullName,
    working: record.working,
    pendingUpdate: record.pendingUpdate?.updateType ?? null,
    activeUpdate: record.activeUpdate === undefined ? null : activeUpdateView(record.activeUpdate),
    currentSync: record.currentSync === undefined ? null : currentSyncView(record.currentSync),
    cancelled: record.cancellation?.isCancelled() === true,
    syncedAt: record.syncedAt,
    startedAt: record.startedAt ?? null,
    blockedByUid: record.blockedByUid ?? null,
    terminatingAt: record.terminatingAt ?? null,
    terminatingBecause: record.terminatingBecause ?? '',
    acknowledgedTerminating: record.startedTerminating,
    gracePeriodSeconds: record.gracePeriodSeconds === 0 ? null : record.gracePeriodSeconds,
    waitingForEnd: record.notifyPostTerminating.length,
    statusFunctions: record.statusPostTerminating.length,
    terminatedAt: record.terminatedAt ?? null,
    deleted: record.deleted,
    evicted: record.evicted,
    finished: record.finished,
    restartRequested: record.restartRequested,
    observedRuntime: record.observedRuntime,
    knownTerminated: workerAnswers.isPodKnownTerminated(record),
    couldHaveRunningContainers: workerAnswers.couldHaveRunningContainers(record, options),
    shouldBeFinished: workerAnswers.shouldPodBeFinished(record, options),
    terminationRequested: workerAnswers.isPodTerminationRequested(record),
    containersShouldBeTerminating: workerAnswers.shouldPodContainersBeTerminating(record, options),
    runtimeMayBeRemoved: workerAnswers.shouldPodRuntimeBeRemoved(record, options),
    contentMayBeRemoved: workerAnswers.shouldPodContentBeRemoved(record, options),
    mirrorIsGuarded: options.mirrorIsGuarded,
    nextSyncAt: options.nextSyncAt ?? null,
    statusVersion: null,
    statusVersionSent: null,
  }
}
