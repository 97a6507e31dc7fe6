/** The object without its fields that say nothing: undefined, an empty text, list or map. `decodeMessage` adds such. */
export function withoutEmpty<T extends object>(object: T): T {
  const entries = Object.entries(object).filter(([, value]) => !isEmpty(value))
  // What is left out is optional in T.
  return Object.fromEntries(entries) as T
}

export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === '') return true
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
