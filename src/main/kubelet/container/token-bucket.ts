import type { Clock } from '../ports.ts'

interface TokenBucketDeps {
  readonly clock: Clock
  readonly qps: number
  readonly burst: number
}

/**
 * client-go's token bucket rate limiter: `burst` at once, then `qps` a second. Starts full.
 */
export class TokenBucket {
  readonly #deps: TokenBucketDeps
  #tokens: number
  #at: number

  constructor(deps: TokenBucketDeps) {
    this.#deps = deps
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
    return Math.max(0, Math.ceil(((1 - 1e-9 - this.#tokens) / this.#deps.qps) * 1000))
  }

  /** Takes a token, if there is none a later one; returns the milliseconds until it is there. */
  reserve(): number {
    const waitMs = this.waitMs()
    this.#tokens -= 1
    return waitMs
  }

  #fill(): void {
    const now = this.#deps.clock.now()
    this.#tokens = Math.min(
      this.#deps.burst,
      this.#tokens + ((now - this.#at) / 1000) * this.#deps.qps,
    )
    this.#at = now
  }
}
