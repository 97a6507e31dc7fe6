import { err, ok } from '../../result.ts'
import type { Result } from '../../result.ts'

/** A time zone: how far its clocks are ahead of UTC at an instant. Both in ms. */
export interface TimeZone {
  readonly offsetAt: (instant: number) => number
}

export const utc: TimeZone = { offsetAt: () => 0 }

/** Names that the runtime knows by another name, with capitals in unusual places. */
const irregularAliases = new Set(
  (
    'America/Argentina/ComodRivadavia America/Knox_IN Australia/ACT Australia/LHI Australia/NSW Brazil/DeNoronha ' +
    'Chile/EasterIsland Etc/UCT Etc/UTC Mexico/BajaNorte Mexico/BajaSur CET CST6CDT EET EST EST5EDT GB GB-Eire HST MET MST ' +
    'MST7MDT NZ NZ-CHAT PRC PST8PDT ROC ROK UCT UTC W-SU WET'
  ).split(' '),
)
const gmt = /^(?:GMT(?:[-+]?0)?|Etc\/GMT(?:0|[-+]\d{1,2})?)$/
const regular = /^(?:US|[A-Z][a-z]+)(?:[/_-][A-Z][a-z]+)*$/

const canonicalNames = new Set(Intl.supportedValuesOf('timeZone'))

/** The runtime's formatter of a zone; undefined for a name that it does not know. */
function formatterOf(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    return undefined
  }
}

/** The runtime reads names in any case, and some that are not in the IANA database (`PST`, `SystemV/PST8`). Go does not. */
function isExactName(name: string, known: string): boolean {
  if (canonicalNames.has(name)) return true
  if (irregularAliases.has(name) || gmt.test(name)) return true
  return regular.test(name) && name.toLowerCase() !== known.toLowerCase()
}

/** Offsets change at quarters of an hour, and not there and back within a few days. */
const quarterMs = 900_000
const fewDaysMs = 4 * 86_400_000
const mostOffsets = 4096

/** Asks the runtime for few offsets: each costs microseconds, and a search for the next due time needs thousands. */
class NamedZone implements TimeZone {
  readonly #formatter: Intl.DateTimeFormat
  readonly #offsets = new Map<number, number>()

  constructor(formatter: Intl.DateTimeFormat) {
    this.#formatter = formatter
  }

  offsetAt(instant: number): number {
    const start = Math.floor(instant / fewDaysMs) * fewDaysMs
    const offset = this.#known(start)
    if (offset === this.#known(start + fewDaysMs)) return offset
    return this.#known(Math.floor(instant / quarterMs) * quarterMs)
  }

  #known(instant: number): number {
    const known = this.#offsets.get(instant)
    if (known !== undefined) return known
    const offset = this.#read(instant)
    if (this.#offsets.size >= mostOffsets) this.#offsets.clear()
    this.#offsets.set(instant, offset)
    return offset
  }

  #read(instant: number): number {
    const fields = new Map<string, number>()
    for (const { type, value } of this.#formatter.formatToParts(instant))
      fields.set(type, Number(value))
    const field = (name: string): number => fields.get(name) ?? 0
    const local = Date.UTC(
      field('year'),
      field('month') - 1,
      field('day'),
      field('hour'),
      field('minute'),
      field('second'),
    )
    return local - instant
  }
}

const loaded = new Map<string, NamedZone>()
const mostLoaded = 100

/** A zone of the IANA database. The error is Go's. Source: time.LoadLocation. */
export function loadTimeZone(name: string): Result<TimeZone, string> {
  // Nodescope’s control plane runs in UTC.
  if (['', 'UTC', 'Local'].includes(name)) return ok(utc)
  if (name.split(/[/\\]/).includes('..') || /^[/\\]/.test(name))
    return err('time: invalid location name')
  const known = loaded.get(name)
  if (known !== undefined) return ok(known)
  const formatter = formatterOf(name)
  if (formatter === undefined || !isExactName(name, formatter.resolvedOptions().timeZone))
    return err(`unknown time zone ${name}`)
  const zone = new NamedZone(formatter)
  if (loaded.size >= mostLoaded) loaded.clear()
  loaded.set(name, zone)
  return ok(zone)
}

/** A time as RFC 3339 writes it in a zone, with whole seconds. */
export function zonedTimestamp(instant: number, zone: TimeZone): string {
  const offset = zone.offsetAt(instant)
  const local = new Date(instant + offset).toISOString().slice(0, -'.000Z'.length)
  if (offset === 0) return `${local}Z`
  const minutes = Math.abs(Math.trunc(offset / 60_000))
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${local}${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
