import { isJsonObject } from '../json.ts'
import type { FieldProblem } from './field-problem.ts'
import { parseQuantity } from './quantity.ts'

/**
 * The types of an object's fields, as far as it is checked. Unknown fields are let through. Problems
 * are worded as Go's JSON decoder words them, since that is what a real API server answers.
 */
export type Shape =
  | { readonly kind: 'text' }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'integer'; readonly go: 'int32' | 'int64' }
  | { readonly kind: 'quantity' }
  | { readonly kind: 'time' }
  /** A time with exactly six digits of a second, as leases have it. */
  | { readonly kind: 'microTime' }
  /** A port: number or name. */
  | { readonly kind: 'integerOrText' }
  | { readonly kind: 'list'; readonly of: Shape }
  | { readonly kind: 'map'; readonly go: string; readonly of: Shape }
  | {
      readonly kind: 'object'
      readonly go: string
      /** Names and shapes of its fields. */
      readonly entries: readonly (readonly [string, Shape])[]
    }

/** A string. */
export const text: Shape = { kind: 'text' }
/** A boolean. */
export const boolean: Shape = { kind: 'boolean' }
/** A whole number of 32 bits. */
export const int32: Shape = { kind: 'integer', go: 'int32' }
/** A whole number of 64 bits. */
export const int64: Shape = { kind: 'integer', go: 'int64' }
/** A quantity: string or number. */
export const quantity: Shape = { kind: 'quantity' }
/** An RFC 3339 time. */
export const time: Shape = { kind: 'time' }
/** An RFC 3339 time with microseconds. */
export const microTime: Shape = { kind: 'microTime' }
/** A number or a string. */
export const integerOrText: Shape = { kind: 'integerOrText' }

/** A list. */
export function listOf(of: Shape): Shape {
  return { kind: 'list', of }
}

/** A map; `go` names its type where that is no plain map. */
export function mapOf(of: Shape, go = `map[string]${goName(of)}`): Shape {
  return { kind: 'map', of, go }
}

/** An object; `go` is the name of its type without the package. */
export function object(go: string, fields: Readonly<Record<string, Shape>>): Shape {
  return { kind: 'object', go, entries: Object.entries(fields) }
}

function goName(shape: Shape): string {
  switch (shape.kind) {
    case 'text':
      return 'string'
    case 'boolean':
      return 'bool'
    case 'integer':
      return shape.go
    case 'quantity':
      return 'resource.Quantity'
    case 'time':
      return 'v1.Time'
    case 'microTime':
      return 'v1.MicroTime'
    case 'integerOrText':
      return 'int32'
    case 'list':
      return `[]${goName(shape.of)}`
    case 'map':
      return shape.go
    case 'object':
      return `v1.${shape.go}`
  }
}

/** Where in the object we are: once with indexes for people, once as Go's decoder counts, and in which struct. */
interface Place {
  readonly field: string
  readonly goField: string
  readonly struct: string
}

function inField(place: Place, name: string, struct: string): Place {
  const dot = (path: string): string => (path === '' ? name : `${path}.${name}`)
  return { field: dot(place.field), goField: dot(place.goField), struct }
}

function problem(place: Place, message: string): readonly FieldProblem[] {
  return [{ field: place.field, message, reason: 'FieldValueTypeInvalid' }]
}

function jsonKind(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

function mismatch(place: Place, value: unknown, shape: Shape): readonly FieldProblem[] {
  // A number of the right kind that does not fit is shown; everything else by its kind alone.
  const isNumberThatDoesNotFit = shape.kind === 'integer' && typeof value === 'number'
  const what = isNumberThatDoesNotFit ? `number ${String(value)}` : jsonKind(value)
  const into = place.goField === '' ? 'value' : `struct field ${place.struct}.${place.goField}`
  return problem(place, `json: cannot unmarshal ${what} into Go ${into} of type ${goName(shape)}`)
}

function integerProblems(value: unknown, shape: Shape & { kind: 'integer' }, place: Place) {
  const limit = shape.go === 'int32' ? 2 ** 31 : 2 ** 63
  const fits =
    typeof value === 'number' && Number.isInteger(value) && value < limit && value >= -limit
  return fits ? [] : mismatch(place, value, shape)
}

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/

function timeProblems(value: unknown, shape: Shape, place: Place): readonly FieldProblem[] {
  if (typeof value !== 'string') return mismatch(place, value, shape)
  if (rfc3339.test(value) && !Number.isNaN(Date.parse(value))) return []
  const shown = JSON.stringify(value)
  return problem(
    place,
    `parsing time ${shown} as "2006-01-02T15:04:05Z07:00": cannot parse ${shown} as "2006"`,
  )
}

const microseconds = /\.\d{6}(?=[Zz+-])/

function microTimeProblems(value: unknown, shape: Shape, place: Place): readonly FieldProblem[] {
  if (typeof value !== 'string') return mismatch(place, value, shape)
  const layout = '"2006-01-02T15:04:05.000000Z07:00"'
  if (timeProblems(value, shape, place).length > 0) {
    const shown = JSON.stringify(value)
    return problem(place, `parsing time ${shown} as ${layout}: cannot parse ${shown} as "2006"`)
  }
  if (microseconds.test(value)) return []
  const rest = /(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.exec(value)?.[0] ?? ''
  return problem(
    place,
    `parsing time ${JSON.stringify(value)} as ${layout}: cannot parse ${JSON.stringify(rest)} as ".000000"`,
  )
}

function quantityProblems(value: unknown, place: Place): readonly FieldProblem[] {
  if (parseQuantity(value) !== undefined) return []
  const splits = typeof value === 'string' && /^[+-]?[0-9.]+[eEinumkKMGTP]*[-+]?[0-9]*$/.test(value)
  const message = splits
    ? "unable to parse quantity's suffix"
    : "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
  return problem(place, message)
}

function objectProblems(
  value: unknown,
  shape: Shape & { kind: 'object' },
  place: Place,
): readonly FieldProblem[] {
  if (!isJsonObject(value)) return mismatch(place, value, shape)
  const found: FieldProblem[] = []
  for (const [name, of] of shape.entries) {
    const field = value[name]
    if (isFine(field, of)) continue
    found.push(...problems(field, of, inField(place, name, shape.go)))
  }
  return found
}

/** Most fields are absent or of a plain type: for those nobody needs to know where they are. */
function isFine(value: unknown, shape: Shape): boolean {
  if (value === undefined || value === null) return true
  return (
    (shape.kind === 'text' && typeof value === 'string') ||
    (shape.kind === 'boolean' && typeof value === 'boolean')
  )
}

function problems(value: unknown, shape: Shape, place: Place): readonly FieldProblem[] {
  // null is Go's zero value everywhere.
  if (value === undefined || value === null) return []
  switch (shape.kind) {
    case 'text':
      return typeof value === 'string' ? [] : mismatch(place, value, shape)
    case 'boolean':
      return typeof value === 'boolean' ? [] : mismatch(place, value, shape)
    case 'integer':
      return integerProblems(value, shape, place)
    case 'quantity':
      return quantityProblems(value, place)
    case 'time':
      return timeProblems(value, shape, place)
    case 'microTime':
      return microTimeProblems(value, shape, place)
    case 'integerOrText':
      return typeof value === 'string' ? [] : integerProblems(value, portNumber, place)
    case 'list':
      if (!Array.isArray(value)) return mismatch(place, value, shape)
      return value.flatMap((entry, index) =>
        problems(entry, shape.of, { ...place, field: `${place.field}[${index}]` }),
      )
    case 'map':
      if (!isJsonObject(value)) return mismatch(place, value, shape)
      return Object.entries(value).flatMap(([key, entry]) =>
        problems(entry, shape.of, { ...place, field: `${place.field}[${key}]` }),
      )
    case 'object':
      return objectProblems(value, shape, place)
  }
}

const portNumber = { kind: 'integer', go: 'int32' } as const

/** Every field of the wrong type, in the order of the shape. Empty: `value` has the shape, and may be read as it. */
export function shapeProblems(value: unknown, shape: Shape): readonly FieldProblem[] {
  if (value === undefined || value === null) return shapeProblems({}, shape)
  return problems(value, shape, { field: '', goField: '', struct: '' })
}

/** `metadata` of every object. */
export const objectMetaShape: Shape = object('ObjectMeta', {
  name: text,
  generateName: text,
  namespace: text,
  uid: text,
  resourceVersion: text,
  generation: int64,
  creationTimestamp: time,
  deletionTimestamp: time,
  deletionGracePeriodSeconds: int64,
  labels: mapOf(text),
  annotations: mapOf(text),
  ownerReferences: listOf(
    object('OwnerReference', {
      apiVersion: text,
      kind: text,
      name: text,
      uid: text,
      controller: boolean,
      blockOwnerDeletion: boolean,
    }),
  ),
  finalizers: listOf(text),
})
