import type { Random } from '../kubelet/ports.ts'

/** Exponential back-off with full jitter above its base: base, 2 × base, 4 × base …, each stretched by [1, 2), at most `maxMs`. */
export class BackOff {
  readonly #baseMs: number
  readonly #maxMs: number
  readonly #random: Random
  #failures = 0

  constructor(deps: { readonly baseMs: number; readonly maxMs: number; readonly random: Random }) {
    this.#baseMs = deps.baseMs
    this.#maxMs = deps.maxMs
    this.#random = deps.random
  }

  /** Failures in a row. */
  get failures(): number {
    return this.#failures
  }

  /** Counts a failure; the ms to wait before the next try. */
  next(): number {
    const exponent = Math.min(this.#failures, 30)
    this.#failures++
    const stretched = this.#baseMs * 2 ** exponent * (1 + this.#random.next())
    return Math.min(this.#maxMs, stretched)
  }

  reset(): void {
    this.#failures = 0
  }
}
