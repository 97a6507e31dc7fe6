import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { PodWorkType, TraceCauses, TraceSubject } from '../../../shared/model/trace-event.ts'
import type { RuntimePod } from '../container/runtime.ts'
import { buildPodFullName } from '../pod/identity.ts'
import type { PodFullName } from '../pod/identity.ts'
import type { CancellationSource } from './cancellation-source.ts'
import { joinCauses } from './update-pod-options.ts'
import type { KillPodOptions, PodStatusFunc, UpdatePodOptions } from './update-pod-options.ts'

/** Why a record is terminating, as the page shows it. */
export type TerminationReason =
  | 'runtime pod without config'
  | 'deletionTimestamp'
  | 'terminal phase'
  | 'evicted'
  | 'killed'
  | 'ended by itself'
  | 'orphan: no longer in any source'

/**
 * The last known {pod, mirror, running pod, kill options}, for replays at phase transitions. Of the kill
 * options only `evict` and the override are kept (pod-workers#active-update).
 */
export interface ActiveUpdate {
  readonly pod: Pod | undefined
  readonly mirrorPod: Pod | undefined
  readonly runningPod: RuntimePod | undefined
  readonly killPodOptions: Pick<KillPodOptions, 'evict' | 'gracePeriodSecondsOverride'> | undefined
}

/** A sync under way: since when (ms), and with which grace in seconds; undefined: none, or the pod's own. */
export interface CurrentSync {
  readonly type: PodWorkType
  readonly startedAt: number
  readonly gracePeriodSeconds: number | undefined
}

/**
 * Everything that the workers know about one uid (pod-workers#worker-record). Times in ms on the clock, undefined for "not yet";
 * none of them, and none of the flags but `working`, is ever reset. `gracePeriodSeconds` 0: none yet.
 */
export interface WorkerRecord {
  readonly uid: string
  readonly fullName: PodFullName
  readonly subject: TraceSubject
  readonly syncedAt: number
  cancellation: CancellationSource | undefined
  /** The worker has something to do. */
  working: boolean
  /** The newest update that the worker has not taken yet. */
  pendingUpdate: UpdatePodOptions | undefined
  activeUpdate: ActiveUpdate | undefined
  /** The sync under way, for the views. */
  currentSync: CurrentSync | undefined
  startedAt: number | undefined
  terminatingAt: number | undefined
  terminatingBecause: TerminationReason | undefined
  /** The worker has acknowledged the termination: SyncPod does not run again. */
  startedTerminating: boolean
  gracePeriodSeconds: number
  terminatedAt: number | undefined
  deleted: boolean
  evicted: boolean
  finished: boolean
  restartRequested: boolean
  observedRuntime: boolean
  notifyPostTerminating: readonly (() => void)[]
  statusPostTerminating: readonly PodStatusFunc[]
  /** The uid that keeps a static pod from starting, when it was last asked. */
  blockedByUid: string | undefined
}

/** One for all records: almost none has a kill that waits. */
const none: readonly never[] = []

/** A record of a uid that is seen for the first time. */
export function newWorkerRecord(pod: {
  readonly uid: string
  readonly name: string
  readonly namespace: string
  readonly now: number
}): WorkerRecord {
  const { uid, name, namespace } = pod
  return {
    uid,
    fullName: buildPodFullName(name, namespace),
    subject: { kind: 'pod', uid, namespace, name },
    syncedAt: pod.now,
    cancellation: undefined,
    working: false,
    pendingUpdate: undefined,
    activeUpdate: undefined,
    currentSync: undefined,
    startedAt: undefined,
    terminatingAt: undefined,
    terminatingBecause: undefined,
    startedTerminating: false,
    gracePeriodSeconds: 0,
    terminatedAt: undefined,
    deleted: false,
    evicted: false,
    finished: false,
    restartRequested: false,
    observedRuntime: false,
    notifyPostTerminating: none,
    statusPostTerminating: none,
    blockedByUid: undefined,
  }
}

/** What the worker has to do next, by the record's times alone. */
export function workTypeOf(record: WorkerRecord): PodWorkType {
  if (record.terminatedAt !== undefined) return 'terminated'
  return record.terminatingAt === undefined ? 'sync' : 'terminating'
}

/** Folds an update that the worker has taken into what the record remembers (pod-workers#active-update). */
export function mergeLastUpdate(record: WorkerRecord, update: UpdatePodOptions): void {
  const before = record.activeUpdate
  const kill = update.killPodOptions
  record.activeUpdate = {
    pod: before?.pod === undefined || update.runningPod === undefined ? update.pod : before.pod,
    mirrorPod: update.mirrorPod ?? before?.mirrorPod,
    runningPod: update.runningPod,
    killPodOptions:
      kill === undefined
        ? before?.killPodOptions
        : {
            evict: kill.evict === true || undefined,
            gracePeriodSecondsOverride: kill.gracePeriodSecondsOverride,
          },
  }
}

/** The update that repeats what the record remembers: of type `sync`, Go's zero value. */
export function replayOf(active: ActiveUpdate, causes: TraceCauses): UpdatePodOptions {
  return { updateType: 'sync', ...active, causes }
}

/** Puts an update in place of the one that waits: the newest wins, the causes of both count. */
export function replacePending(record: WorkerRecord, update: UpdatePodOptions): void {
  const before = record.pendingUpdate
  // The oldest start time is kept, to measure the worst delay.
  const isBeforeOlder =
    before?.startTime !== undefined &&
    update.startTime !== undefined &&
    before.startTime < update.startTime
  record.pendingUpdate = {
    ...update,
    ...(isBeforeOlder ? { startTime: before.startTime } : {}),
    causes: joinCauses(before?.causes ?? [], update.causes),
  }
  record.working = true
}
