import { equalJson, isJsonObject, setField } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { schemaNamed, schemaOfKind } from '../../../shared/kubernetes/schema/api-schema.ts'
import type {
  ApiSchema,
  FieldSchema,
  FieldType,
  GroupVersionKind,
} from '../../../shared/kubernetes/schema/api-schema.ts'
import { pathOf } from './field-set.ts'
import type { FieldPath, PathElement } from './field-set.ts'

/** How server-side apply treats a value. */
export type Shape =
  | { readonly kind: 'atomic' }
  | {
      readonly kind: 'struct'
      /** Of a field; undefined: there is none of this name. */
      readonly field: (name: string) => Shape | undefined
      /** Of fields that it does not have; absent: such a field is one as a whole. */
      readonly others?: Shape
    }
  | { readonly kind: 'map'; readonly of: Shape }
  | { readonly kind: 'set' }
  | {
      readonly kind: 'list'
      readonly keys: readonly string[]
      /** The value of a key that an element does not have. */
      readonly defaultOf: (key: string) => unknown
      readonly of: Shape
    }

export const atomic: Shape = { kind: 'atomic' }

/** The shape of an object of the API's own kinds. Throws for others. */
export function shapeOfKind(kind: GroupVersionKind): Shape {
  const schema = schemaOfKind(kind)
  if (schema === undefined) throw new Error(`api-schemas.json has no schema of ${kind.kind}`)
  return schemaShape(schema)
}

const shapes = new WeakMap<ApiSchema, Shape>()

function schemaShape(schema: ApiSchema): Shape {
  const known = shapes.get(schema)
  if (known !== undefined) return known
  const fields = new Map<string, Shape>()
  const shape: Shape = {
    kind: 'struct',
    field: (name) => {
      const before = fields.get(name)
      const field = schema.fields.get(name)
      if (before !== undefined || field === undefined) return before
      const made = fieldShape(field)
      fields.set(name, made)
      return made
    },
  }
  shapes.set(schema, shape)
  return shape
}

/** That of a struct of the API, by its name. */
export function structShape(name: string, mapType?: string): Shape {
  const schema = schemaNamed(name)
  const isAtomic = schema.fields.size === 0 || schema.mapType === 'atomic' || mapType === 'atomic'
  return isAtomic ? atomic : schemaShape(schema)
}

function typeShape(type: FieldType): Shape {
  if (type.kind === 'struct') return structShape(type.name)
  return type.kind === 'map' ? { kind: 'map', of: typeShape(type.of) } : atomic
}

function fieldShape(field: FieldSchema): Shape {
  const { type, mapType, listType, listMapKeys = [] } = field
  if (type.kind === 'struct') return structShape(type.name, mapType)
  if (type.kind === 'map')
    return mapType === 'atomic' ? atomic : { kind: 'map', of: typeShape(type.of) }
  if (type.kind !== 'list') return atomic
  if (listType === 'set') return { kind: 'set' }
  if (listType !== 'map' || type.of.kind !== 'struct') return atomic
  const schema = schemaNamed(type.of.name)
  return {
    kind: 'list',
    keys: listMapKeys,
    defaultOf: (key) => defaultOf(schema.fields.get(key)),
    of: schemaShape(schema),
  }
}

/** The default of a field, which is the empty value of a required one unless the table says otherwise. */
function defaultOf(field: FieldSchema | undefined): unknown {
  if (field?.default !== undefined || field?.isRequired !== true) return field?.default
  return field.type.kind === 'string' ? '' : 0
}

/** The keys of an element of a list of type map, with their defaults. */
function keyOf(item: unknown, shape: Extract<Shape, { readonly kind: 'list' }>): PathElement {
  const object = isJsonObject(item) ? item : {}
  const entries = shape.keys.toSorted().flatMap((key) => {
    const value = object[key] ?? shape.defaultOf(key)
    return value === undefined || value === null ? [] : [[key, value]]
  })
  return `k:${JSON.stringify(Object.fromEntries(entries))}`
}

/** A part of a value, by the element of its path. */
export interface Part {
  readonly element: PathElement
  readonly value: unknown
  readonly shape: Shape
  /** It belongs to a manager apart from its fields: an element of a list, an entry of a map. */
  readonly isEntry: boolean
}

/** The parts of a value; undefined: it is one as a whole. */
export function partsOf(value: unknown, shape: Shape): readonly Part[] | undefined {
  switch (shape.kind) {
    case 'struct':
    case 'map': {
      if (!isJsonObject(value)) return undefined
      return Object.entries(value).map(([name, inner]) => {
        const field = shape.kind === 'map' ? undefined : shape.field(name)
        const other = shape.kind === 'map' ? shape.of : shape.others
        return {
          element: `f:${name}`,
          value: inner,
          shape: field ?? other ?? atomic,
          isEntry: field === undefined,
        }
      })
    }
    case 'set':
      if (!Array.isArray(value)) return undefined
      return value.map((one: unknown) => ({
        element: `v:${JSON.stringify(one)}`,
        value: one,
        shape: atomic,
        isEntry: true,
      }))
    case 'list':
      if (!Array.isArray(value)) return undefined
      return value.map((one: unknown) => ({
        element: keyOf(one, shape),
        value: one,
        shape: shape.of,
        isEntry: true,
      }))
    default:
      return undefined
  }
}

/** The fields of an object with their values: those without parts, and the elements of lists. */
export type FieldValues = ReadonlyMap<FieldPath, unknown>

const present = Symbol('element')

/** Source: structured-merge-diff typed ToFieldSet. */
export function fieldValues(shape: Shape, object: JsonObject): FieldValues {
  const values = new Map<FieldPath, unknown>()
  const visit = (parts: readonly Part[], elements: readonly PathElement[]): void => {
    for (const { element, value, shape: own, isEntry } of parts) {
      const path = [...elements, element]
      const inner = partsOf(value, own)
      if (isEntry) values.set(pathOf(path), present)
      if (inner === undefined || (inner.length === 0 && !element.startsWith('k:')))
        values.set(pathOf(path), value)
      else visit(inner, path)
    }
  }
  visit(partsOf(object, shape) ?? [], [])
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
export function merged(shape: Shape, live: JsonObject, applied: JsonObject): JsonObject {
  return mergedValue(live, applied, shape) as JsonObject
}

/** The object without the fields at these paths, nor the parents that are empty then. */
export function removed(
  shape: Shape,
  object: JsonObject,
  paths: ReadonlySet<FieldPath>,
): JsonObject {
  const visit = (value: unknown, own: Shape, elements: readonly PathElement[]): unknown => {
    const parts = partsOf(value, own)
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
  return (visit(object, shape, []) ?? {}) as JsonObject
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
