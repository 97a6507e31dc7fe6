import type { WorkerRecord } from '../../src/main/kubelet/workers/worker-record.ts'
import type { WorkerTable } from '../../src/main/kubelet/workers/worker-table.ts'

/** The part of a record that may only move forward, as it was at one moment. */
interface Moment {
  readonly record: WorkerRecord
  readonly gracePeriodSeconds: number
  readonly times: readonly (number | undefined)[]
  readonly flags: readonly boolean[]
}

function momentOf(record: WorkerRecord): Moment {
  return {
    record,
    gracePeriodSeconds: record.gracePeriodSeconds,
    times: [record.syncedAt, record.startedAt, record.terminatingAt, record.terminatedAt],
    flags: [
      record.startedTerminating,
      record.deleted,
      record.evicted,
      record.finished,
      record.restartRequested,
      record.observedRuntime,
    ],
  }
}

function brokenAlone(record: WorkerRecord, table: WorkerTable): readonly string[] {
  const { uid } = record
  const broken: string[] = []
  const active = record.activeUpdate
  if (active !== undefined && record.startedAt === undefined && !record.observedRuntime)
    broken.push(`4: ${uid} has an active update and was never started`)
  if (record.gracePeriodSeconds !== 0 && record.gracePeriodSeconds < 1)
    broken.push(`6: ${uid} has grace ${record.gracePeriodSeconds}`)
  if (record.finished && table.podUpdates.has(uid))
    broken.push(`7: ${uid} is finished and has a signal`)
  if (record.terminatedAt !== undefined && record.terminatingAt === undefined)
    broken.push(`8: ${uid} is terminated without having been terminating`)
  return broken
}

function brokenSince(before: Moment, now: Moment): readonly string[] {
  const { uid } = now.record
  const broken: string[] = []
  // It shrinks, but for the quirk of termination#grace-period, which cannot be seen from outside.
  if (before.gracePeriodSeconds !== 0 && now.gracePeriodSeconds === 0)
    broken.push(`6: grace of ${uid} was taken back`)
  if (before.times.some((time, index) => time !== undefined && time !== now.times[index]))
    broken.push(`9: a time of ${uid} was changed`)
  if (before.flags.some((flag, index) => flag && now.flags[index] !== true))
    broken.push(`9: a flag of ${uid} was taken back`)
  return broken
}

/**
 * Watches that the invariants of pod-workers#invariants hold between looks: 4 to 9 by the records, 1 to 3 by what
 * it is notified of the sync calls. Returns or collects sentences that begin with the invariant's number.
 */
export class WorkerInvariants {
  readonly #table: WorkerTable
  #before = new Map<string, Moment>()
  readonly #inFlight = new Set<string>()
  /** Records whose SyncTerminatingPod has succeeded. */
  readonly #stopped = new WeakSet<WorkerRecord>()
  readonly broken: string[] = []

  constructor(deps: { readonly table: WorkerTable }) {
    this.#table = deps.table
  }

  /** Compares with the last look. To be called as often as possible. */
  check(): void {
    const now = new Map([...this.#table.records].map(([uid, record]) => [uid, momentOf(record)]))
    for (const [uid, moment] of now) {
      this.broken.push(...brokenAlone(moment.record, this.#table))
      const before = this.#before.get(uid)
      // A new record under an old uid starts afresh.
      if (before?.record === moment.record) this.broken.push(...brokenSince(before, moment))
    }
    for (const [fullName, uid] of this.#table.staticPodStart.started) {
      const record = this.#table.records.get(uid)
      if (record === undefined || record.finished || record.fullName !== fullName)
        this.broken.push(`5: the name ${fullName} is held by ${uid}`)
    }
    this.#before = now
  }

  syncBegins(uid: string, kind: 'sync' | 'terminating' | 'runtimePod' | 'terminated'): void {
    this.check()
    if (this.#inFlight.has(uid)) this.broken.push(`1: two syncs of ${uid}`)
    this.#inFlight.add(uid)
    const record = this.#table.records.get(uid)
    if (record === undefined) {
      this.broken.push(`1: a sync of ${uid}, which has no record`)
      return
    }
    if (kind === 'sync' && record.startedTerminating)
      this.broken.push(`2: SyncPod of ${uid} after it acknowledged its end`)
    const wasOverAtFirstSight = record.terminatedAt === record.syncedAt
    if (kind === 'terminated' && !this.#stopped.has(record) && !wasOverAtFirstSight)
      this.broken.push(`3: SyncTerminatedPod of ${uid} before it was stopped`)
  }

  syncEnds(uid: string, kind: string, isOk: boolean): void {
    this.#inFlight.delete(uid)
    const record = this.#table.records.get(uid)
    if (kind === 'terminating' && isOk && record !== undefined) this.#stopped.add(record)
    this.check()
  }
}
