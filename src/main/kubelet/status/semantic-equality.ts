import { isJsonObject } from '../../../shared/json.ts'

/** Pointers in Go: that they are there says something, also with nothing in them. */
const pointers: ReadonlySet<string> = new Set(['running', 'waiting', 'terminated'])

function isNothing(value: unknown): value is undefined | null {
  return value === undefined || value === null
}

/** Absent, as Go's omitempty and the API see it: nothing, the empty text, list or object. `0` and `false` say something. */
export function isEmptyValue(value: unknown): boolean {
  if (isNothing(value) || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return isJsonObject(value) && Object.keys(value).every((name) => isEmptyField(name, value[name]))
}

/** Whether a field counts as absent: like its value, except that an empty container state is still a state. */
export function isEmptyField(name: string, value: unknown): boolean {
  return pointers.has(name) ? isNothing(value) : isEmptyValue(value)
}

/**
 * Whether two JSON values say the same to the API server: empty fields equal absent ones, the order of
 * fields does not count, that of lists does. Stands in for apimachinery's equality.Semantic.
 */
export function isSemanticallyEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isSemanticallyEqual(item, b[index]))
  }
  if (isJsonObject(a) && isJsonObject(b)) {
    for (const key of Object.keys(a))
      if (!isSemanticallyEqualField(key, a[key], b[key])) return false
    return Object.keys(b).every((key) => Object.hasOwn(a, key) || isEmptyField(key, b[key]))
  }
  return isEmptyValue(a) && isEmptyValue(b)
}

/** The same of two fields of one name. */
export function isSemanticallyEqualField(name: string, a: unknown, b: unknown): boolean {
  if (pointers.has(name) && isNothing(a) !== isNothing(b)) return false
  return isSemanticallyEqual(a, b)
}
