const dayMs = 86_400_000
/** An earlier day by more than this is of the next year. */
const halfYearMs = 182 * dayMs

/**
 * Times of text, which has neither year nor zone: they are taken as UTC. The first entry is of the last year in which it is
 * not after `writtenAt`, the time of the file's last change.
 */
export class LogTime {
  readonly #writtenAt: number
  #monthDay = -1
  #dayStart = Number.NaN

  constructor(writtenAt: number) {
    this.#writtenAt = writtenAt
  }

  at(monthDay: number, sinceMidnightMs: number): number {
    if (monthDay !== this.#monthDay) this.#goTo(monthDay)
    return this.#dayStart + sinceMidnightMs
  }

  #goTo(monthDay: number): void {
    const month = Math.floor(monthDay / 100) - 1
    const day = monthDay % 100
    const before = this.#dayStart
    const isFirst = Number.isNaN(before)
    let year = new Date(isFirst ? this.#writtenAt : before).getUTCFullYear()
    const of = (inYear: number): number => Date.UTC(inYear, month, day)
    // The zone of the node may be ahead by less than a day.
    if (isFirst && of(year + 1) <= this.#writtenAt + dayMs) year++
    else if (isFirst && of(year) > this.#writtenAt + dayMs) year--
    if (!isFirst && of(year) < before - halfYearMs) year++
    if (!isFirst && of(year) > before + halfYearMs) year--
    this.#monthDay = monthDay
    this.#dayStart = of(year)
  }
}
