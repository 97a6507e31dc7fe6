import { equalJson, isJsonObject, objectAt, objectsAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'

function isZero(value: unknown): boolean {
  if (value === 0 || value === '' || value === false) return true
  return typeof value === 'object' && equalJson(value, Array.isArray(value) ? [] : {})
}

/** Without the fields among `names` that have Go's zero value: they are no pointers, and JSON omits them. */
export function withoutZeros(object: JsonObject, names: readonly string[]): JsonObject {
  const kept = Object.entries(object).filter(
    ([name, value]) => !names.includes(name) || !isZero(value),
  )
  return Object.fromEntries(kept)
}

/** How Go writes a status. */
export interface StatusShape {
  /** Numbers that are written even if they are zero. */
  readonly counts?: readonly string[]
  /** Fields that are omitted if they are zero. */
  readonly omitted: readonly string[]
  /** The times of a condition, null if they are not set. */
  readonly times: readonly string[]
}

/** A status with the fields that Go writes. */
export function writtenStatus(status: JsonObject, shape: StatusShape): JsonObject {
  const { counts = [], omitted, times } = shape
  const shown: JsonObject = {
    ...Object.fromEntries(counts.map((name) => [name, 0])),
    ...withoutZeros(status, [...omitted, 'conditions']),
  }
  if (shown['conditions'] === undefined) return shown
  const noTimes = Object.fromEntries(times.map((name) => [name, null]))
  const conditions = objectsAt(shown, 'conditions').map((condition) => ({
    type: '',
    status: '',
    ...noTimes,
    ...withoutZeros(condition, ['reason', 'message']),
  }))
  return { ...shown, conditions }
}

/** A label selector as Go writes it. */
export function writtenSelector(spec: JsonObject): JsonObject {
  const { selector } = spec
  if (!isJsonObject(selector)) return {}
  const expressions = objectsAt(selector, 'matchExpressions').map((one) =>
    withoutZeros(one, ['values']),
  )
  const written = { ...selector, matchExpressions: expressions }
  return { selector: withoutZeros(written, ['matchLabels', 'matchExpressions']) }
}

/** A map with its keys in order, as Go writes it; null if there is none. */
export function sortedMap(object: JsonObject, name: string): JsonObject | null {
  if (!isJsonObject(object[name])) return null
  const entries = Object.entries(objectAt(object, name))
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
