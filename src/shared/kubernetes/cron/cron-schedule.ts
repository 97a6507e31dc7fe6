import { durationNs } from '../../go/duration.ts'
import { numberError } from '../../go/query.ts'
import { err, ok } from '../../result.ts'
import type { Result } from '../../result.ts'
import { loadTimeZone, utc } from './time-zones.ts'
import type { TimeZone } from './time-zones.ts'

// Schedules as kube-controller-manager reads them. Source: github.com/robfig/cron/v3 parser.go, spec.go, constantdelay.go
// (v3.0.1). Written by hand: libraries for JavaScript differ in names, steps, days of the month and of the week together, what
// they do when clocks change, and all error messages.

/** When something is due. Times are ms since the epoch. */
export interface CronSchedule {
  /** The first due time after `time`; undefined if there is none within five years. */
  readonly next: (time: number) => number | undefined
}

interface Bounds {
  readonly min: number
  readonly max: number
  readonly names: readonly string[]
}

const minutes: Bounds = { min: 0, max: 59, names: [] }
const hours: Bounds = { min: 0, max: 23, names: [] }
const daysOfMonth: Bounds = { min: 1, max: 31, names: [] }
const months: Bounds = {
  min: 1,
  max: 12,
  names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
}
const daysOfWeek: Bounds = {
  min: 0,
  max: 6,
  names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
}
const allBounds = [minutes, hours, daysOfMonth, months, daysOfWeek] as const

/** The values of one field. */
interface Field {
  readonly values: ReadonlySet<number>
  /** It has a `*` or `?` that no step thins out. */
  readonly isAny: boolean
}

const largestInt = 2n ** 63n - 1n

function parseCount(text: string): Result<bigint, string> {
  const problem = numberError(text, { pattern: /^[-+]?\d+$/, largest: largestInt })
  if (problem !== undefined)
    return err(`failed to parse int from ${text}: strconv.Atoi: parsing ${problem}`)
  const count = BigInt(text.replace('+', ''))
  return count < 0n ? err(`negative number (${count}) not allowed: ${text}`) : ok(count)
}

function parseCountOrName(text: string, { names, min }: Bounds): Result<bigint, string> {
  const index = names.indexOf(text.toLowerCase())
  return index === -1 ? parseCount(text) : ok(BigInt(index + min))
}

interface Range {
  readonly start: bigint
  readonly end: bigint
  readonly isAny: boolean
}

/** `*`, `?`, a number or `number-number`. */
function parseRange(text: string, expression: string, bounds: Bounds): Result<Range, string> {
  const [low = '', high, ...more] = text.split('-')
  if (low === '*' || low === '?')
    return ok({ start: BigInt(bounds.min), end: BigInt(bounds.max), isAny: true })
  const start = parseCountOrName(low, bounds)
  if (!start.ok) return start
  if (more.length > 0) return err(`too many hyphens: ${expression}`)
  const end = high === undefined ? start : parseCountOrName(high, bounds)
  return end.ok ? ok({ start: start.value, end: end.value, isAny: false }) : end
}

/** One part of a field: a range, or a range and a step. */
function parsePart(expression: string, bounds: Bounds): Result<Field, string> {
  const [rangeText = '', stepText, ...more] = expression.split('/')
  const range = parseRange(rangeText, expression, bounds)
  if (!range.ok) return range
  if (more.length > 0) return err(`too many slashes: ${expression}`)
  const step = stepText === undefined ? ok(1n) : parseCount(stepText)
  if (!step.ok) return step
  const { start } = range.value
  // `5/10` is `5-59/10`.
  const isOpen = stepText !== undefined && !rangeText.includes('-')
  const end = isOpen ? BigInt(bounds.max) : range.value.end
  const { min, max } = bounds
  if (start < min) return err(`beginning of range (${start}) below minimum (${min}): ${expression}`)
  if (end > max) return err(`end of range (${end}) above maximum (${max}): ${expression}`)
  if (start > end)
    return err(`beginning of range (${start}) beyond end of range (${end}): ${expression}`)
  if (step.value === 0n) return err(`step of range should be a positive number: ${expression}`)
  const values = new Set<number>()
  for (let value = start; value <= end; value += step.value) values.add(Number(value))
  return ok({ values, isAny: range.value.isAny && step.value === 1n })
}

function parseField(text: string, bounds: Bounds): Result<Field, string> {
  const values = new Set<number>()
  let isAny = false
  for (const expression of text.split(',').filter((part) => part !== '')) {
    const part = parsePart(expression, bounds)
    if (!part.ok) return part
    for (const value of part.value.values) values.add(value)
    isAny ||= part.value.isAny
  }
  return ok({ values, isAny })
}

function every(expression: string): Result<CronSchedule, string> {
  const duration = durationNs(expression.slice('@every '.length))
  if (!duration.ok) return err(`failed to parse duration ${expression}: ${duration.error}`)
  const seconds = Math.max(1, Math.trunc(duration.value / 1e9))
  return ok({ next: (time) => (Math.floor(time / 1000) + seconds) * 1000 })
}

const descriptors: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
])

/** A schedule in its own zone, or in the control plane’s. The error is the library’s. Source: cron.ParseStandard. */
export function parseSchedule(text: string): Result<CronSchedule, string> {
  if (text === '') return err('empty spec string')
  const zoned = /^(?:CRON_)?TZ=([^ ]*) (.*)$/s.exec(text)
  const zone = zoned === null ? ok(utc) : loadTimeZone(zoned[1] ?? '')
  if (!zone.ok) return err(`provided bad location ${zoned?.[1] ?? ''}: ${zone.error}`)
  const expression = zoned === null ? text : (zoned[2] ?? '').trim()
  if (expression.startsWith('@every ')) return every(expression)
  const standard = descriptors.get(expression)
  if (standard === undefined && expression.startsWith('@'))
    return err(`unrecognized descriptor: ${expression}`)
  const words = (standard ?? expression).split(/\s+/u).filter((word) => word !== '')
  return parseFields(words, zone.value)
}

function parseFields(words: readonly string[], zone: TimeZone): Result<CronSchedule, string> {
  const count = allBounds.length
  if (words.length !== count)
    return err(`expected exactly ${count} fields, found ${words.length}: [${words.join(' ')}]`)
  const fields: Field[] = []
  for (const [index, bounds] of allBounds.entries()) {
    const field = parseField(words[index] ?? '', bounds)
    if (!field.ok) return field
    fields.push(field.value)
  }
  const [minute, hour, dayOfMonth, month, dayOfWeek] = fields as [Field, Field, Field, Field, Field] // one for each of allBounds
  return ok(new FieldSchedule({ minute, hour, dayOfMonth, month, dayOfWeek }, zone))
}

interface Fields {
  readonly minute: Field
  readonly hour: Field
  readonly dayOfMonth: Field
  readonly month: Field
  readonly dayOfWeek: Field
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const mostYears = 5

class FieldSchedule implements CronSchedule {
  readonly #fields: Fields
  readonly #zone: TimeZone

  constructor(fields: Fields, zone: TimeZone) {
    this.#fields = fields
    this.#zone = zone
  }

  next(time: number): number | undefined {
    // A field of commas has no value.
    if (Object.values(this.#fields).some(({ values }: Field) => values.size === 0)) return undefined
    const start = (Math.floor(time / 1000) + 1) * 1000
    const lastYear = this.#wall(start).getUTCFullYear() + mostYears
    let search: Search = { time: start, isReset: false, isFound: false }
    while (!search.isFound) {
      if (this.#wall(search.time).getUTCFullYear() > lastYear) return undefined
      search = this.#round(search)
    }
    return search.time
  }

  /** From the month to the second: ends early when a field starts over, because those before it are then others. */
  #round(search: Search): Search {
    const { month, hour, minute } = this.#fields
    let { time, isReset } = search
    while (!month.values.has(this.#wall(time).getUTCMonth() + 1)) {
      const wall = this.#wall(time)
      if (!isReset) time = this.#instant(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth()))
      isReset = true
      time = this.#shifted(time, { months: 1 })
      if (this.#wall(time).getUTCMonth() === 0) return { time, isReset, isFound: false }
    }
    while (!this.#isDay(time)) {
      if (!isReset) time = this.#cut(time, 24 * hourMs)
      isReset = true
      time = this.#shifted(time, { days: 1 })
      // A day whose clocks change at midnight begins at 1:00, or at 23:00 of the day before.
      const atHour = this.#wall(time).getUTCHours()
      if (atHour > 12) time += (24 - atHour) * hourMs
      else time -= atHour * hourMs
      if (this.#wall(time).getUTCDate() === 1) return { time, isReset, isFound: false }
    }
    while (!hour.values.has(this.#wall(time).getUTCHours())) {
      if (!isReset) time = this.#cut(time, hourMs)
      isReset = true
      time += hourMs
      if (this.#wall(time).getUTCHours() === 0) return { time, isReset, isFound: false }
    }
    while (!minute.values.has(this.#wall(time).getUTCMinutes())) {
      if (!isReset) time = Math.floor(time / minuteMs) * minuteMs
      isReset = true
      time += minuteMs
      if (this.#wall(time).getUTCMinutes() === 0) return { time, isReset, isFound: false }
    }
    if (time % minuteMs === 0) return { time, isReset, isFound: true }
    return { time: Math.ceil(time / minuteMs) * minuteMs, isReset: true, isFound: false }
  }

  #isDay(time: number): boolean {
    const { dayOfMonth, dayOfWeek } = this.#fields
    const wall = this.#wall(time)
    const isInMonth = dayOfMonth.values.has(wall.getUTCDate())
    const isInWeek = dayOfWeek.values.has(wall.getUTCDay())
    return dayOfMonth.isAny || dayOfWeek.isAny ? isInMonth && isInWeek : isInMonth || isInWeek
  }

  /** A date whose fields in UTC are what the clocks of the zone show. */
  #wall(time: number): Date {
    return new Date(time + this.#zone.offsetAt(time))
  }

  /** When the clocks show a time. Of two such times, or in a gap, the choice is that of Go’s time.Date. */
  #instant(wall: number): number {
    const offset = this.#zone.offsetAt(wall)
    return wall - (offset === 0 ? 0 : this.#zone.offsetAt(wall - offset))
  }

  /** The start of the day or the hour. */
  #cut(time: number, unitMs: number): number {
    return this.#instant(Math.floor(this.#wall(time).getTime() / unitMs) * unitMs)
  }

  #shifted(
    time: number,
    { months: more = 0, days = 0 }: { readonly months?: number; readonly days?: number },
  ): number {
    const wall = this.#wall(time)
    wall.setUTCMonth(wall.getUTCMonth() + more, wall.getUTCDate() + days)
    return this.#instant(wall.getTime())
  }
}

interface Search {
  readonly time: number
  /** The smaller fields are at their beginning. */
  readonly isReset: boolean
  readonly isFound: boolean
}
