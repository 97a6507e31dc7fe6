import type { Random } from '../../kubelet/ports.ts'

/** Exponential back-off with full jitter above its base: base, 2 × base, 4 × base …, each stretched by [1, 2), at most `maxMs`. */
export class BackOff {
  readonly #deps: { readonly baseMs: number; readonly maxMs: number; readonly random: Random }
  #failures = 0

  constructor(deps: { readonly baseMs: number; readonly maxMs: number; readonly random: Random }) {
    this.#deps = deps
  }

  /** Failures in a row. */
  get failures(): number {
    return this.#failures
  }

  /** Counts a failure and returns the ms to wait before the next try. */
  next(): number {
    const { baseMs, maxMs, random } = this.#deps
    const exponent = Math.min(this.#failures++, 30)
    return Math.min(maxMs, baseMs * 2 ** exponent * (1 + random.next()))
  }

  reset(): void {
    this.#failures = 0
  }
}
