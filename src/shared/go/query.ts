import { err, ok } from '../result.ts'
import type { Result } from '../result.ts'

/** A boolean in a query as Go reads it: present and not `0` or `false`. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '0' && value.toLowerCase() !== 'false'
}

/** A 64-bit integer in a query. The error is Go's. */
export function parseInteger(text: string): Result<number, string> {
  const problem = numberError(text, { pattern: /^[-+]?\d+$/, largest: 2n ** 63n - 1n })
  return problem === undefined ? ok(Number(text)) : err(`strconv.ParseInt: parsing ${problem}`)
}

/** The error of Go's strconv for a text that is not a number within `-largest` and `largest`, without the function's name. */
export function numberError(
  text: string,
  { pattern, largest }: { readonly pattern: RegExp; readonly largest: bigint },
): string | undefined {
  const shown = JSON.stringify(text)
  if (!pattern.test(text)) return `${shown}: invalid syntax`
  // A longer text is not a 64-bit number and slow to parse.
  const digits = text.replace(/^[-+]?0*/, '')
  const isInRange = digits.length <= 20 && BigInt(digits || '0') <= largest
  return isInRange ? undefined : `${shown}: value out of range`
}
