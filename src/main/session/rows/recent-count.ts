const buckets = 60

/**
 * Counts events in a sliding window of the cluster's clock, with the precision of a sixtieth of the window. Takes
 * constant memory, and constant time for each event.
 */
export class RecentCount {
  readonly #bucketMs: number
  readonly #counts = new Uint32Array(buckets)
  /** The bucket of time that each slot counts. */
  readonly #stamps = new Float64Array(buckets).fill(-1)

  constructor(windowMs: number) {
    this.#bucketMs = windowMs / buckets
  }

  add(at: number): void {
    const stamp = Math.floor(at / this.#bucketMs)
    const slot = stamp % buckets
    // Of a time before the window.
    if ((this.#stamps[slot] ?? 0) > stamp) return
    if (this.#stamps[slot] !== stamp) {
      this.#stamps[slot] = stamp
      this.#counts[slot] = 0
    }
    this.#counts[slot] = (this.#counts[slot] ?? 0) + 1
  }

  count(now: number): number {
    const newest = Math.floor(now / this.#bucketMs)
    let sum = 0
    for (const [slot, stamp] of this.#stamps.entries())
      if (stamp > newest - buckets && stamp <= newest) sum += this.#counts[slot] ?? 0
    return sum
  }
}
