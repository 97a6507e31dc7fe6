import type { Quantity, QuantityFormat } from '../../../shared/kubernetes/quantity.ts'
import type { Signal } from '../../../shared/model/pressure/signals.ts'

/** An amount, or a share of the capacity (0 to 1, as a 32-bit float, which is what a kubelet keeps). */
export type ThresholdValue = { readonly quantity: Quantity } | { readonly percentage: number }

/** Met while less than `value` is available. Each is one object: a round knows it again by its identity. */
export interface Threshold {
  readonly signal: Signal
  readonly value: ThresholdValue
  /** How long it must be met before pods are evicted; 0 for a hard one. */
  readonly gracePeriodMs: number
  /** How much more than `value` has to be available again. */
  readonly minReclaim?: ThresholdValue | undefined
}

/** A whole number of bytes, inodes or processes. */
export function quantityOf(value: number, format: QuantityFormat): Quantity {
  return { nanos: BigInt(value) * 1_000_000_000n, format }
}

/** What Go on amd64 makes of `NaN%` and `inf%`, which it reads. */
const leastInteger = -(2 ** 63)

/** What a value is of a capacity (eviction api GetThresholdQuantity). */
export function thresholdQuantity(value: ThresholdValue, capacity: number): Quantity {
  if ('quantity' in value) return value.quantity
  const share = Math.trunc(capacity * value.percentage)
  return quantityOf(Number.isFinite(share) ? share : leastInteger, 'binary')
}

export function isHardThreshold({ gracePeriodMs }: Threshold): boolean {
  return gracePeriodMs === 0
}

function isSameValue(one: ThresholdValue, other: ThresholdValue): boolean {
  if ('quantity' in one) return 'quantity' in other && one.quantity.nanos === other.quantity.nanos
  return 'percentage' in other && one.percentage === other.percentage
}

/** Without their minimum reclaim (eviction hasThreshold). */
export function isSameThreshold(one: Threshold, other: Threshold): boolean {
  return (
    one.signal === other.signal &&
    one.gracePeriodMs === other.gracePeriodMs &&
    isSameValue(one.value, other.value)
  )
}
