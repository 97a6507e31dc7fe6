import { isJsonObject } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'

/** `f:spec`, `k:{"name":"c"}`, `v:"x"`: a step to a field, as FieldsV1 writes it. */
export type PathElement = string

/** A path to a field, its elements joined. */
export type FieldPath = string

/** Paths of fields. Source: structured-merge-diff fieldpath.Set. */
export type FieldSet = ReadonlySet<FieldPath>

// No JSON text has this character unescaped, and no field of the API is named like it.
const separator = '\u0000'

export function pathOf(elements: readonly PathElement[]): FieldPath {
  return elements.join(separator)
}

function elementsOf(path: FieldPath): readonly PathElement[] {
  return path.split(separator)
}

/** True if `path` is inside `parent`. */
export function isInside(path: FieldPath, parent: FieldPath): boolean {
  return path.startsWith(`${parent}${separator}`)
}

/** The paths that start with one of these fields of the object are left out. */
export function without(set: FieldSet, fields: readonly string[]): FieldSet {
  const starts = fields.map((field) => `f:${field}`)
  return new Set(
    [...set].filter((path) => !starts.some((start) => path === start || isInside(path, start))),
  )
}

export function union(...sets: readonly FieldSet[]): FieldSet {
  return new Set(sets.flatMap((set) => [...set]))
}

export function difference(one: FieldSet, other: FieldSet): FieldSet {
  return new Set([...one].filter((path) => !other.has(path)))
}

export function intersection(one: FieldSet, other: FieldSet): FieldSet {
  return new Set([...one].filter((path) => other.has(path)))
}

/** A set as FieldsV1: nested objects, `.` for a field that has others inside. */
export function fieldsV1(set: FieldSet): JsonObject {
  const root: Record<string, unknown> = {}
  for (const path of [...set].toSorted()) {
    let at = root
    for (const element of elementsOf(path)) {
      const next = at[element]
      const inner: Record<string, unknown> = isJsonObject(next) ? next : {}
      at[element] = inner
      at = inner
    }
    at['.'] = {}
  }
  return withoutDots(root)
}

/** A field without others inside is an empty object. */
function withoutDots(node: JsonObject): JsonObject {
  const entries = Object.entries(node).filter(([element]) => element !== '.')
  if (entries.length === 0) return {}
  const inner = entries.map(([element, value]) => [
    element,
    isJsonObject(value) ? withoutDots(value) : {},
  ])
  return { ...(node['.'] === undefined ? {} : { '.': {} }), ...Object.fromEntries(inner) }
}

/** Reads FieldsV1. */
export function setOf(fields: unknown): FieldSet {
  const set = new Set<FieldPath>()
  const visit = (node: JsonObject, elements: readonly PathElement[]): void => {
    const inner = Object.entries(node).filter(([element]) => element !== '.')
    if (elements.length > 0 && (inner.length === 0 || node['.'] !== undefined))
      set.add(pathOf(elements))
    for (const [element, value] of inner)
      visit(isJsonObject(value) ? value : {}, [...elements, element])
  }
  visit(isJsonObject(fields) ? fields : {}, [])
  return set
}

function elementText(element: PathElement): string {
  const rest = element.slice(2)
  if (element.startsWith('f:')) return `.${rest}`
  if (element.startsWith('v:')) return `[=${rest}]`
  const keys = Object.entries(JSON.parse(rest) as JsonObject)
  return `[${keys.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(',')}]`
}

/** `.spec.containers[name="c"].image`, as messages name a field. */
export function pathText(path: FieldPath): string {
  return elementsOf(path).map(elementText).join('')
}
