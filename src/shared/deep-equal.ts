function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Whether two JSON values say the same. The order of keys does not matter, and a key that is
 * `undefined` counts as absent. Shared references are equal without a look inside.
 */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => deepEqual(item, b[index]))
  if (!isRecord(a) || !isRecord(b)) return false
  for (const key of Object.keys(a)) if (!deepEqual(a[key], b[key])) return false
  for (const key of Object.keys(b)) if (b[key] !== undefined && a[key] === undefined) return false
  return true
}
