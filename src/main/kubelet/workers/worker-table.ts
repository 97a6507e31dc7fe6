import { traceAbout } from '../pod/identity.ts'
import type { TraceCauses, TraceSeq } from '../../../shared/model/trace-event.ts'
import type { Clock, Trace } from '../ports.ts'
import type { UpdateSignal } from './update-signal.ts'
import { StaticPodStart } from './static-pod-start.ts'
import { replacePending, replayOf } from './worker-record.ts'
import type { TerminationReason, WorkerRecord } from './worker-record.ts'

/**
 * What Go guards with one mutex: the records, the podUpdates and the static names (pod-workers#shared-state). Here the
 * lock is that nothing in this file, nor what is called between two awaits of a worker, awaits.
 */
export class WorkerTable {
  /** False until the workers were compared with the desired pods for the first time. */
  podsSynced = false
  /** Changed by the methods below alone: they count. */
  readonly records = new Map<string, WorkerRecord>()
  readonly podUpdates = new Map<string, UpdateSignal>()
  readonly staticPodStart = new StaticPodStart()
  readonly #clock: Clock
  readonly #trace: Trace
  #changes = 0

  constructor(deps: { readonly clock: Clock; readonly trace: Trace }) {
    this.#clock = deps.clock
    this.#trace = deps.trace
  }

  /** Grows with each record that comes, goes, moves on, or is to make room for its pod. */
  get changes(): number {
    return this.#changes
  }

  add(record: WorkerRecord): void {
    this.#changes++
    this.records.set(record.uid, record)
  }

  /** The pod came back while it stops: its record goes when it has finished. */
  requestRestart(record: WorkerRecord): void {
    this.#changes++
    record.restartRequested = true
  }

  /** Ends the worker's loop after its current sync. */
  cleanupPodUpdates(uid: string): void {
    this.podUpdates.get(uid)?.close()
    this.podUpdates.delete(uid)
  }

  releaseStaticName(record: WorkerRecord): void {
    this.staticPodStart.release(record.fullName, record.uid)
  }

  /** Repeats the last update, unless another waits already or there was none (pod-workers#worker-loop). */
  requeueLast(record: WorkerRecord, causes: TraceCauses): void {
    if (record.pendingUpdate !== undefined || record.activeUpdate === undefined) return
    replacePending(record, replayOf(record.activeUpdate, causes))
    this.podUpdates.get(record.uid)?.send()
  }

  /** Sets `terminatingAt`, once. Returns the event of the transition. */
  markTerminating(record: WorkerRecord, why: TerminationReason, causes: TraceCauses): TraceSeq {
    record.terminatingAt = this.#clock.now()
    record.terminatingBecause = why
    return this.#transitioned(record, 'terminating', why, causes)
  }

  markTerminated(record: WorkerRecord, why: string, causes: TraceCauses): TraceSeq {
    record.terminatedAt = this.#clock.now()
    return this.#transitioned(record, 'terminated', why, causes)
  }

  markFinished(record: WorkerRecord, why: string, causes: TraceCauses): TraceSeq {
    record.finished = true
    record.working = false
    this.releaseStaticName(record)
    return this.#transitioned(record, 'finished', why, causes)
  }

  /** Forgets the uid: record, podUpdates and static name. */
  forget(
    record: WorkerRecord,
    why: 'orphan' | 'restartRequested' | 'runtimePod',
    causes: TraceCauses,
  ): void {
    this.#changes++
    this.records.delete(record.uid)
    this.cleanupPodUpdates(record.uid)
    this.releaseStaticName(record)
    this.#trace.emit({ kind: 'worker.forgotten', subject: record.subject, causes, data: { why } })
  }

  #transitioned(
    record: WorkerRecord,
    to: 'terminating' | 'terminated' | 'finished',
    why: string,
    causes: TraceCauses,
  ): TraceSeq {
    this.#changes++
    return traceAbout(this.#trace, record.subject, 'worker.transitioned', causes, { to, why })
  }
}
