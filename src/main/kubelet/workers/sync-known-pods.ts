import type { PodWorkType, TraceCauses } from '../../../shared/model/trace-event.ts'
import { isStaticPod } from '../pod/identity.ts'
import { calculateEffectiveGracePeriod } from './grace-period.ts'
import { workTypeOf } from './worker-record.ts'
import type { WorkerRecord } from './worker-record.ts'
import type { WorkerTable } from './worker-table.ts'

/** What housekeeping learns about one worker. `orphan`: its uid is not desired. */
export interface PodWorkerSync {
  readonly state: PodWorkType
  readonly orphan: boolean
  /** A pod is known for it, not only what the runtime lists. */
  readonly hasConfig: boolean
  readonly static: boolean
}

/** By uid. */
export type PodWorkerSyncs = ReadonlyMap<string, PodWorkerSync>

/** A pass that had nothing to do: the next is the same if the pods are, and no record has changed. */
interface QuietPass {
  readonly known: ReadonlySet<string>
  readonly changes: number
  readonly workers: PodWorkerSyncs
}

/**
 * Forgets workers that are done and drives orphans to their end (pod-workers#syncknownpods). A pass is synchronous.
 */
export class KnownPodsSync {
  readonly #table: WorkerTable
  #quiet: QuietPass | undefined

  constructor(table: WorkerTable) {
    this.#table = table
  }

  /** `known`: the UIDs of the desired pods; never changed afterwards. */
  syncKnownPods(known: ReadonlySet<string>, causes: () => TraceCauses): PodWorkerSyncs {
    const table = this.#table
    const before = this.#quiet
    if (before?.known === known && before.changes === table.changes) return before.workers
    table.podsSynced = true
    const workers = new Map<string, PodWorkerSync>()
    let isQuiet = true
    for (const [uid, record] of table.records) {
      const orphan = !known.has(uid)
      const mayGo = record.restartRequested || orphan
      // What a worker that has taken no update yet says of its pod can change without a change of the table.
      isQuiet &&= !mayGo && record.activeUpdate?.pod !== undefined
      if (mayGo && removeTerminatedWorker(table, record, orphan, causes)) continue
      const pod =
        record.activeUpdate === undefined ? record.pendingUpdate?.pod : record.activeUpdate.pod
      const kind = pod === undefined ? 'unknown' : isStaticPod(pod) ? 'static' : 'other'
      workers.set(uid, syncs[kind][orphan ? 'orphan' : 'desired'][workTypeOf(record)])
    }
    this.#quiet = isQuiet ? { known, changes: table.changes, workers } : undefined
    return workers
  }
}

/** All that there are: each pass says one of each worker, and none is changed. */
const syncs = {
  unknown: syncsOf({ hasConfig: false, static: false }),
  static: syncsOf({ hasConfig: true, static: true }),
  other: syncsOf({ hasConfig: true, static: false }),
}

function syncsOf(config: Pick<PodWorkerSync, 'hasConfig' | 'static'>) {
  const all = (orphan: boolean): Readonly<Record<PodWorkType, PodWorkerSync>> => ({
    sync: { state: 'sync', orphan, ...config },
    terminating: { state: 'terminating', orphan, ...config },
    terminated: { state: 'terminated', orphan, ...config },
  })
  return { orphan: all(true), desired: all(false) }
}

function removeTerminatedWorker(
  table: WorkerTable,
  record: WorkerRecord,
  isOrphan: boolean,
  causes: () => TraceCauses,
): boolean {
  if (!record.finished) {
    if (!isOrphan) return false
    record.deleted = true
    if (record.startedAt !== undefined || record.observedRuntime) {
      driveOrphan(table, record, causes)
      return false
    }
    // Never started: the worker ends without a sync when it finds that its record is removed.
  }
  const why = record.restartRequested ? 'restartRequested' : 'orphan'
  table.forget(record, why, causes())
  return true
}

/** No other part of the kubelet updates an orphan, so housekeeping repeats its last update. */
function driveOrphan(table: WorkerTable, record: WorkerRecord, causes: () => TraceCauses): void {
  if (record.terminatingAt !== undefined) {
    if (record.pendingUpdate === undefined && record.activeUpdate !== undefined)
      table.requeueLast(record, causes())
    return
  }
  const seq = table.markTerminating(record, 'orphan: no longer in any source', causes())
  const pod = record.activeUpdate?.pod
  record.gracePeriodSeconds =
    pod === undefined
      ? 1
      : calculateEffectiveGracePeriod(record.gracePeriodSeconds, pod, undefined).seconds
  table.requeueLast(record, [seq])
}
