import { err, ok } from '../result.ts'
import type { Result } from '../result.ts'
import { goQuote } from './text.ts'

/** A number as Go writes it with the fewest digits (`strconv.FormatFloat(value, 'g', -1, 64)`): `0.005`, `1.73e+09`. */
export function goFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  const [digits = '', power = '0'] = value.toExponential().split('e')
  const exponent = Number(power)
  // JavaScript writes these without an exponent too.
  if (exponent >= -4 && exponent < 6) return String(value)
  const sign = exponent < 0 ? '-' : '+'
  return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`
}

/** A 32-bit float; the error is Go's own. Hexadecimal numbers are not read. Source: strconv.ParseFloat. */
export function parseFloat32(text: string): Result<number, string> {
  const failed = (why: string): Result<never, string> =>
    err(`strconv.ParseFloat: parsing ${goQuote(text)}: ${why}`)
  if (/^nan$/i.test(text)) return ok(Number.NaN)
  if (/^[+-]?inf(inity)?$/i.test(text)) return ok(text.startsWith('-') ? -Infinity : Infinity)
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return failed('invalid syntax')
  const value = Math.fround(Number(text))
  return Number.isFinite(value) ? ok(value) : failed('value out of range')
}
