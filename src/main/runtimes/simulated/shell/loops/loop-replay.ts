import type { ConstantLoop } from './constant-loop.ts'

/** Rounds of which the output is produced when someone looks; that of earlier ones is dropped. */
const maxRounds = 100

/** Times closer than this count as equal, because sums of fractions are not exact. */
const toleranceMs = 1e-4

/** Produces the output of a constant loop when someone looks, so that the loop needs no timers until then. */
export class LoopReplay {
  readonly #loop: ConstantLoop
  readonly #startedAt: number
  readonly #runItem: (index: number, at: number) => void
  readonly #skipRounds: (count: number) => void
  /** Items whose output is produced. */
  #done = 0
  #lastLook = Number.NEGATIVE_INFINITY

  constructor(deps: {
    readonly loop: ConstantLoop
    readonly startedAt: number
    readonly runItem: (index: number, at: number) => void
    readonly skipRounds: (count: number) => void
  }) {
    this.#loop = deps.loop
    this.#startedAt = deps.startedAt
    this.#runItem = deps.runItem
    this.#skipRounds = deps.skipRounds
  }

  /** Runs what has begun until now and was not run before. */
  catchUp(now: number): void {
    const { durations } = this.#loop
    const count = durations.length
    const due = this.#due(now)
    const skipped = Math.floor((due - this.#done) / count) - maxRounds
    if (skipped > 0) {
      this.#skipRounds(skipped)
      this.#done += skipped * count
    }
    const roundMs = sum(durations)
    for (; this.#done < due; this.#done++) {
      const index = this.#done % count
      const round = (this.#done - index) / count
      const at = roundMs === 0 ? now : round * roundMs + sum(durations.slice(0, index))
      this.#runItem(index, roundMs === 0 ? now : this.#startedAt + at)
    }
    this.#lastLook = now
  }

  /** How many items have begun since the start. */
  #due(now: number): number {
    const { durations } = this.#loop
    const roundMs = sum(durations)
    // A loop without a pause: as much as is kept, once for each time.
    if (roundMs === 0)
      return this.#done + (now === this.#lastLook ? 0 : maxRounds * durations.length)
    const elapsedMs = now - this.#startedAt + toleranceMs
    const rounds = Math.floor(elapsedMs / roundMs)
    let restMs = elapsedMs - rounds * roundMs
    let begun = 0
    for (const ms of durations) {
      if (restMs < 0) break
      begun++
      restMs -= ms
    }
    return rounds * durations.length + begun
  }
}

function sum(durations: readonly number[]): number {
  return durations.reduce((total, ms) => total + ms, 0)
}
