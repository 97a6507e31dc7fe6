import { assertNever } from '../../../../shared/assert-never.ts'
import { isJsonObject } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import { parseQuantity } from '../../../../shared/kubernetes/quantity.ts'
import { err, ok, type Result } from '../../../../shared/result.ts'
import type { FieldType, Scalar } from './schema-notation.ts'
import { schemas, type NamedSchema } from './schemas.ts'

export interface DecodedObject {
  /** The object with the fields that its kind has; null and unknown ones are left out, as Go's decoder does. */
  readonly object: Record<string, unknown>
  /** `spec.containers[0].imag`: what strict field validation refuses and the lax one warns of. */
  readonly unknownFields: readonly string[]
}

class DecodingError extends Error {}

function jsonWord(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

const goScalars: Readonly<Record<Scalar, string>> = {
  string: 'string',
  int32: 'int32',
  int64: 'int64',
  bool: 'bool',
  bytes: '[]uint8',
  time: 'v1.Time',
  microTime: 'v1.MicroTime',
  quantity: 'resource.Quantity',
  intOrString: 'intstr.IntOrString',
  object: 'map[string]interface {}',
}

function goType(type: FieldType): string {
  switch (type.kind) {
    case 'scalar':
      return goScalars[type.scalar]
    case 'schema':
      return `v1.${type.name}`
    case 'list':
      return `[]${goType(type.items)}`
    case 'map':
      return `map[string]${goType(type.values)}`
    default:
      return assertNever(type, 'field type')
  }
}

const timePattern = /^\d{4}-\d\d-\d\dt\d\d:\d\d:\d\d(\.\d+)?(z|[+-]\d\d:\d\d)$/i

function isInteger(value: unknown, bits: 32 | 64): boolean {
  return bits === 32
    ? Number.isInteger(value) && Number(value) === (Number(value) | 0)
    : Number.isInteger(value)
}

function quantity(value: unknown): string {
  // YAML makes numbers of `cpu: 1`; the API keeps quantities as text.
  if (parseQuantity(value) !== undefined) return String(value)
  throw new DecodingError(
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  )
}

function time(value: string): string {
  if (timePattern.test(value) && !Number.isNaN(Date.parse(value))) return value
  throw new DecodingError(`parsing time ${JSON.stringify(value)} as "2006-01-02T15:04:05Z07:00"`)
}

const isScalar: Readonly<Record<Scalar, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  int32: (value) => isInteger(value, 32),
  int64: (value) => isInteger(value, 64),
  bool: (value) => typeof value === 'boolean',
  bytes: (value) => typeof value === 'string',
  time: (value) => typeof value === 'string',
  microTime: (value) => typeof value === 'string',
  quantity: (value) => typeof value === 'string' || typeof value === 'number',
  intOrString: (value) => typeof value === 'string' || isInteger(value, 32),
  object: isJsonObject,
}

// What a null in a list or map stands for in Go.
const zeroValues: Partial<Record<Scalar, unknown>> = {
  string: '',
  int32: 0,
  int64: 0,
  bool: false,
  quantity: '0',
}

/** A copy without `undefined` fields, so that nobody outside holds a part of what is stored. */
function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied)
  if (!isJsonObject(value)) return value
  const kept = Object.entries(value).filter(([, entry]) => entry !== undefined)
  return Object.fromEntries(kept.map(([field, entry]) => [field, copied(entry)]))
}

/** Walks one body. Where it is, it writes down as text only when there is something to say about it. */
class ObjectDecoder {
  readonly unknownFields: string[] = []
  readonly #steps: (string | number)[] = []
  #struct = ''
  /** How many steps lead to the struct's field that is being read: Go does not name what lies inside of it. */
  #depth = 0

  struct(schema: NamedSchema, value: JsonObject): Record<string, unknown> {
    const outer = this.#struct
    const outerDepth = this.#depth
    this.#struct = schema.name
    this.#depth = this.#steps.length + 1
    const object: Record<string, unknown> = {}
    for (const name of Object.keys(value)) {
      const fieldValue = value[name]
      const field = schema.fields.get(name)
      if (field === undefined) {
        this.unknownFields.push(this.#path([...this.#steps, name]))
      } else if (fieldValue !== null && fieldValue !== undefined) {
        object[name] = this.#at(name, field.type, fieldValue)
      }
    }
    this.#struct = outer
    this.#depth = outerDepth
    return object
  }

  #at(step: string | number, type: FieldType, value: unknown): unknown {
    this.#steps.push(step)
    const decoded = this.#value(type, value)
    this.#steps.pop()
    return decoded
  }

  /** With indexes: `spec.containers[0].imag`. */
  #path(steps: readonly (string | number)[]): string {
    return steps
      .map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`))
      .join('')
  }

  /** The field as Go names it in an error: with its struct and without indexes. */
  #wrongType(value: unknown, type: FieldType): DecodingError {
    const number = typeof value === 'number' ? ` ${value}` : ''
    const path = this.#path(this.#steps.slice(0, this.#depth)).replaceAll(/\[\d+\]/g, '')
    return new DecodingError(
      `json: cannot unmarshal ${jsonWord(value)}${number} into Go struct field ${this.#struct}.${path} of type ${goType(type)}`,
    )
  }

  #value(type: FieldType, value: unknown): unknown {
    switch (type.kind) {
      case 'scalar':
        return this.#scalar(type.scalar, value)
      case 'schema':
        return this.#schema(type.name, value ?? {})
      case 'list':
        if (!Array.isArray(value)) throw this.#wrongType(value, type)
        return value.map((item: unknown, index) => this.#at(index, type.items, item))
      case 'map':
        if (!isJsonObject(value)) throw this.#wrongType(value, type)
        return Object.fromEntries(
          Object.entries(value).map(([key, item]) => [key, this.#at(key, type.values, item)]),
        )
      default:
        return assertNever(type, 'field type')
    }
  }

  #schema(name: string, value: unknown): Record<string, unknown> {
    const schema = schemas.get(name)
    if (schema === undefined) throw new Error(`no schema is called ${name}`)
    if (!isJsonObject(value)) throw this.#wrongType(value, { kind: 'schema', name })
    return this.struct(schema, value)
  }

  #scalar(scalar: Scalar, given: unknown): unknown {
    const value = given ?? zeroValues[scalar]
    if (!isScalar[scalar](value)) throw this.#wrongType(given, { kind: 'scalar', scalar })
    switch (scalar) {
      case 'quantity':
        return quantity(value)
      case 'time':
      case 'microTime':
        return typeof value === 'string' ? time(value) : value
      case 'object':
        return copied(value)
      default:
        return value
    }
  }
}

/**
 * A body as an object of its kind: every field is of the type that the rest of the program relies
 * on, and no part of it is shared with the body. The error is the sentence of Go's decoder. Kinds without a schema come back as they are.
 */
export function decodeBySchema(kind: string, body: unknown): Result<DecodedObject, string> {
  if (!isJsonObject(body)) {
    return err(`json: cannot unmarshal ${jsonWord(body)} into Go value of type v1.${kind}`)
  }
  const schema = schemas.get(kind)
  if (schema === undefined)
    return ok({ object: copied(body) as Record<string, unknown>, unknownFields: [] })
  const { apiVersion, kind: ownKind, ...rest } = body
  const decoder = new ObjectDecoder()
  try {
    const object = decoder.struct(schema, rest)
    const type = {
      ...(ownKind === undefined ? {} : { kind: ownKind }),
      ...(apiVersion === undefined ? {} : { apiVersion }),
    }
    return ok({ object: { ...type, ...object }, unknownFields: decoder.unknownFields })
  } catch (error) {
    if (error instanceof DecodingError) return err(error.message)
    throw error
  }
}
