import type { ClockView } from '../../../shared/model/cluster-view.ts'

interface Reading {
  readonly now: number
  readonly at: number
  readonly rate: number
}

/** So late that rounding cannot show the second before. */
const afterSecondMs = 5
/** Faster than this the seconds would only flicker. */
const shortestTickMs = 200
/** While no clock runs, for one that may begin to. */
const idleTickMs = 1000
/** A correction smaller than this is jitter of the way here; time on the screen does not step back for it. */
const jitterMs = 2000

/**
 * Each cluster's time, carried on between patches by the page's own monotonic clock. Everything that
 * ticks (ages, countdowns, the clock in the bar) reads `now()`, which changes only at a tick, so that
 * one picture never shows two times.
 */
export class ClusterClocks {
  readonly #monotonic: () => number
  readonly #readings = new Map<string, Reading>()
  readonly #ticked = new Map<string, number>()
  readonly #listeners = new Set<() => void>()
  #leading = ''
  #timer: ReturnType<typeof setTimeout> | undefined
  #tickedAt = Number.NEGATIVE_INFINITY

  constructor(deps: { readonly monotonic: () => number }) {
    this.#monotonic = deps.monotonic
  }

  /** The clock's view, whole: with its speed, and whether it stands still. */
  set(cluster: string, view: ClockView): void {
    this.#readings.set(cluster, {
      now: view.now,
      at: this.#monotonic(),
      rate: view.paused ? 0 : (view.achieved ?? view.speed),
    })
    this.#settle(cluster)
  }

  /** Ticks fall on the seconds of this cluster: the one that is looked at. Until it has told its time, on the first's. */
  lead(cluster: string): void {
    if (cluster === this.#leading) return
    this.#leading = cluster
    if (this.#timer !== undefined) this.#schedule()
  }

  /** A cluster that is closed. */
  drop(cluster: string): void {
    this.#readings.delete(cluster)
    this.#ticked.delete(cluster)
  }

  /** The time that came with a patch. */
  sync(cluster: string, now: number): void {
    const rate = this.#readings.get(cluster)?.rate ?? 1
    this.#readings.set(cluster, { now, at: this.#monotonic(), rate })
    this.#settle(cluster)
  }

  /** ms on the cluster's clock at this moment, for the clock in the bar; never before the last tick by mere jitter. */
  precise(cluster: string): number | undefined {
    const shown = this.#ticked.get(cluster)
    if (shown === undefined) return undefined
    const estimate = this.#estimate(cluster)
    return estimate < shown && shown - estimate < jitterMs && !this.#isStopped(cluster)
      ? shown
      : estimate
  }

  /** ms on the cluster's clock at the last tick; undefined for a cluster that has not told its time. */
  now(cluster: string): number | undefined {
    return this.#ticked.get(cluster)
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    if (this.#timer === undefined) this.#schedule()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      clearTimeout(this.#timer)
      this.#timer = undefined
    }
  }

  #settle(cluster: string): void {
    // The next whole second may lie elsewhere now.
    if (this.#timer !== undefined) this.#schedule()
    const shown = this.#ticked.get(cluster)
    const estimate = this.#estimate(cluster)
    const isJitter = shown !== undefined && Math.abs(estimate - shown) < jitterMs
    // A clock that stands still is exact, and steps by less than a tick.
    if (isJitter && (!this.#isStopped(cluster) || estimate === shown)) return
    this.#ticked.set(cluster, estimate)
    for (const listener of this.#listeners) listener()
  }

  #estimate(cluster: string): number {
    const reading = this.#readings.get(cluster)
    if (reading === undefined) return 0
    return reading.now + (this.#monotonic() - reading.at) * reading.rate
  }

  #isStopped(cluster: string): boolean {
    return this.#readings.get(cluster)?.rate === 0
  }

  #tick(): void {
    this.#tickedAt = this.#monotonic()
    for (const cluster of this.#readings.keys()) {
      const estimate = this.#estimate(cluster)
      const shown = this.#ticked.get(cluster) ?? estimate
      const isJitter = estimate < shown && shown - estimate < jitterMs
      this.#ticked.set(cluster, isJitter ? shown : estimate)
    }
    for (const listener of this.#listeners) listener()
    this.#schedule()
  }

  /** The next tick falls just after the second that follows the shown one, on the leading cluster's clock. */
  #schedule(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#tick(), this.#untilTick())
  }

  #untilTick(): number {
    const led = this.#readings.has(this.#leading) ? [this.#leading] : this.#readings.keys()
    const [cluster] = led
    const rate = cluster === undefined ? 0 : (this.#readings.get(cluster)?.rate ?? 0)
    if (cluster === undefined || rate === 0) return idleTickMs
    const shown = this.#ticked.get(cluster) ?? 0
    const next = Math.floor(shown / 1000) * 1000 + 1000 + afterSecondMs
    const soonest = this.#tickedAt + shortestTickMs - this.#monotonic()
    return Math.max(0, soonest, (next - this.#estimate(cluster)) / rate)
  }
}
