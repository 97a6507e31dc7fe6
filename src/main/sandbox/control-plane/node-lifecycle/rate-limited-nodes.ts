import type { Clock } from '../../../kubelet/ports.ts'

/** EvictionRateLimiterBurst: of a token bucket. */
const burst = 1

/**
 * The nodes of a zone that wait for a NoExecute taint, as many a second as the zone's rate allows. A node that was handled is
 * not handled again before it is removed. Source: pkg/controller/nodelifecycle/scheduler/rate_limited_queue.go (v1.34).
 */
export class RateLimitedNodes {
  readonly #clock: Clock
  /** Names, oldest first. */
  readonly #waiting = new Set<string>()
  readonly #known = new Set<string>()
  #perSecond: number
  #tokens = burst
  #countedAt: number

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock
    this.#perSecond = perSecond
    this.#countedAt = clock.now()
  }

  /** The rate, nodes a second; 0: none. A token that was used stays used. */
  set perSecond(next: number) {
    if (next === this.#perSecond) return
    const isDrained = !this.#takeToken()
    this.#perSecond = next
    this.#tokens = isDrained ? 0 : burst
    this.#countedAt = this.#clock.now()
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  add(name: string): void {
    if (this.#known.has(name)) return
    this.#known.add(name)
    this.#waiting.add(name)
  }

  /** So that it can be added again. */
  remove(name: string): void {
    this.#known.delete(name)
    this.#waiting.delete(name)
  }

  /** Handles as many nodes as the rate allows now; `act` answers false if the node is to be tried again. */
  async run(act: (name: string) => Promise<boolean>): Promise<void> {
    for (const name of this.#waiting) {
      if (!this.#takeToken()) return
      if (await act(name)) this.#waiting.delete(name)
      else return
    }
  }

  /** How long until the next node may be handled, in ms; Infinity: never. */
  get waitMs(): number {
    if (this.#perSecond <= 0) return Infinity
    this.#refill()
    return this.#tokens >= 1 ? 0 : Math.ceil(((1 - this.#tokens) / this.#perSecond) * 1000)
  }

  #refill(): void {
    const now = this.#clock.now()
    const gained = ((now - this.#countedAt) / 1000) * this.#perSecond
    this.#tokens = Math.min(burst, this.#tokens + gained)
    this.#countedAt = now
  }

  #takeToken(): boolean {
    if (this.#perSecond <= 0) return false
    this.#refill()
    // Sums of fractions are not exact.
    if (this.#tokens < 1 - 1e-9) return false
    this.#tokens = Math.max(0, this.#tokens - 1)
    return true
  }
}
