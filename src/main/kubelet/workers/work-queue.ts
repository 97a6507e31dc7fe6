import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import type { Clock } from '../ports.ts'

/** A uid that is due, and what put it into the queue. */
export interface DueWork {
  readonly uid: string
  readonly causes: TraceCauses
}

/**
 * When each uid is to be synced next. One due time per uid: a later `enqueue` overwrites the earlier,
 * even with a later time. It wakes no worker; the sync loop's tick takes what is due (pod-workers#shared-state).
 */
export class WorkQueue {
  readonly #clock: Clock
  readonly #queue = new Map<string, { readonly dueAt: number; readonly causes: TraceCauses }>()

  constructor(deps: { readonly clock: Clock }) {
    this.#clock = deps.clock
  }

  enqueue(uid: string, delayMs: number, causes: TraceCauses): void {
    this.#queue.set(uid, { dueAt: this.#clock.now() + delayMs, causes })
  }

  /** Removes and returns everything that is due; what is due exactly now is left, as in the kubelet. */
  getWork(): readonly DueWork[] {
    const now = this.#clock.now()
    const due: DueWork[] = []
    // Asked each second, when few are due: this makes no pair for each of the others.
    this.#queue.forEach(({ dueAt, causes }, uid) => {
      if (dueAt < now) due.push({ uid, causes })
    })
    for (const { uid } of due) this.#queue.delete(uid)
    return due
  }

  /** ms on the clock, for the views. */
  dueAt(uid: string): number | undefined {
    return this.#queue.get(uid)?.dueAt
  }
}
