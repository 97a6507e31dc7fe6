import { traceAbout } from '../pod/identity.ts'
import { assertNever } from '../../../shared/assert-never.ts'
import type { TraceCauses, TraceSeq } from '../../../shared/model/trace-event.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { PodCache, PodRuntimeStatus } from '../container/runtime.ts'
import type { CorePorts, EventRecorder } from '../ports.ts'
import type { UpdateSignal } from './update-signal.ts'
import type { PodSyncer, PodSyncFailure } from './pod-sync.ts'
import type { PodStatusFunc } from './update-pod-options.ts'
import type { SyncOutcome, WorkerCompletion } from './worker-completion.ts'
import type { CurrentSync, WorkerRecord } from './worker-record.ts'
import type { Work, WorkerStart } from './worker-start.ts'

interface Attempt {
  readonly outcome: SyncOutcome
  /** A sync function was called, with whatever result. */
  readonly hasSynced: boolean
}

interface WorkerLoopDeps extends CorePorts {
  readonly start: WorkerStart
  readonly completion: WorkerCompletion
  readonly podCache: PodCache
  readonly podSyncer: PodSyncer
  readonly recorder: EventRecorder
}

/** The loop of every worker (pod-workers#worker-loop): takes the pending update, syncs, moves the record on. */
export class WorkerLoop {
  readonly #deps: WorkerLoopDeps

  constructor(deps: WorkerLoopDeps) {
    this.#deps = deps
  }

  /**
   * Runs until no signal is left; the next one starts it again, unless the pod is done. Failures of a sync do not
   * end it. A pod that is not in the cache waits for the first relist only.
   */
  async run(uid: string, signal: UpdateSignal): Promise<void> {
    // The sender of the signal continues first.
    await Promise.resolve()
    while (signal.receive()) {
      const start = this.#deps.start.startPodSync(uid, signal)
      if (start.kind === 'never') return
      if (start.kind === 'wait') continue
      const startedAt = this.#deps.clock.now()
      start.work.record.currentSync = currentSyncOf(start.work, startedAt)
      const started = [this.#syncStarted(start.work)]
      const { outcome, hasSynced } = await this.#attempt(start.work, signal.lastSyncAt, started)
      if (hasSynced) signal.lastSyncAt = this.#deps.clock.now()
      start.work.record.currentSync = undefined
      const finishedSeq = this.#syncFinished(start.work, outcome, startedAt, started)
      const next = this.#deps.completion.complete(start.work, outcome, [finishedSeq])
      this.#measure(start.work, outcome)
      if (next === 'exit') return
    }
  }

  /** From when the change came in. An update that comes from no change has no such time. */
  #measure({ type, update }: Work, outcome: SyncOutcome): void {
    const { clock, metrics } = this.#deps
    if (update.startTime === undefined) return
    const operation = outcome.ok && type === 'terminated' ? 'terminated' : update.updateType
    const seconds = (clock.now() - update.startTime) / 1000
    metrics?.podWorkerDuration.with(operation).observe(seconds)
  }

  async #attempt(work: Work, lastSyncAt: number, causes: TraceCauses): Promise<Attempt> {
    const { runningPod } = work.update
    if (runningPod !== undefined)
      return this.#call(work.record, async () => {
        this.#acknowledgeTerminating(work.record, causes)
        return notTerminal(
          await this.#deps.podSyncer.syncTerminatingRuntimePod(work.cancellation, {
            runningPod,
            causes,
          }),
        )
      })
    const status = await this.#statusNewerThan(lastSyncAt, work.record.uid)
    if (status.ok) return this.#call(work.record, () => this.#dispatch(work, status.value, causes))
    const message = `error determining status: ${status.error.message}`
    if (work.update.pod !== undefined) {
      const subject = { kind: 'pod', pod: work.update.pod } as const
      this.#deps.recorder.event(subject, 'Warning', 'FailedSync', message, causes)
    }
    return { outcome: err({ kind: 'failed', message }), hasSynced: false }
  }

  /** A cache that throws is a defect, and the worker has to continue: as if the runtime had not answered. */
  async #statusNewerThan(
    time: number,
    uid: string,
  ): Promise<Result<PodRuntimeStatus, { readonly message: string }>> {
    try {
      return await this.#deps.podCache.getNewerThan(uid, time)
    } catch (error) {
      this.#deps.log.error('status of a pod threw', { podUid: uid, error })
      return err({ message: messageOf(error) })
    }
  }

  /** A throw is a defect of a sync function, and the worker has to continue. */
  async #call(record: WorkerRecord, sync: () => Promise<SyncOutcome>): Promise<Attempt> {
    try {
      return { outcome: await sync(), hasSynced: true }
    } catch (error) {
      this.#deps.log.error('sync of a pod threw', { podUid: record.uid, error })
      return { outcome: err({ kind: 'failed', message: messageOf(error) }), hasSynced: true }
    }
  }

  async #dispatch(work: Work, status: PodRuntimeStatus, causes: TraceCauses): Promise<SyncOutcome> {
    const { record, update, cancellation, type } = work
    const { pod, mirrorPod, updateType } = update
    if (pod === undefined) throw new Error(`update without a pod for ${record.uid}`)
    switch (type) {
      case 'terminated':
        return notTerminal(
          await this.#deps.podSyncer.syncTerminatedPod(cancellation, { pod, status, causes }),
        )
      case 'terminating': {
        const podStatusFunc = this.#acknowledgeTerminating(record, causes)
        const gracePeriodSeconds = update.killPodOptions?.gracePeriodSecondsOverride
        const options = { pod, status, gracePeriodSeconds, podStatusFunc, causes }
        return notTerminal(await this.#deps.podSyncer.syncTerminatingPod(cancellation, options))
      }
      case 'sync': {
        const options = { updateType, pod, mirrorPod, status, causes }
        return this.#deps.podSyncer.syncPod(cancellation, options)
      }
      default:
        return assertNever(type, 'work type')
    }
  }

  /** From here on no SyncPod runs for the record. Returns the last registered status function. */
  #acknowledgeTerminating(record: WorkerRecord, causes: TraceCauses): PodStatusFunc | undefined {
    if (record.terminatingAt !== undefined && !record.startedTerminating) {
      record.startedTerminating = true
      const { subject } = record
      this.#deps.trace.emit({ kind: 'worker.acknowledgedTerminating', subject, causes, data: {} })
    }
    return record.statusPostTerminating.at(-1)
  }

  #syncStarted({ record, type, update }: Work): TraceSeq {
    return traceAbout(this.#deps.trace, record.subject, 'worker.syncStarted', update.causes, {
      workType: type,
      updateType: update.updateType,
      gracePeriodSeconds: update.killPodOptions?.gracePeriodSecondsOverride ?? null,
    })
  }

  #syncFinished(
    work: Work,
    outcome: SyncOutcome,
    startedAt: number,
    causes: TraceCauses,
  ): TraceSeq {
    return traceAbout(this.#deps.trace, work.record.subject, 'worker.syncFinished', causes, {
      workType: work.type,
      durationMs: this.#deps.clock.now() - startedAt,
      ...outcomeData(outcome),
    })
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function currentSyncOf({ type, update }: Work, startedAt: number): CurrentSync {
  const gracePeriodSeconds = update.killPodOptions?.gracePeriodSecondsOverride
  return { type, startedAt, gracePeriodSeconds }
}

function notTerminal(result: Result<undefined, PodSyncFailure>): SyncOutcome {
  return result.ok ? ok({ isTerminal: false }) : result
}

function outcomeData(outcome: SyncOutcome): {
  readonly outcome: 'ok' | 'terminal' | 'error' | 'cancelled'
  readonly message: string
} {
  if (outcome.ok) return { outcome: outcome.value.isTerminal ? 'terminal' : 'ok', message: '' }
  if (outcome.error.kind === 'cancelled') return { outcome: 'cancelled', message: '' }
  return { outcome: 'error', message: outcome.error.message }
}
