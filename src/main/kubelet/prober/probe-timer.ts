import { TimerQueue } from '../../../shared/timer-queue.ts'
import type { QueuedTimer } from '../../../shared/timer-queue.ts'
import type { CancelTimer, Clock } from '../ports.ts'

export interface Ticking {
  readonly tick: () => void
}

/** The ticks of all probes of a kubelet: one timer of the clock, for the earliest, is much less than one for each. */
export class ProbeTimer {
  readonly #clock: Clock
  readonly #queue = new TimerQueue<Ticking>()
  #cancel: CancelTimer | undefined
  /** When the clock's timer is due, ms. */
  #due: number | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  now(): number {
    return this.#clock.now()
  }

  add(due: number, ticking: Ticking): QueuedTimer<Ticking> {
    const timer = this.#queue.add(due, ticking)
    this.#arm()
    return timer
  }

  cancel(timer: QueuedTimer<Ticking>): void {
    this.#queue.cancel(timer)
    this.#arm()
  }

  #arm(): void {
    const due = this.#queue.peek()?.due
    if (due === this.#due) return
    this.#cancel?.()
    this.#due = due
    this.#cancel = due === undefined ? undefined : this.#clock.after(due - this.now(), this.#fire)
  }

  /** One tick for each timer of the clock: a virtual clock lets each settle before the next, at the same time. */
  readonly #fire = (): void => {
    this.#due = undefined
    this.#cancel = undefined
    const next = this.#queue.peek()
    const isDue = next !== undefined && next.due <= this.now()
    if (isDue) this.#queue.take()
    this.#arm()
    if (isDue) next.value.tick()
  }
}
