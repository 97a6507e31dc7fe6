import { structIn } from '../../../src/shared/kubernetes/schema/api-schema.ts'
import type {
  ApiSchema,
  FieldSchema,
  FieldType,
} from '../../../src/shared/kubernetes/schema/api-schema.ts'
import { isJsonObject } from '../../../src/shared/json.ts'
import type { JsonObject } from '../../../src/shared/json.ts'

/** A field's name, or what leads into a list or a map. */
export type Step = string | typeof inList | typeof inMap
export const inList = Symbol('list')
export const inMap = Symbol('map')

/** A struct somewhere in an object of a kind, and how one gets to it. */
export interface Place {
  readonly steps: readonly Step[]
  readonly schema: ApiSchema
}

export type SchemaNamed = (name: string) => ApiSchema

/** The steps into the lists and maps of a type. */
function stepsInto(type: FieldType): readonly Step[] {
  if (type.kind === 'list') return [inList, ...stepsInto(type.of)]
  return type.kind === 'map' ? [inMap, ...stepsInto(type.of)] : []
}

/** Every struct of an object, each schema that is not in `seen` once, where it is met first; they are added to it. */
export function placesIn(
  root: ApiSchema,
  schemaNamed: SchemaNamed,
  seen = new Set<string>(),
): readonly Place[] {
  const places: Place[] = [{ steps: [], schema: root }]
  // The list takes additions while it is walked.
  for (const { steps, schema } of places) {
    for (const [name, { type }] of schema.fields) {
      const struct = structIn(type)
      if (struct === undefined || seen.has(struct)) continue
      seen.add(struct)
      places.push({ steps: [...steps, name, ...stepsInto(type)], schema: schemaNamed(struct) })
    }
  }
  return places
}

/** A value with another one at a path, next to the existing fields. */
export function withValueAt(object: unknown, steps: readonly Step[], value: unknown): unknown {
  const [step, ...rest] = steps
  if (step === undefined)
    return isJsonObject(object) && isJsonObject(value) ? { ...object, ...value } : value
  if (step === inList)
    return [withValueAt(Array.isArray(object) ? object[0] : undefined, rest, value)]
  const name = step === inMap ? 'key' : step
  const fields: JsonObject = isJsonObject(object) ? object : {}
  return { ...fields, [name]: withValueAt(fields[name], rest, value) }
}

/** A value that Go's decoder cannot take for a field; `undefined`: it takes every one. */
export function wrongValue({ type }: FieldSchema): unknown {
  switch (type.kind) {
    case 'object':
    case 'any':
      return undefined
    case 'string':
    case 'time':
    case 'microTime':
    case 'bytes':
      return 7
    case 'quantity':
      return true
    case 'intOrString':
      return false
    default:
      return 'wrong'
  }
}
