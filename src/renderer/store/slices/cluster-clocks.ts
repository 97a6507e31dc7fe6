import type { ClockView } from '../../../shared/model/cluster-view.ts'

interface Reading {
  readonly now: number
  readonly at: number
  readonly rate: number
}

/** A tick this long after the second, so that rounding does not show the previous one. */
const afterSecondMs = 5
/** With shorter ticks, the seconds would flicker. */
const shortestTickMs = 200
/** The tick while no clock runs, in case one starts. */
const idleTickMs = 1000
/** A smaller correction is network jitter; the shown time does not go back for it. */
const jitterMs = 2000

/**
 * Each cluster's time, advanced between patches by the page's own monotonic clock. Everything that
 * ticks (ages, countdowns, the clock in the bar) reads `now()`, which changes only at a tick, so the
 * page never shows two times at once.
 */
export class ClusterClocks {
  readonly #monotonic: () => number
  readonly #readings = new Map<string, Reading>()
  readonly #ticked = new Map<string, number>()
  readonly #listeners = new Set<() => void>()
  #aligned = ''
  #timer: ReturnType<typeof setTimeout> | undefined
  #tickedAt = Number.NEGATIVE_INFINITY

  constructor(deps: { readonly monotonic: () => number }) {
    this.#monotonic = deps.monotonic
  }

  /** The whole view of a clock, with its speed and whether it is paused. */
  set(cluster: string, view: ClockView): void {
    this.#readings.set(cluster, {
      now: view.now,
      at: this.#monotonic(),
      rate: view.paused ? 0 : (view.achieved ?? view.speed),
    })
    this.#settle(cluster)
  }

  /** Aligns the ticks with the seconds of this cluster, the shown one; until its time is known, with the first cluster's. */
  alignTo(cluster: string): void {
    if (cluster === this.#aligned) return
    this.#aligned = cluster
    if (this.#timer !== undefined) this.#schedule()
  }

  /** Removes a closed cluster. */
  drop(cluster: string): void {
    this.#readings.delete(cluster)
    this.#ticked.delete(cluster)
  }

  /** Sets the time of a patch. */
  sync(cluster: string, now: number): void {
    const rate = this.#readings.get(cluster)?.rate ?? 1
    this.#readings.set(cluster, { now, at: this.#monotonic(), rate })
    this.#settle(cluster)
  }

  /** ms on the cluster's clock at this moment, for the clock in the bar; jitter does not move it before the last tick. */
  precise(cluster: string): number | undefined {
    const shown = this.#ticked.get(cluster)
    if (shown === undefined) return undefined
    const estimate = this.#estimate(cluster)
    return estimate < shown && shown - estimate < jitterMs && !this.#isStopped(cluster)
      ? shown
      : estimate
  }

  /** ms on the cluster's clock at the last tick; undefined if its time is unknown. */
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
    // The next whole second may have moved.
    if (this.#timer !== undefined) this.#schedule()
    const shown = this.#ticked.get(cluster)
    const estimate = this.#estimate(cluster)
    const isJitter = shown !== undefined && Math.abs(estimate - shown) < jitterMs
    // A paused clock is exact, and a step can be shorter than a tick.
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

  /** The next tick is just after the next second on the aligned cluster's clock. */
  #schedule(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#tick(), this.#untilTick())
  }

  #untilTick(): number {
    const aligned = this.#readings.has(this.#aligned) ? [this.#aligned] : this.#readings.keys()
    const [cluster] = aligned
    const rate = cluster === undefined ? 0 : (this.#readings.get(cluster)?.rate ?? 0)
    if (cluster === undefined || rate === 0) return idleTickMs
    const shown = this.#ticked.get(cluster) ?? 0
    const next = Math.floor(shown / 1000) * 1000 + 1000 + afterSecondMs
    const soonest = this.#tickedAt + shortestTickMs - this.#monotonic()
    return Math.max(0, soonest, (next - this.#estimate(cluster)) / rate)
  }
}
