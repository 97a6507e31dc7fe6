import { assertNever } from '../../../../shared/assert-never.ts'
import { isJsonObject } from '../../../../shared/json.ts'
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

interface Place {
  /** With indexes, as unknown fields are reported. */
  readonly path: string
  /** Without indexes and with its struct, as Go reports a wrong type. */
  readonly goField: string
}

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

function wrongType(value: unknown, type: FieldType, place: Place): DecodingError {
  const number = typeof value === 'number' ? ` ${value}` : ''
  return new DecodingError(
    `json: cannot unmarshal ${jsonWord(value)}${number} into Go struct field ${place.goField} of type ${goType(type)}`,
  )
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

class ObjectDecoder {
  readonly unknownFields: string[] = []

  struct(
    schema: NamedSchema,
    value: Record<string, unknown>,
    place: Place,
  ): Record<string, unknown> {
    const entries: [string, unknown][] = []
    for (const [name, fieldValue] of Object.entries(value)) {
      const path = place.path === '' ? name : `${place.path}.${name}`
      const field = schema.fields.get(name)
      if (field === undefined) {
        this.unknownFields.push(path)
      } else if (fieldValue !== null && fieldValue !== undefined) {
        const goField = `${schema.name}.${path.replaceAll(/\[\d+\]/g, '')}`
        entries.push([name, this.#value(field.type, fieldValue, { path, goField })])
      }
    }
    return Object.fromEntries(entries)
  }

  #value(type: FieldType, value: unknown, place: Place): unknown {
    switch (type.kind) {
      case 'scalar':
        return this.#scalar(type.scalar, value, place)
      case 'schema':
        return this.#schema(type.name, value ?? {}, place)
      case 'list':
        if (!Array.isArray(value)) throw wrongType(value, type, place)
        return value.map((item: unknown, index) =>
          this.#value(type.items, item, { ...place, path: `${place.path}[${index}]` }),
        )
      case 'map':
        if (!isJsonObject(value)) throw wrongType(value, type, place)
        return Object.fromEntries(
          Object.entries(value).map(([key, item]) => [
            key,
            this.#value(type.values, item, { ...place, path: `${place.path}.${key}` }),
          ]),
        )
      default:
        return assertNever(type, 'field type')
    }
  }

  #schema(name: string, value: unknown, place: Place): Record<string, unknown> {
    const schema = schemas.get(name)
    if (schema === undefined) throw new Error(`no schema is called ${name}`)
    if (!isJsonObject(value)) throw wrongType(value, { kind: 'schema', name }, place)
    return this.struct(schema, value, place)
  }

  #scalar(scalar: Scalar, given: unknown, place: Place): unknown {
    const value = given ?? zeroValues[scalar]
    if (!isScalar[scalar](value)) throw wrongType(given, { kind: 'scalar', scalar }, place)
    if (scalar === 'quantity') return quantity(value)
    if ((scalar === 'time' || scalar === 'microTime') && typeof value === 'string') {
      return time(value)
    }
    return value
  }
}

/**
 * A body as an object of its kind: every field is of the type that the rest of the program relies
 * on. The error is the sentence of Go's decoder. Kinds without a schema come back as they are.
 */
export function decodeBySchema(kind: string, body: unknown): Result<DecodedObject, string> {
  if (!isJsonObject(body)) {
    return err(`json: cannot unmarshal ${jsonWord(body)} into Go value of type v1.${kind}`)
  }
  const schema = schemas.get(kind)
  if (schema === undefined) return ok({ object: { ...body }, unknownFields: [] })
  const { apiVersion, kind: ownKind, ...rest } = body
  const decoder = new ObjectDecoder()
  try {
    const object = decoder.struct(schema, rest, { path: '', goField: '' })
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
