import { isJsonObject, objectAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'

/** What a server sets by itself on every write, or on a new object. */
const ownOfWrites = ['managedFields', 'resourceVersion', 'generation']
const ownOfNew = ['uid', 'creationTimestamp', 'selfLink']

function without(object: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([field]) => !fields.includes(field)))
}

function shown(object: JsonObject, isNew: boolean): JsonObject {
  const hidden = isNew ? [...ownOfWrites, ...ownOfNew] : ownOfWrites
  const metadata = without(objectAt(object, 'metadata'), hidden)
  return { ...without(object, ['status']), metadata }
}

/** The values of a Secret as kubectl diff hides them. */
function masked(before: JsonObject | undefined, after: JsonObject): readonly JsonObject[] {
  const hide = (object: JsonObject, other: JsonObject, word: string): JsonObject => {
    const hidden = ['data', 'stringData'].flatMap((field) => {
      const values = object[field]
      if (!isJsonObject(values)) return []
      const others = objectAt(other, field)
      const texts = Object.entries(values).map(([key, value]) => {
        const isChanged = Object.hasOwn(others, key) && others[key] !== value
        return [key, isChanged ? `*** (${word})` : '***'] as const
      })
      return [[field, Object.fromEntries(texts)] as const]
    })
    return { ...object, ...Object.fromEntries(hidden) }
  }
  return [
    ...(before === undefined ? [] : [hide(before, after, 'before')]),
    hide(after, before ?? {}, 'after'),
  ]
}

/** Both without what the server sets by itself and without status; of Secrets without their values. */
export function comparable(
  before: JsonObject | undefined,
  after: JsonObject,
): readonly [JsonObject | undefined, JsonObject] {
  const isNew = before === undefined
  const one = isNew ? undefined : shown(before, isNew)
  const other = shown(after, isNew)
  if (after['kind'] !== 'Secret') return [one, other]
  const hidden = masked(one, other)
  return [isNew ? undefined : hidden[0], hidden.at(-1) ?? other]
}
