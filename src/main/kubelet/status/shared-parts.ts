import { equalJson, isJsonObject } from '../../../shared/json.ts'

/**
 * The value with every part that `known` says just the same taken from `known`: equal to before, but what two objects
 * of one pod have in common is in memory once. `known` itself where nothing differs. Changes neither.
 */
export function withPartsOf<T>(value: T, known: unknown): T {
  // Equal JSON values are of one type.
  if (equalJson(value, known)) return known as T
  if (Array.isArray(value) && Array.isArray(known))
    // One for one, so the list stays of its type.
    return value.map((item, index): unknown => withPartsOf(item, known[index])) as T
  if (!isJsonObject(value) || !isJsonObject(known)) return value
  // The same fields with equal values.
  return Object.fromEntries(
    Object.entries(value).map(([field, part]) => [field, withPartsOf(part, known[field])]),
  ) as T
}
