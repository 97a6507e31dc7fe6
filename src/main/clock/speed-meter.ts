/** Over how many real ms a speed is measured. */
const windowMs = 1000
/** Readings nearer to each other than this add nothing. */
const apartMs = 100
/** A shorter time measures chance. */
const leastMs = 250

interface Reading {
  readonly real: number
  readonly virtual: number
}

/** How fast a clock has run over the last second or so of real time. Both times in ms. */
export class SpeedMeter {
  #readings: Reading[] = []

  /** What was before does not count: the clock was stopped, moved, or given another speed. */
  reset(reading: Reading): void {
    this.#readings = [reading]
  }

  note(reading: Reading): void {
    const last = this.#readings.at(-1)
    if (last !== undefined && reading.real - last.real < apartMs) return
    this.#readings.push(reading)
    // One stays that is as old as the window, or older where none came since.
    while ((this.#readings[1]?.real ?? Infinity) <= reading.real - windowMs) this.#readings.shift()
  }

  /** Virtual ms per real ms until now; null while too little was seen. */
  read({ real, virtual }: Reading): number | null {
    const from = this.#readings[0]
    if (from === undefined || real - from.real < leastMs) return null
    return (virtual - from.virtual) / (real - from.real)
  }
}
