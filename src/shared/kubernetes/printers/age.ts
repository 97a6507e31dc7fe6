import { fromTimestamp } from '../timestamps.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const hoursPerYear = 24 * 365

function withRest(whole: number, unit: string, rest: number, restUnit: string): string {
  return rest === 0 ? `${whole}${unit}` : `${whole}${unit}${rest}${restUnit}`
}

function longDuration(hours: number): string {
  const days = Math.trunc(hours / 24)
  if (hours < 48) return `${hours}h`
  if (hours < 24 * 8) return withRest(days, 'd', hours % 24, 'h')
  if (hours < hoursPerYear * 2) return `${days}d`
  const years = Math.trunc(hours / hoursPerYear)
  if (hours < hoursPerYear * 8) return withRest(years, 'y', days % 365, 'd')
  return `${years}y`
}

/**
 * A duration as kubectl prints ages: two or three significant figures, always cut off, never rounded.
 * Less than two seconds in the future is `0s` (clocks differ), anything before that `<invalid>`.
 * Source: apimachinery pkg/util/duration HumanDuration.
 */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / second)
  if (seconds < -1) return '<invalid>'
  if (seconds < 0) return '0s'
  if (seconds < 120) return `${seconds}s`
  const minutes = Math.trunc(milliseconds / minute)
  if (minutes < 10) return withRest(minutes, 'm', seconds % 60, 's')
  if (minutes < 180) return `${minutes}m`
  const hours = Math.trunc(milliseconds / hour)
  if (hours < 8) return withRest(hours, 'h', minutes % 60, 'm')
  return longDuration(hours)
}

/**
 * An API time (RFC 3339, fractions allowed) as ms since the epoch; `null` when it is absent or invalid.
 */
export function timeOf(timestamp: string | null | undefined): number | null {
  return fromTimestamp(timestamp) ?? null
}

/** How long ago an API time was, in kubectl's words; `<unknown>` when there is none. `now` in ms. */
export function ageSince(timestamp: string | null | undefined, now: number): string {
  const at = timeOf(timestamp)
  return at === null ? '<unknown>' : humanDuration(now - at)
}
