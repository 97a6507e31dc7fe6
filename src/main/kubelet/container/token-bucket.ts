import type { Clock } from '../ports.ts'

/**
 * client-go's token bucket rate limiter: `burst` at once, then `qps` a second. Starts full.
 */
export class TokenBucket {
  readonly #clock: Clock
  readonly #qps: number
  readonly #burst: number
  #tokens: number
  #at: number

  constructor(deps: { readonly clock: Clock; readonly qps: number; readonly burst: number }) {
    this.#clock = deps.clock
    this.#qps = deps.qps
    this.#burst = deps.burst
    this.#tokens = deps.burst
    this.#at = deps.clock.now()
  }

  /** Takes a token if there is one. Never waits. */
  tryAccept(): boolean {
    this.#fill()
    // A sum of many refills may miss a whole token by a rounding error.
    if (this.#tokens < 1 - 1e-9) return false
    this.#tokens -= 1
    return true
  }

  /** Milliseconds until `tryAccept` will succeed; 0 when it would now. */
  waitMs(): number {
    this.#fill()
    return Math.max(0, Math.ceil(((1 - 1e-9 - this.#tokens) / this.#qps) * 1000))
  }

  #fill(): void {
    const now = this.#clock.now()
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#at) / 1000) * this.#qps)
    this.#at = now
  }
}
