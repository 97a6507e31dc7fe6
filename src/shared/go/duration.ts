import { err, ok } from '../result.ts'
import type { Result } from '../result.ts'
import { goQuote } from './text.ts'

/**
 * Milliseconds as Go's time.Duration prints itself (`300ms`, `1.2s`, `1m20s`, `5m0s`, `2h0m0s`), because users and tests
 * match on Kubernetes' messages. Fractions of a millisecond are cut. Pure.
 */
export function formatDuration(durationMs: number): string {
  const ms = Math.abs(Math.trunc(durationMs))
  const sign = durationMs < 0 && ms > 0 ? '-' : ''
  if (ms === 0) return '0s'
  if (ms < 1000) return `${sign}${ms}ms`
  const hours = Math.floor(ms / 3_600_000)
  const minutes = Math.floor(ms / 60_000) % 60
  const seconds = `${(ms % 60_000) / 1000}s`
  if (hours > 0) return `${sign}${hours}h${minutes}m${seconds}`
  return minutes > 0 ? `${sign}${minutes}m${seconds}` : `${sign}${seconds}`
}

/** Without signs and units below a millisecond. */
const durationPattern = /^(\d{1,9}(\.\d{1,9})?(ms|s|m|h))+$/
const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Milliseconds of a duration as Go reads it (`1m30s`, time.ParseDuration); undefined where it is none. Pure. */
export function parseDuration(text: string): number | undefined {
  if (!durationPattern.test(text)) return undefined
  return [...text.matchAll(/([\d.]+)(ms|s|m|h)/g)].reduce(
    (sum, [, amount = '', unit = '']) => sum + Number(amount) * (unitMs[unit] ?? 0),
    0,
  )
}

const unitNs: ReadonlyMap<string, number> = new Map([
  ['ns', 1],
  ['us', 1e3],
  // Micro sign and Greek mu.
  ['\u00b5s', 1e3],
  ['\u03bcs', 1e3],
  ['ms', 1e6],
  ['s', 1e9],
  ['m', 60e9],
  ['h', 3600e9],
])
const longestNs = 2 ** 63

/** Nanoseconds of a duration; the error is Go's own. Source: time.ParseDuration. */
export function durationNs(text: string): Result<number, string> {
  const invalid = err(`time: invalid duration ${goQuote(text)}`)
  const sign = text.startsWith('-') ? -1 : 1
  let rest = text.replace(/^[-+]/, '')
  if (rest === '0') return ok(0)
  if (rest === '') return invalid
  let sum = 0
  while (rest !== '') {
    const amount = /^(\d+\.?\d*|\.\d+)/.exec(rest)?.[0]
    if (amount === undefined) return invalid
    rest = rest.slice(amount.length)
    const unit = /^[^.\d]*/.exec(rest)?.[0] ?? ''
    rest = rest.slice(unit.length)
    if (unit === '') return err(`time: missing unit in duration ${goQuote(text)}`)
    const ns = unitNs.get(unit)
    if (ns === undefined)
      return err(`time: unknown unit ${goQuote(unit)} in duration ${goQuote(text)}`)
    sum += Math.trunc(Number(amount) * ns)
    if (sum >= longestNs) return invalid
  }
  return ok(sign * sum)
}
