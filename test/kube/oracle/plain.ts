import { isJsonObject } from '../../../src/shared/json.ts'

/** Fields whose empty value has a meaning: a running container with an unknown start, an existing volume. */
const saysSomethingEmpty: ReadonlySet<string> = new Set([
  'running',
  'waiting',
  'terminated',
  'emptyDir',
])

/**
 * A JSON value with its fields in order and without those that Go leaves out or fills in as it likes: nulls,
 * empty texts, lists and objects, so that Nodescope's and Go's values are equal.
 */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (!isJsonObject(value)) return value
  const fields = Object.keys(value)
    .toSorted()
    .map((field) => [field, plain(value[field])] as const)
    .filter(([field, entry]) => saysSomethingEmpty.has(field) || !isEmpty(entry))
  return Object.fromEntries(fields)
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return isJsonObject(value) && Object.keys(value).length === 0
}
