import type { CancelTimer, Clock } from '../../kubelet/ports.ts'

interface PacedDeps {
  readonly clock: Clock
  /** Time between two calls, at least. */
  readonly everyMs: number
  readonly call: () => void
}

/** Calls at once, but not more often than the interval allows: what is touched sooner is called at its end. */
export class Paced {
  readonly #deps: PacedDeps
  #lastAt = Number.NEGATIVE_INFINITY
  #cancel: CancelTimer | undefined

  constructor(deps: PacedDeps) {
    this.#deps = deps
  }

  touch(): void {
    if (this.#cancel !== undefined) return
    const { clock, everyMs } = this.#deps
    const sinceMs = clock.now() - this.#lastAt
    // If the wall clock was set back, nothing must wait longer.
    if (sinceMs >= everyMs || sinceMs < 0) this.#call()
    else
      this.#cancel = clock.after(everyMs - sinceMs, () => {
        this.#cancel = undefined
        this.#call()
      })
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }

  #call(): void {
    this.#lastAt = this.#deps.clock.now()
    this.#deps.call()
  }
}
