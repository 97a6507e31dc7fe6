/** A JSON object whose fields are not known. */
export type JsonObject = Readonly<Record<string, unknown>>

/** True for a JSON object: not null, no array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of a field that the object itself has: none has a `constructor` because all objects do. */
export function ownField<T>(object: Readonly<Record<string, T>>, field: string): T | undefined {
  return Object.hasOwn(object, field) ? object[field] : undefined
}

/** The object in a field; an empty one when it is absent or something else. */
export function objectAt(object: JsonObject, field: string): JsonObject {
  const value = ownField(object, field)
  return isJsonObject(value) ? value : {}
}

/** The list in a field; an empty one when it is absent or something else. */
export function listAt(object: JsonObject, field: string): readonly unknown[] {
  const value = ownField(object, field)
  return Array.isArray(value) ? value : []
}

/** The objects of the list in a field; entries that are not objects count as empty ones, so that indexes stay. */
export function objectsAt(object: JsonObject, field: string): readonly JsonObject[] {
  const list = listAt(object, field)
  return list.every(isJsonObject) ? list : list.map((entry) => (isJsonObject(entry) ? entry : {}))
}

/** The string in a field; empty when it is absent or something else, as Go's zero value. */
export function textAt(object: JsonObject, field: string): string {
  const value = ownField(object, field)
  return typeof value === 'string' ? value : ''
}

/** The number in a field; `undefined` when it is absent or something else. */
export function numberAt(object: JsonObject, field: string): number | undefined {
  const value = ownField(object, field)
  return typeof value === 'number' ? value : undefined
}

/** An object type whose fields that may be undefined are optional instead. */
type Defined<T> = { readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

const nothing = {}

/**
 * A copy of the object with these fields, for hot paths. In Node 20, a literal that begins with a spread and adds fields gives each
 * object a hidden class of its own, which takes ten times as long and twice the memory; with the empty spread first it does not.
 */
export function withFields<T extends object, F extends object>(object: T, fields: F): T & F {
  return { ...nothing, ...object, ...fields }
}

/** The object without its undefined fields: in the API's objects, what is absent has no field. */
export function defined<T extends object>(fields: T): Defined<T> {
  const kept: Record<string, unknown> = {}
  for (const name of Object.keys(fields)) {
    const value = fields[name as keyof T]
    if (value !== undefined) kept[name] = value
  }
  // Nothing else is left out.
  return kept as Defined<T>
}

/** Sets a field by a name from outside: an assignment to `__proto__` would set the prototype. */
export function setField(object: Record<string, unknown>, field: string, value: unknown): void {
  if (field === '__proto__')
    Object.defineProperty(object, field, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    })
  else object[field] = value
}

/** Deep equality of JSON values; the order of an object's fields does not count, `undefined` fields count as absent. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => equalJson(item, b[index]))
    )
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false
  for (const field of Object.keys(a)) {
    if (!equalJson(a[field], Object.hasOwn(b, field) ? b[field] : undefined)) return false
  }
  for (const field of Object.keys(b)) {
    if (!Object.hasOwn(a, field) && b[field] !== undefined) return false
  }
  return true
}

/** Freezes a JSON value through and through. What is frozen already is taken as frozen all the way down. */
export function freezeJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const entry of Object.values(value)) freezeJson(entry)
  return value
}
