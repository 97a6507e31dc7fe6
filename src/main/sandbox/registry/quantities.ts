import type { JsonObject } from '../../../shared/json.ts'
import { formatQuantity, parseQuantity } from '../../../shared/kubernetes/quantity.ts'

/** A resource list as the server writes it: `1.5Gi` is `1536Mi`. Other values stay as they are. */
export function canonicalQuantities(list: JsonObject): JsonObject {
  const entries = Object.entries(list).map(([name, value]): [string, unknown] => {
    const parsed = parseQuantity(value)
    return [name, parsed === undefined ? value : formatQuantity(parsed)]
  })
  return Object.fromEntries(entries)
}
