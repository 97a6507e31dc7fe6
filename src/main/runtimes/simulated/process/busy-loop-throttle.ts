/** Rounds before a pause, at first and later, and the number of short pauses. A loop that runs longer counts as endless. */
const roundsAtFirst = 500
const shortPauses = 20
const roundsLater = 10
const longestPauseMs = 5000

/**
 * Makes loops without any wait take time, so that an endless one blocks neither the program nor the clock. At first a
 * round takes about as long as in a real shell, then the pauses grow.
 */
export class BusyLoopThrottle {
  readonly #now: () => number
  #lastTime = Number.NaN
  #rounds = 0
  #pauses = 0
  #pausedUntil = Number.NaN

  constructor(now: () => number) {
    this.#now = now
  }

  /** Call once per round. Returns the ms to wait now, usually 0. */
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
