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

/** The result of one sync. */
export type SyncOutcome = Result<{ readonly isTerminal: boolean }, PodSyncFailure>

interface WorkerCompletionDeps {
  readonly table: WorkerTable
  readonly log: Log
  readonly requeue: WorkerRequeue
}

/** Moves a record on after a sync (pod-workers#worker-loop steps 4 and 5). Synchronous. */
export class WorkerCompletion {
  readonly #deps: WorkerCompletionDeps

  constructor(deps: WorkerCompletionDeps) {
    this.#deps = deps
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
    // After a cancellation another update is pending.
    if (failure.kind === 'failed')
      this.#deps.log.warn('error syncing pod, skipping', {
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
        this.#deps.table.cleanupPodUpdates(record.uid)
        this.#deps.table.markFinished(record, 'cleaned up', causes)
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
        ? [this.#deps.table.markTerminating(record, 'ended by itself', causes)]
        : causes
    record.startedTerminating = true
    this.#deps.table.requeueLast(record, why)
  }

  #completeTerminating(record: WorkerRecord, causes: TraceCauses): void {
    const seq = this.#deps.table.markTerminated(record, 'its containers have stopped', causes)
    const notify = record.notifyPostTerminating
    record.notifyPostTerminating = []
    record.statusPostTerminating = []
    for (const onCompleted of notify) onCompleted()
    this.#deps.table.requeueLast(record, [seq])
  }

  #completeTerminatingRuntimePod(record: WorkerRecord, causes: TraceCauses): void {
    const seq = this.#deps.table.markTerminated(record, 'its containers have stopped', causes)
    const finished = this.#deps.table.markFinished(record, 'no source has it', [seq])
    // It is not part of the desired state, so its record is not needed.
    this.#deps.table.forget(record, 'runtimePod', [finished])
  }

  #completeWork(record: WorkerRecord, why: RequeueReason, causes: TraceCauses): void {
    this.#deps.requeue.enqueue(record, why, causes)
    if (this.#deps.table.records.get(record.uid) !== record) return
    if (record.pendingUpdate === undefined) record.working = false
    else this.#deps.table.podUpdates.get(record.uid)?.send()
  }
}

function pauseReason(outcome: SyncOutcome): RequeueReason {
  if (outcome.ok) return 'resync'
  const { error } = outcome
  return error.kind === 'failed' && error.message.includes(networkNotReadyMessage)
    ? 'network'
    : 'error'
}
