/** Absent, as Go's omitempty and the API see it: nothing, the empty text, list or object. `0` and `false` say something. */
export function isEmptyValue(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return isFields(value) && Object.values(value).every(isEmptyValue)
}

/** A JSON object. */
export function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
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
  if (isFields(a) && isFields(b)) {
    for (const key of Object.keys(a)) if (!isSemanticallyEqual(a[key], b[key])) return false
    return Object.keys(b).every((key) => Object.hasOwn(a, key) || isEmptyValue(b[key]))
  }
  return isEmptyValue(a) && isEmptyValue(b)
}
