import type { CancelTimer, Clock } from '../ports.ts'

interface PeriodicLoopDeps {
  readonly clock: Clock
  readonly periodMs: number
  readonly run: () => void
}

/**
 * A loop that runs at every period, but only when something woke it: runs that would find nothing to do are left out, so
 * that an idle kubelet costs nothing.
 */
export class PeriodicLoop {
  readonly #deps: PeriodicLoopDeps
  #startedAt: number | undefined
  #next: { readonly at: number; readonly cancel: CancelTimer } | undefined

  constructor(deps: PeriodicLoopDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#startedAt = this.#deps.clock.now()
    this.wake()
  }

  stop(): void {
    this.#startedAt = undefined
    this.#next?.cancel()
    this.#next = undefined
  }

  /** Runs at the next period that begins after now, and after `notBefore`. Before the start or after the stop: nothing. */
  wake(notBefore = -Infinity): void {
    const { clock } = this.#deps
    const at = this.periodAfter(notBefore)
    if (at === undefined || (this.#next !== undefined && this.#next.at <= at)) return
    this.#next?.cancel()
    const cancel = clock.after(at - clock.now(), () => {
      this.#next = undefined
      this.#deps.run()
    })
    this.#next = { at, cancel }
  }

  /** When the next period begins after now, and after `notBefore`; undefined if the loop is not started. */
  periodAfter(notBefore: number): number | undefined {
    const { clock, periodMs } = this.#deps
    if (this.#startedAt === undefined) return undefined
    const from = Math.max(clock.now(), notBefore) - this.#startedAt
    return this.#startedAt + (Math.floor(from / periodMs) + 1) * periodMs
  }
}
