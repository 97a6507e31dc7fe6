/** How many rounds go without a pause, and how many pauses stay short; after those, the loop has no end. */
const roundsAtFirst = 500
const shortPauses = 20
const roundsLater = 10
const longestPauseMs = 5000

/**
 * Makes a loop that does nothing but count take time, so that an endless one stops neither the program
 * nor the clock: about as long as a real shell at first, then ever longer.
 */
export class BusyMeter {
  readonly #now: () => number
  #lastTime = Number.NaN
  #rounds = 0
  #pauses = 0
  #pausedUntil = Number.NaN

  constructor(now: () => number) {
    this.#now = now
  }

  /** Called once a round; the ms to wait now, mostly 0. */
  pauseMs(): number {
    const now = this.#now()
    if (now !== this.#lastTime) {
      this.#rounds = 0
      if (now !== this.#pausedUntil) this.#pauses = 0
      this.#lastTime = now
    }
    const rounds = this.#pauses < shortPauses ? roundsAtFirst : roundsLater
    if (++this.#rounds < rounds) return 0
    const pauseMs = Math.min(longestPauseMs, 2 ** Math.max(0, this.#pauses - shortPauses))
    this.#pauses++
    this.#pausedUntil = now + pauseMs
    return pauseMs
  }
}
