import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import type { Random, Trace } from '../ports.ts'
import { defaultKubeletSettings } from '../kubelet-settings.ts'
import type { WithKubeletSettings } from '../kubelet-settings.ts'
import type { WorkerRecord } from './worker-record.ts'
import type { WorkQueue } from './work-queue.ts'

/** Pauses after a failed sync of one pod in ms; each pause, as the resync, is stretched by a random factor in [1, 1.5) (pod-workers#shared-state). */
const workerPeriods = {
  backOffMs: 10_000,
  transientBackOffMs: 1000,
} as const

/** Why a worker is queued again, which decides the delay. */
export type RequeueReason = 'transition' | 'resync' | 'network' | 'error' | 'waiting'

interface WorkerRequeueDeps extends WithKubeletSettings {
  readonly random: Random
  readonly trace: Trace
  readonly workQueue: WorkQueue
}

/** Puts a uid into the work queue and traces it; the sync loop's tick turns it into an update when it is due. */
export class WorkerRequeue {
  readonly #deps: WorkerRequeueDeps

  constructor(deps: WorkerRequeueDeps) {
    this.#deps = deps
  }

  enqueue(record: WorkerRecord, why: RequeueReason, causes: TraceCauses): void {
    const delayMs = this.#delayMs(why)
    const { subject, uid } = record
    const data = { delayMs, why }
    const seq = this.#deps.trace.emit({ kind: 'worker.requeued', subject, causes, data })
    this.#deps.workQueue.enqueue(uid, delayMs, [seq])
  }

  #delayMs(why: RequeueReason): number {
    switch (why) {
      case 'transition':
        return 0
      case 'resync':
        return this.#jittered((this.#deps.settings ?? defaultKubeletSettings).syncFrequencyMs)
      case 'network':
        return this.#jittered(workerPeriods.transientBackOffMs)
      case 'error':
      case 'waiting':
        return this.#jittered(workerPeriods.backOffMs)
    }
  }

  #jittered(periodMs: number): number {
    return periodMs * (1 + 0.5 * this.#deps.random.next())
  }
}
