import { equalJson, isJsonObject, setField } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { schemaNamed } from '../../../shared/kubernetes/schema/api-schema.ts'
import type {
  ApiSchema,
  FieldSchema,
  FieldType,
} from '../../../shared/kubernetes/schema/api-schema.ts'
import { pathOf } from './field-set.ts'
import type { FieldPath, PathElement } from './field-set.ts'

/** How server-side apply treats a value. */
export type Shape =
  | { readonly kind: 'atomic' }
  | { readonly kind: 'struct'; readonly schema: ApiSchema }
  | { readonly kind: 'map'; readonly of: FieldType }
  | { readonly kind: 'set' }
  | { readonly kind: 'list'; readonly keys: readonly string[]; readonly schema: ApiSchema }

const atomic: Shape = { kind: 'atomic' }

function structShape(name: string, mapType: string | undefined): Shape {
  const schema = schemaNamed(name)
  const isAtomic = schema.fields.size === 0 || schema.mapType === 'atomic' || mapType === 'atomic'
  return isAtomic ? atomic : { kind: 'struct', schema }
}

function typeShape(type: FieldType): Shape {
  if (type.kind === 'struct') return structShape(type.name, undefined)
  return type.kind === 'map' ? { kind: 'map', of: type.of } : atomic
}

function fieldShape(field: FieldSchema): Shape {
  const { type, mapType, listType, listMapKeys = [] } = field
  if (type.kind === 'struct') return structShape(type.name, mapType)
  if (type.kind === 'map') return mapType === 'atomic' ? atomic : { kind: 'map', of: type.of }
  if (type.kind !== 'list') return atomic
  if (listType === 'set') return { kind: 'set' }
  if (listType !== 'map' || type.of.kind !== 'struct') return atomic
  return { kind: 'list', keys: listMapKeys, schema: schemaNamed(type.of.name) }
}

/** The default of a field, which is the empty value of a required one unless the table says otherwise. */
function defaultOf(field: FieldSchema | undefined): unknown {
  if (field?.default !== undefined || field?.isRequired !== true) return field?.default
  return field.type.kind === 'string' ? '' : 0
}

/** The keys of an element of a list of type map, with their defaults. */
function keyOf(item: unknown, keys: readonly string[], schema: ApiSchema): PathElement {
  const object = isJsonObject(item) ? item : {}
  const entries = keys.toSorted().flatMap((key) => {
    const value = object[key] ?? defaultOf(schema.fields.get(key))
    return value === undefined || value === null ? [] : [[key, value]]
  })
  return `k:${JSON.stringify(Object.fromEntries(entries))}`
}

/** A part of a value, by the element of its path. */
export interface Part {
  readonly element: PathElement
  readonly value: unknown
  readonly shape: Shape
}

/** The parts of a value; undefined: it is one as a whole. */
export function partsOf(value: unknown, shape: Shape): readonly Part[] | undefined {
  switch (shape.kind) {
    case 'struct':
    case 'map': {
      if (!isJsonObject(value)) return undefined
      return Object.entries(value).map(([name, inner]) => ({
        element: `f:${name}`,
        value: inner,
        shape: innerShape(shape, name),
      }))
    }
    case 'set':
      if (!Array.isArray(value)) return undefined
      return value.map((one: unknown) => ({
        element: `v:${JSON.stringify(one)}`,
        value: one,
        shape: atomic,
      }))
    case 'list': {
      if (!Array.isArray(value)) return undefined
      const { keys, schema } = shape
      return value.map((one: unknown) => ({
        element: keyOf(one, keys, schema),
        value: one,
        shape: { kind: 'struct', schema },
      }))
    }
    default:
      return undefined
  }
}

function innerShape(
  shape: Extract<Shape, { readonly kind: 'struct' | 'map' }>,
  name: string,
): Shape {
  if (shape.kind === 'map') return typeShape(shape.of)
  const field = shape.schema.fields.get(name)
  return field === undefined ? atomic : fieldShape(field)
}

/** The fields of an object with their values: those without parts, and the elements of lists. */
export type FieldValues = ReadonlyMap<FieldPath, unknown>

const present = Symbol('element')

/** Source: structured-merge-diff typed ToFieldSet. */
export function fieldValues(schema: ApiSchema, object: JsonObject): FieldValues {
  const values = new Map<FieldPath, unknown>()
  const visit = (parts: readonly Part[], elements: readonly PathElement[]): void => {
    for (const { element, value, shape } of parts) {
      const path = [...elements, element]
      const inner = partsOf(value, shape)
      if (element.startsWith('k:')) values.set(pathOf(path), present)
      if (inner === undefined || (inner.length === 0 && !element.startsWith('k:')))
        values.set(pathOf(path), value)
      else visit(inner, path)
    }
  }
  visit(partsOf(object, { kind: 'struct', schema }) ?? [], [])
  return values
}

/**
 * The elements of both lists: the order of the applied ones stays, and others keep their places. Source:
 * structured-merge-diff typed visitListItems.
 */
function mergedElements(live: readonly Part[], applied: readonly Part[]): readonly unknown[] {
  const ours = new Map(live.map((part) => [part.element, part]))
  const theirs = new Set(applied.map(({ element }) => element))
  const shared = applied.map(({ element }) => element).filter((element) => ours.has(element))
  const result: unknown[] = []
  const taken = new Set<PathElement>()
  const own = [...live]
  const take = (part: Part): void => {
    const before = ours.get(part.element)
    const value =
      before === undefined ? part.value : mergedValue(before.value, part.value, part.shape)
    result.push(value)
    taken.add(part.element)
    if (shared[0] === part.element) shared.shift()
  }
  for (const part of applied) {
    for (let next = own[0]; next !== undefined && next.element !== part.element; next = own[0]) {
      const isTheirs = theirs.has(next.element)
      if (isTheirs && !taken.has(next.element) && shared[0] === next.element) break
      if (!isTheirs) result.push(next.value)
      own.shift()
    }
    if (own[0]?.element === part.element) own.shift()
    take(part)
  }
  return [...result, ...own.filter(({ element }) => !theirs.has(element)).map(({ value }) => value)]
}

function mergedValue(live: unknown, applied: unknown, shape: Shape): unknown {
  const ours = partsOf(live, shape)
  const theirs = partsOf(applied, shape)
  if (ours === undefined || theirs === undefined) return applied
  if (shape.kind === 'set' || shape.kind === 'list') return mergedElements(ours, theirs)
  const result: Record<string, unknown> = { ...(live as JsonObject) }
  for (const { element, value, shape: inner } of theirs) {
    const name = element.slice(2)
    if (value === null) delete result[name]
    else
      setField(
        result,
        name,
        Object.hasOwn(result, name) ? mergedValue(result[name], value, inner) : value,
      )
  }
  return result
}

/** The live object with the fields of the applied one. Source: structured-merge-diff typed Merge. */
export function merged(schema: ApiSchema, live: JsonObject, applied: JsonObject): JsonObject {
  return mergedValue(live, applied, { kind: 'struct', schema }) as JsonObject
}

/** The object without the fields at these paths, nor the parents that are empty then. */
export function removed(
  schema: ApiSchema,
  object: JsonObject,
  paths: ReadonlySet<FieldPath>,
): JsonObject {
  const visit = (value: unknown, shape: Shape, elements: readonly PathElement[]): unknown => {
    const parts = partsOf(value, shape)
    if (parts === undefined || parts.length === 0) return value
    const kept = parts.flatMap(({ element, value: inner, shape: innerOf }) => {
      const path = [...elements, element]
      if (paths.has(pathOf(path))) return []
      const rest = visit(inner, innerOf, path)
      return rest === undefined ? [] : [{ element, rest }]
    })
    if (kept.length === 0) return undefined
    if (Array.isArray(value)) return kept.map(({ rest }) => rest)
    return Object.fromEntries(kept.map(({ element, rest }) => [element.slice(2), rest]))
  }
  return (visit(object, { kind: 'struct', schema }, []) ?? {}) as JsonObject
}

/** What differs between two objects. */
export interface Comparison {
  /** Fields that only the new object has, or that it has with another value. */
  readonly changed: ReadonlySet<FieldPath>
  readonly removed: ReadonlySet<FieldPath>
}

export function compared(before: FieldValues, after: FieldValues): Comparison {
  const changed = [...after].filter(
    ([path, value]) => !before.has(path) || !equalJson(before.get(path), value),
  )
  const gone = [...before.keys()].filter((path) => !after.has(path))
  return { changed: new Set(changed.map(([path]) => path)), removed: new Set(gone) }
}
