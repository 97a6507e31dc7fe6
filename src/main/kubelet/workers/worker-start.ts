import type { PodWorkType, TraceCauses } from '../../../shared/model/trace-event.ts'
import { isStaticPod, traceAbout } from '../pod/identity.ts'
import type { Cancellation, CorePorts } from '../ports.ts'
import type { UpdateSignal } from './update-signal.ts'
import { CancellationSource } from './cancellation-source.ts'
import type { UpdatePodOptions } from './update-pod-options.ts'
import { mergeLastUpdate, replacePending, workTypeOf } from './worker-record.ts'
import type { WorkerRecord } from './worker-record.ts'
import type { WorkerRequeue } from './worker-requeue.ts'
import type { WorkerTable } from './worker-table.ts'

/** An update that a worker has taken. The type is decided then, not when the update came. */
export interface Work {
  readonly record: WorkerRecord
  readonly type: PodWorkType
  readonly update: UpdatePodOptions
  readonly cancellation: Cancellation
}

/** `wait`: nothing to do, or not its turn. `never`: it can never start, the worker ends. */
export type Start =
  | { readonly kind: 'go'; readonly work: Work }
  | { readonly kind: 'wait' }
  | { readonly kind: 'never' }

interface WorkerStartDeps extends Omit<CorePorts, 'log'> {
  readonly table: WorkerTable
  readonly requeue: WorkerRequeue
}

/** Takes the pending update of a worker with a signal, if it may start (pod-workers#starting-a-sync). Synchronous. */
export class WorkerStart {
  readonly #deps: WorkerStartDeps

  constructor(deps: WorkerStartDeps) {
    this.#deps = deps
  }

  startPodSync(uid: string, signal: UpdateSignal): Start {
    // Forgotten meanwhile: its signal is closed and ends the loop. A new record of the uid has its own worker.
    const record =
      this.#deps.table.podUpdates.get(uid) === signal
        ? this.#deps.table.records.get(uid)
        : undefined
    if (record === undefined) return { kind: 'wait' }
    const update = record.pendingUpdate
    if (update === undefined) {
      record.working = false
      return { kind: 'wait' }
    }
    const type = workTypeOf(record)
    record.pendingUpdate = undefined
    signal.drain()
    if (record.cancellation === undefined || record.cancellation.cancellation.isCancelled())
      record.cancellation = new CancellationSource()
    const { cancellation } = record.cancellation
    const held = this.#allowPodStart(record, update, type)
    if (held !== undefined) return held
    mergeLastUpdate(record, update)
    return { kind: 'go', work: { record, type, update, cancellation } }
  }

  /** Undefined: the worker may start. */
  #allowPodStart(
    record: WorkerRecord,
    update: UpdatePodOptions,
    type: PodWorkType,
  ): Start | undefined {
    if (record.startedAt !== undefined) return undefined
    // It is only to be stopped, and never counts as started.
    if (update.runningPod !== undefined && type === 'terminating') return undefined
    if (update.pod === undefined) return { kind: 'never' }
    const held = isStaticPod(update.pod) ? this.#allowStaticPodStart(record, update) : undefined
    if (held !== undefined) return held
    this.#markStarted(record, update.causes)
    this.#deps.metrics?.containersPerPod.with().observe(update.pod.spec.containers.length)
    return undefined
  }

  #allowStaticPodStart(record: WorkerRecord, update: UpdatePodOptions): Start | undefined {
    if (record.terminatingAt !== undefined) {
      this.#cleanupUnstartedPod(record, update)
      return { kind: 'never' }
    }
    const answer = this.#deps.table.staticPodStart.allowStaticPodStart(
      record.fullName,
      record.uid,
      (uid) => this.#isGone(uid),
    )
    if (answer.isAllowed) return undefined
    this.#waitForTurn(record, update, answer.blockedByUid)
    return { kind: 'wait' }
  }

  #isGone(uid: string): boolean {
    const record = this.#deps.table.records.get(uid)
    return (
      record === undefined ||
      record.terminatingAt !== undefined ||
      record.terminatedAt !== undefined
    )
  }

  // The blocking worker sends no signal when it is done: the work queue retries in 10 to 15 s.
  #waitForTurn(record: WorkerRecord, update: UpdatePodOptions, blockedByUid: string): void {
    const { subject } = record
    let { causes } = update
    if (record.blockedByUid !== blockedByUid) {
      record.blockedByUid = blockedByUid
      const data = { blockedByUid }
      causes = [this.#deps.trace.emit({ kind: 'worker.waiting', subject, causes, data })]
    }
    this.#deps.requeue.enqueue(record, 'waiting', causes)
    replacePending(record, update)
    record.working = false
  }

  // It never started, so no sync runs and CompletedCh is not called.
  #cleanupUnstartedPod(record: WorkerRecord, { startTime, causes }: UpdatePodOptions): void {
    const { clock, metrics } = this.#deps
    if (startTime !== undefined)
      metrics?.podWorkerDuration.with('terminated').observe((clock.now() - startTime) / 1000)
    this.#deps.table.cleanupPodUpdates(record.uid)
    const seq = this.#deps.table.markTerminated(record, 'never started', causes)
    this.#deps.table.markFinished(record, 'never started', [seq])
  }

  #markStarted(record: WorkerRecord, causes: TraceCauses): void {
    record.startedAt = this.#deps.clock.now()
    record.blockedByUid = undefined
    traceAbout(this.#deps.trace, record.subject, 'worker.started', causes, {
      sinceSeenMs: record.startedAt - record.syncedAt,
    })
  }
}
