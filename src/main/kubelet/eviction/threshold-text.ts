import { formatQuantity } from '../../../shared/kubernetes/quantity.ts'
import type { Threshold, ThresholdValue } from './thresholds.ts'

/** `100Mi`, `10%`. */
export function valueText(value: ThresholdValue): string {
  if ('quantity' in value) return formatQuantity(value.quantity)
  return `${Number((value.percentage * 100).toFixed(4))}%`
}

/** As in a configuration: `memory.available<100Mi`. */
export function thresholdStatement({ signal, value }: Threshold): string {
  return `${signal}<${valueText(value)}`
}
