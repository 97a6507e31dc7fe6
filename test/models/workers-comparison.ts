import type { PodWorkers } from '../../src/main/kubelet/workers/pod-workers.ts'
import type { ModelRecord, WorkersModel } from './workers-model.ts'

/** What the real workers hold of a uid, as `heldBy` says it of the model. Test code. */
export function heldIn({ table }: PodWorkers, uid: string) {
  const record = table.records.get(uid)
  if (record === undefined) return undefined
  return {
    fullName: String(record.fullName),
    hasBell: table.podUpdates.has(uid),
    working: record.working,
    pending: record.pendingUpdate?.updateType,
    isActive: record.activeUpdate !== undefined,
    startedAt: record.startedAt,
    terminatingAt: record.terminatingAt,
    acknowledged: record.startedTerminating,
    grace: record.gracePeriodSeconds,
    terminatedAt: record.terminatedAt,
    deleted: record.deleted,
    evicted: record.evicted,
    finished: record.finished,
    restartRequested: record.restartRequested,
    observedRuntime: record.observedRuntime,
    awaited: record.notifyPostTerminating.length,
  }
}

/** What the model says that the workers should hold. */
export function heldBy(record: ModelRecord | undefined): ReturnType<typeof heldIn> {
  if (record === undefined) return undefined
  return {
    fullName: record.fullName,
    hasBell: record.hasBell,
    working: record.working,
    pending: record.pending?.updateType,
    isActive: record.active !== undefined,
    startedAt: record.startedAt,
    terminatingAt: record.terminatingAt,
    acknowledged: record.acknowledged,
    grace: record.grace,
    terminatedAt: record.terminatedAt,
    deleted: record.deleted,
    evicted: record.evicted,
    finished: record.finished,
    restartRequested: record.restartRequested,
    observedRuntime: record.observedRuntime,
    awaited: record.completions.length,
  }
}

/** What the real workers answer. */
export function answersIn(workers: PodWorkers, uid: string) {
  return {
    knownTerminated: workers.isPodKnownTerminated(uid),
    couldHaveRunning: workers.couldHaveRunningContainers(uid),
    shouldBeFinished: workers.shouldPodBeFinished(uid),
    terminationRequested: workers.isPodTerminationRequested(uid),
    containersBeTerminating: workers.shouldPodContainersBeTerminating(uid),
    runtimeBeRemoved: workers.shouldPodRuntimeBeRemoved(uid),
    contentBeRemoved: workers.shouldPodContentBeRemoved(uid),
  }
}

/** The truth table of pod-workers#queries: before the first SyncKnownPods, after it, or by the record. */
export function answersBy(
  model: WorkersModel,
  record: ModelRecord | undefined,
): ReturnType<typeof answersIn> {
  const isGone = record === undefined && model.podsSynced
  const isTerminated = record?.terminatedAt !== undefined
  return {
    knownTerminated: isTerminated,
    couldHaveRunning: record === undefined ? !model.podsSynced : !isTerminated,
    shouldBeFinished: record?.finished ?? isGone,
    terminationRequested: record?.terminatingAt !== undefined,
    containersBeTerminating: record?.acknowledged ?? isGone,
    runtimeBeRemoved: record === undefined ? isGone : isTerminated,
    contentBeRemoved:
      record === undefined ? isGone : record.evicted || (record.deleted && isTerminated),
  }
}
