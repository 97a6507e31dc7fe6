import { isJsonObject, listAt, objectAt, ownField, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import { schemaNamed } from '../../../../shared/kubernetes/schema/api-schema.ts'
import { decodeAs } from '../../../../shared/kubernetes/schema/decode.ts'

/** An openAPIV3Schema, or a part of one. */
export type StructuralSchema = JsonObject

export const preservesUnknown = 'x-kubernetes-preserve-unknown-fields'
export const embedsResource = 'x-kubernetes-embedded-resource'
export const takesIntOrString = 'x-kubernetes-int-or-string'

export function propertyOf(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  const property = ownField(objectAt(schema, 'properties'), name)
  return isJsonObject(property) ? property : undefined
}

/** What it says of other fields than its properties: a schema, or that they are allowed or not; undefined: nothing. */
export function otherFieldsOf(schema: StructuralSchema): StructuralSchema | boolean | undefined {
  const others = schema['additionalProperties']
  return isJsonObject(others) || typeof others === 'boolean' ? others : undefined
}

export function itemsOf(schema: StructuralSchema): StructuralSchema | undefined {
  const { items } = schema
  return isJsonObject(items) ? items : undefined
}

/** The schema of a field; undefined: there is none. */
function fieldSchema(
  schema: StructuralSchema | undefined,
  name: string,
): StructuralSchema | undefined {
  if (schema === undefined) return undefined
  const property = propertyOf(schema, name)
  const others = otherFieldsOf(schema)
  return property ?? (isJsonObject(others) ? others : undefined)
}

/** A value with each of its fields and elements changed. */
function mapped(
  value: unknown,
  change: (inner: unknown, step: string | number) => unknown,
): unknown {
  if (Array.isArray(value)) return value.map((one: unknown, index) => change(one, index))
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([name, inner]) => [name, change(inner, name)])
  return Object.fromEntries(entries)
}

/** A path of a field as strict errors write it: `spec.parts[0].name`. */
function pathTo(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`
  return path === '' ? step : `${path}.${step}`
}

const metaFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata'])

export interface Pruned {
  readonly value: unknown
  /** Paths of the fields that are left out, sorted. */
  readonly unknownFields: readonly string[]
}

/** The object without the fields that its schema does not have. Source: apiserver/schema/pruning (v1.34). */
export function pruned(object: JsonObject, schema: StructuralSchema): Pruned {
  const unknown: string[] = []
  const visit = (
    value: unknown,
    own: StructuralSchema | undefined,
    path: string,
    isSkipped = false,
  ): unknown => {
    const isKept = isSkipped || own?.[preservesUnknown] === true
    if (isKept && own === undefined) return value
    if (Array.isArray(value))
      return value.map((one: unknown, index) =>
        visit(one, own && itemsOf(own), pathTo(path, index), isKept),
      )
    if (!isJsonObject(value)) return value
    const holdsMeta = path === '' || own?.[embedsResource] === true
    const entries = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
      if (holdsMeta && metaFields.has(name)) return [[name, inner]]
      const property = own && propertyOf(own, name)
      const others = own && otherFieldsOf(own)
      if (property !== undefined || others !== undefined) {
        const next = property ?? (isJsonObject(others) ? others : undefined)
        return [[name, visit(inner, next, pathTo(path, name))]]
      }
      if (isKept) return [[name, inner]]
      unknown.push(pathTo(path, name))
      return []
    })
    return Object.fromEntries(entries)
  }
  const value = visit(object, schema, '')
  return { value, unknownFields: unknown.toSorted() }
}

function isNonNullableNull(value: unknown, schema: StructuralSchema | undefined): boolean {
  return value === null && schema !== undefined && schema['nullable'] !== true
}

function defaultOf(schema: StructuralSchema | undefined): unknown {
  return schema?.['default'] ?? undefined
}

/** Without null values that are neither allowed nor replaced by a default. Source: PruneNonNullableNullsWithoutDefaults. */
export function withoutNulls(value: unknown, schema: StructuralSchema | undefined): unknown {
  if (Array.isArray(value))
    return value.map((one: unknown) => withoutNulls(one, schema && itemsOf(schema)))
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const own = fieldSchema(schema, name)
    const isDropped = isNonNullableNull(inner, own) && defaultOf(own) === undefined
    return isDropped ? [] : [[name, withoutNulls(inner, own)]]
  })
  return Object.fromEntries(entries)
}

/** With the defaults of missing fields. Source: apiserver/schema/defaulting (v1.34). */
export function defaulted(value: unknown, schema: StructuralSchema | undefined): unknown {
  if (schema === undefined) return value
  const items = itemsOf(schema)
  if (Array.isArray(value))
    return value.map((one: unknown) =>
      defaulted(isNonNullableNull(one, items) ? (defaultOf(items) ?? one) : one, items),
    )
  if (!isJsonObject(value)) return value
  const added = Object.entries(objectAt(schema, 'properties')).flatMap(([name, property]) => {
    const own = isJsonObject(property) ? defaultOf(property) : undefined
    return own === undefined || Object.hasOwn(value, name) ? [] : [[name, own]]
  })
  return mapped({ ...value, ...Object.fromEntries(added) }, (inner, step) => {
    const own = fieldSchema(schema, String(step))
    return defaulted(isNonNullableNull(inner, own) ? (defaultOf(own) ?? inner) : inner, own)
  })
}

/** The metadata of an object, or of one that is embedded. */
export function decodedMeta(metadata: unknown): ReturnType<typeof decodeAs> {
  return decodeAs(schemaNamed('meta.v1.ObjectMeta'), metadata)
}

/** With the metadata of embedded objects decoded. Source: apiserver/schema/objectmeta CoerceWithOptions. */
export function coerced(
  object: JsonObject,
  schema: StructuralSchema,
): Pruned & { readonly error: string | undefined } {
  const unknown: string[] = []
  let error: string | undefined
  const visit = (value: unknown, own: StructuralSchema | undefined, path: string): unknown => {
    if (own === undefined) return value
    const isEmbedded = own[embedsResource] === true && path !== ''
    return mapped(value, (inner, step) => {
      const next = typeof step === 'number' ? itemsOf(own) : fieldSchema(own, step)
      const at = pathTo(path, step)
      if (isEmbedded && (step === 'kind' || step === 'apiVersion') && typeof inner !== 'string')
        error ??= `${at}: Invalid value: ${JSON.stringify(inner)}: must be a string`
      if (!isEmbedded || step !== 'metadata') return visit(inner, next, at)
      const meta = decodedMeta(inner)
      if (meta.error !== undefined)
        error ??= `${at}: Invalid value: ${JSON.stringify(inner)}: ${meta.error}`
      unknown.push(...meta.unknownFields.map((field) => `${at}.${field}`))
      return meta.object
    })
  }
  const value = visit(object, schema, '')
  return { value, unknownFields: unknown.toSorted(), error }
}

/** A value as messages and tables print it. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The path of a field in the dot notation, `.spec.replicas`, as its steps. */
export function stepsOf(path: string): readonly string[] {
  return path.replace(/^\./, '').split('.')
}

/** The value at a path; undefined: there is none. */
export function valueAtPath(object: JsonObject, path: string): unknown {
  let value: unknown = object
  for (const step of stepsOf(path)) {
    if (!isJsonObject(value)) return undefined
    value = ownField(value, step)
  }
  return value
}

/** The object with another value at a path. */
export function withValueAtPath(
  object: JsonObject,
  [step = '', ...rest]: readonly string[],
  value: unknown,
): JsonObject {
  const inner = rest.length === 0 ? value : withValueAtPath(objectAt(object, step), rest, value)
  return { ...object, [step]: inner }
}

/** The keys of a list of type map. */
export function listKeysOf(schema: StructuralSchema): readonly string[] {
  const keys = listAt(schema, 'x-kubernetes-list-map-keys')
  return keys.filter((key) => typeof key === 'string')
}

export function listTypeOf(schema: StructuralSchema): string {
  return textAt(schema, 'x-kubernetes-list-type')
}
