import { objectAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import { parseQuantity, quantityMilliValue } from '../../../../shared/kubernetes/quantity.ts'

/** The warning about an amount of bytes with a fraction. */
export function fractionWarning(value: unknown, field: string): readonly string[] {
  const quantity = value === undefined ? undefined : parseQuantity(value)
  if (quantity === undefined || quantityMilliValue(quantity) % 1000n === 0n) return []
  return [`${field}: fractional byte value "${String(value)}" is invalid, must be an integer`]
}

/** The same of resource requirements, limits and then requests unless `first` says otherwise, for each of these resources. */
export function fractionWarnings(
  resources: JsonObject,
  field: string,
  names: readonly string[],
  lists: readonly string[] = ['requests', 'limits'],
): readonly string[] {
  return names.flatMap((name) =>
    lists.flatMap((list) =>
      fractionWarning(objectAt(resources, list)[name], `${field}.${list}[${name}]`),
    ),
  )
}
