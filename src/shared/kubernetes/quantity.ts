/**
 * Kubernetes quantities: `500m`, `1.5Gi`, `1e3`. Source: apimachinery pkg/api/resource/quantity.go.
 */

/** How a quantity was written, and so how it is written back. */
export type QuantityFormat = 'binary' | 'decimal' | 'exponent'

/** An exact value in billionths (the finest unit there is; anything finer was rounded away from zero). */
export interface Quantity {
  readonly nanos: bigint
  readonly format: QuantityFormat
}

const nanosPerUnit = 1_000_000_000n

const pattern = /^([+-]?)(\d*)(?:\.(\d*))?(|[numkMGTPE]|[KMGTPE]i|[eE][+-]?\d+)$/

const decimalExponents: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
}

const binaryPowers: Readonly<Record<string, bigint>> = {
  Ki: 1n,
  Mi: 2n,
  Gi: 3n,
  Ti: 4n,
  Pi: 5n,
  Ei: 6n,
}

// Far beyond every real quantity; keeps `1e999999999` from filling the memory.
const largestExponent = 60

function roundedAway(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator
}

function suffixOf(suffix: string): {
  readonly exponent: number
  readonly factor: bigint
  readonly format: QuantityFormat
} {
  const power = binaryPowers[suffix]
  if (power !== undefined) return { exponent: 0, factor: 1024n ** power, format: 'binary' }
  const exponent = decimalExponents[suffix]
  if (exponent !== undefined) return { exponent, factor: 1n, format: 'decimal' }
  return { exponent: Number(suffix.slice(1)), factor: 1n, format: 'exponent' }
}

/** Reads a quantity; numbers as JSON has them are allowed. `undefined` when it is none. */
export function parseQuantity(value: unknown): Quantity | undefined {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string') return undefined
  const match = pattern.exec(text.trim())
  if (match === null) return undefined
  const [, sign = '', whole = '', fraction = '', suffix = ''] = match
  if (whole === '' && fraction === '') return undefined
  const { exponent, factor, format } = suffixOf(suffix)
  if (Math.abs(exponent) > largestExponent) return undefined
  const digits = BigInt(whole + fraction) * factor
  const scale = exponent - fraction.length + 9
  const nanos =
    scale >= 0 ? digits * 10n ** BigInt(scale) : roundedAway(digits, 10n ** BigInt(-scale))
  return { nanos: sign === '-' ? -nanos : nanos, format }
}

/** Negative, zero or positive as `a` is smaller than, equal to or larger than `b`. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  return a.nanos === b.nanos ? 0 : a.nanos < b.nanos ? -1 : 1
}

/** The sum; it is written back as the first one was, or as the second when the first is zero. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  return { nanos: a.nanos + b.nanos, format: a.nanos === 0n ? b.format : a.format }
}

/** Whole units, a rest counted as one more (Go's `Value`): bytes of a memory quantity. */
export function quantityValue(quantity: Quantity): bigint {
  return ceiling(quantity.nanos, nanosPerUnit)
}

/** Whole thousandths, a rest counted as one more (Go's `MilliValue`): milli-CPUs of a cpu quantity. */
export function quantityMilliValue(quantity: Quantity): bigint {
  return ceiling(quantity.nanos, 1_000_000n)
}

function ceiling(value: bigint, unit: bigint): bigint {
  return value < 0n ? -(-value / unit) : roundedAway(value, unit)
}

function decimalText(nanos: bigint, format: QuantityFormat): string {
  let digits = nanos
  let exponent = -9
  while (digits % 1000n === 0n && (format === 'exponent' || exponent < 18)) {
    digits /= 1000n
    exponent += 3
  }
  if (format === 'exponent') return exponent === 0 ? `${digits}` : `${digits}e${exponent}`
  const suffix = Object.entries(decimalExponents).find(([, value]) => value === exponent)?.[0] ?? ''
  return `${digits}${suffix}`
}

function binaryText(units: bigint): string {
  let digits = units
  let power = 0n
  while (power < 6n && digits % 1024n === 0n) {
    digits /= 1024n
    power++
  }
  const suffix = Object.entries(binaryPowers).find(([, value]) => value === power)?.[0] ?? ''
  return `${digits}${suffix}`
}

/**
 * The canonical text, as API servers store it: no fraction, the largest suffix that leaves none
 * (`0.5` is `500m`, `1024Ki` is `1Mi`). A binary quantity under 1024 is written in decimal.
 */
export function formatQuantity(quantity: Quantity): string {
  const { nanos, format } = quantity
  if (nanos === 0n) return '0'
  const isSmall = nanos < 1024n * nanosPerUnit && nanos > -1024n * nanosPerUnit
  const isWhole = nanos % nanosPerUnit === 0n
  if (format === 'binary' && !isSmall && isWhole) return binaryText(nanos / nanosPerUnit)
  return decimalText(nanos, format === 'binary' ? 'decimal' : format)
}
