import { assertNever } from '../../../shared/assert-never.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import type { Result } from '../../../shared/result.ts'
import type { Log } from '../ports.ts'
import { networkNotReadyMessage } from './pod-sync.ts'
import type { PodSyncFailure } from './pod-sync.ts'
import type { WorkerRecord } from './worker-record.ts'
import type { RequeueReason, WorkerRequeue } from './worker-requeue.ts'
import type { Work } from './worker-start.ts'
import type { WorkerTable } from './worker-table.ts'

/** What came of one sync. */
export type SyncOutcome = Result<{ readonly isTerminal: boolean }, PodSyncFailure>

/** Moves a record on after a sync (semantics 4.8 steps 4 and 5). Synchronous. */
export class WorkerCompletion {
  readonly #table: WorkerTable
  readonly #log: Log
  readonly #requeue: WorkerRequeue

  constructor(deps: {
    readonly table: WorkerTable
    readonly log: Log
    readonly requeue: WorkerRequeue
  }) {
    this.#table = deps.table
    this.#log = deps.log
    this.#requeue = deps.requeue
  }

  /** `exit`: the worker is done for good. `causes`: the event of the sync's end. */
  complete(work: Work, outcome: SyncOutcome, causes: TraceCauses): 'exit' | 'goOn' {
    const next = outcome.ok
      ? this.#transition(work, outcome.value.isTerminal, causes)
      : this.#failed(work.record, outcome.error)
    if (next === 'exit') return 'exit'
    this.#completeWork(work.record, next === 'transition' ? next : pauseReason(outcome), causes)
    return 'goOn'
  }

  #failed(record: WorkerRecord, failure: PodSyncFailure): 'stay' {
    // After a cancellation another update is pending, and that is all there is to say.
    if (failure.kind === 'failed')
      this.#log.warn('error syncing pod, skipping', {
        podUid: record.uid,
        error: failure.message,
      })
    return 'stay'
  }

  #transition(
    { record, type, update }: Work,
    isTerminal: boolean,
    causes: TraceCauses,
  ): 'exit' | 'transition' | 'stay' {
    switch (type) {
      case 'terminated':
        this.#table.closeBell(record.uid)
        this.#table.markFinished(record, 'cleaned up', causes)
        return 'exit'
      case 'terminating':
        if (update.runningPod !== undefined) {
          this.#completeTerminatingRuntimePod(record, causes)
          return 'exit'
        }
        this.#completeTerminating(record, causes)
        return 'transition'
      case 'sync':
        if (!isTerminal) return 'stay'
        this.#completeSync(record, causes)
        return 'transition'
      default:
        return assertNever(type, 'work type')
    }
  }

  // The grace period stays unset: SyncTerminatingPod uses the pod's own, unless another update comes first.
  #completeSync(record: WorkerRecord, causes: TraceCauses): void {
    const why =
      record.terminatingAt === undefined
        ? [this.#table.markTerminating(record, 'ended by itself', causes)]
        : causes
    record.startedTerminating = true
    this.#table.requeueLast(record, why)
  }

  #completeTerminating(record: WorkerRecord, causes: TraceCauses): void {
    const seq = this.#table.markTerminated(record, 'its containers have stopped', causes)
    const notify = record.notifyPostTerminating
    record.notifyPostTerminating = []
    record.statusPostTerminating = []
    for (const onCompleted of notify) onCompleted()
    this.#table.requeueLast(record, [seq])
  }

  #completeTerminatingRuntimePod(record: WorkerRecord, causes: TraceCauses): void {
    const seq = this.#table.markTerminated(record, 'its containers have stopped', causes)
    const finished = this.#table.markFinished(record, 'nobody configured it', [seq])
    // It is no part of the desired state, so nothing needs the record any more.
    this.#table.forget(record, 'runtimePod', [finished])
  }

  #completeWork(record: WorkerRecord, why: RequeueReason, causes: TraceCauses): void {
    this.#requeue.enqueue(record, why, causes)
    if (this.#table.records.get(record.uid) !== record) return
    if (record.pendingUpdate === undefined) record.working = false
    else this.#table.bells.get(record.uid)?.ring()
  }
}

function pauseReason(outcome: SyncOutcome): RequeueReason {
  if (outcome.ok) return 'resync'
  const { error } = outcome
  return error.kind === 'failed' && error.message.includes(networkNotReadyMessage)
    ? 'network'
    : 'error'
}
