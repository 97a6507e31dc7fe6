import type { Clock } from '../../../kubelet/ports.ts'

const firstMs = 1000
const maxMs = 15 * 60_000

/** How long failed pods stay before they are replaced, by set and node. Source: client-go util/flowcontrol Backoff. */
export class FailedPodBackOff {
  readonly #clock: Clock
  readonly #entries = new Map<string, { readonly delayMs: number; readonly at: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  waitMs(key: string): number {
    const entry = this.#entries.get(key)
    return entry === undefined ? 0 : Math.max(0, entry.at + entry.delayMs - this.#clock.now())
  }

  next(key: string): void {
    const now = this.#clock.now()
    const before = this.#entries.get(key)
    const isOld = before === undefined || now - before.at > 2 * maxMs
    const delayMs = isOld ? firstMs : Math.min(maxMs, before.delayMs * 2)
    this.#entries.set(key, { delayMs, at: now })
  }
}
