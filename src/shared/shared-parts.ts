import { equalJson } from './json.ts'

/**
 * The value with every part that `known` says just the same taken from `known`: equal to before, but what two objects
 * of one pod have in common is in memory once. `known` itself where nothing differs. Parts are replaced in place, since V8
 * keeps fields that are added to a copy in a second object; what is frozen stays as it is.
 */
export function withPartsOf<T>(value: T, known: unknown): T {
  // Equal JSON values are of one type.
  if (equalJson(value, known)) return known as T
  if (!isComposed(value) || !isComposed(known) || Object.isFrozen(value)) return value
  // Lists and objects alike, by their fields.
  const parts: Record<string, unknown> = value
  for (const [field, part] of Object.entries(parts)) parts[field] = withPartsOf(part, known[field])
  return value
}

function isComposed(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
