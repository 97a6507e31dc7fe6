import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { PodWorkType, TraceCauses } from '../../../shared/model/trace-event.ts'
import { isStatic } from '../pod/identity.ts'
import { effectiveGracePeriod } from './grace-period.ts'
import { workTypeOf } from './worker-record.ts'
import type { WorkerRecord } from './worker-record.ts'
import type { WorkerTable } from './worker-table.ts'

/** What housekeeping learns of one worker. `orphan`: its uid is not desired (any more). */
export interface PodWorkerSync {
  readonly state: PodWorkType
  readonly orphan: boolean
  /** A pod is known for it, not only what the runtime lists. */
  readonly hasConfig: boolean
  readonly static: boolean
}

/** Forgets workers that are done and drives orphans to their end (pod-workers#syncknownpods). Synchronous. */
export class WorkerRemoval {
  readonly #table: WorkerTable

  constructor(deps: { readonly table: WorkerTable }) {
    this.#table = deps.table
  }

  syncKnownPods(
    desired: readonly Pod[],
    causes: () => TraceCauses,
  ): ReadonlyMap<string, PodWorkerSync> {
    const known = new Set(desired.map((pod) => pod.metadata.uid))
    const workers = new Map<string, PodWorkerSync>()
    this.#table.podsSynced = true
    for (const [uid, record] of this.#table.records) {
      const orphan = !known.has(uid)
      if ((record.restartRequested || orphan) && this.#removeIfDone(record, orphan, causes))
        continue
      const pod =
        record.activeUpdate === undefined ? record.pendingUpdate?.pod : record.activeUpdate.pod
      workers.set(uid, {
        state: workTypeOf(record),
        orphan,
        hasConfig: pod !== undefined,
        static: pod !== undefined && isStatic(pod),
      })
    }
    return workers
  }

  // kubelet removeTerminatedWorker
  #removeIfDone(record: WorkerRecord, isOrphan: boolean, causes: () => TraceCauses): boolean {
    if (!record.finished) {
      if (!isOrphan) return false
      record.deleted = true
      if (record.startedAt !== undefined || record.observedRuntime) {
        this.#driveOrphan(record, causes)
        return false
      }
      // Never started: the worker ends without a sync when it finds its record gone.
    }
    const why = record.restartRequested ? 'restartRequested' : 'orphan'
    this.#table.forget(record, why, causes())
    return true
  }

  /** Nobody else tells an orphan's worker anything, so housekeeping repeats its last update. */
  #driveOrphan(record: WorkerRecord, causes: () => TraceCauses): void {
    if (record.terminatingAt !== undefined) {
      if (record.pendingUpdate === undefined && record.activeUpdate !== undefined)
        this.#table.requeueLast(record, causes())
      return
    }
    const seq = this.#table.markTerminating(record, 'orphan: no longer in any source', causes())
    const pod = record.activeUpdate?.pod
    record.gracePeriodSeconds =
      pod === undefined
        ? 1
        : effectiveGracePeriod(record.gracePeriodSeconds, pod, undefined).seconds
    this.#table.requeueLast(record, [seq])
  }
}
