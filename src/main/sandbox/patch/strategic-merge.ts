import { isJsonObject, ownField, setField, withFields } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { schemaNamed, structIn } from '../../../shared/kubernetes/schema/api-schema.ts'
import type { ApiSchema } from '../../../shared/kubernetes/schema/api-schema.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { elementKey, orderElements } from './element-order.ts'
import { PatchError } from './patch-error.ts'

// Directives of apimachinery strategicpatch.
const directive = '$patch'
const retainKeys = '$retainKeys'
const deletionPrefix = '$deleteFromPrimitiveList/'
const orderPrefix = '$setElementOrder/'

function isDirected(value: unknown): value is JsonObject {
  return isJsonObject(value) && Object.hasOwn(value, directive)
}

/** Without a schema, every map is merged and every list replaced. */
type MergeSchema = ApiSchema | undefined

/**
 * How the elements of a list are merged: `mergeKey` names the field by which its objects are matched, `undefined` merges
 * scalars as a set.
 */
interface MergedList {
  readonly mergeKey: string | undefined
  readonly items: MergeSchema
}

/** How a list is merged; `undefined` if it is replaced. */
function mergedList(schema: MergeSchema, field: string): MergedList | undefined {
  const { type, patchStrategy, patchMergeKey } = schema?.fields.get(field) ?? {}
  if (type?.kind !== 'list' || patchStrategy?.includes('merge') !== true) return undefined
  const struct = structIn(type)
  return {
    mergeKey: patchMergeKey,
    items: struct === undefined ? undefined : schemaNamed(struct),
  }
}

function structOf(schema: MergeSchema, field: string): MergeSchema {
  const type = schema?.fields.get(field)?.type
  return type?.kind === 'struct' ? schemaNamed(type.name) : undefined
}

function isDirective(field: string): boolean {
  return field === retainKeys || field.startsWith(deletionPrefix) || field.startsWith(orderPrefix)
}

// Go's format of a map, for errors.
function shown(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(shown).join(' ')}]`
  if (!isJsonObject(value)) return String(value)
  const fields = Object.keys(value).toSorted()
  return `map[${fields.map((field) => `${field}:${shown(value[field])}`).join(' ')}]`
}

function withoutPrefix(field: string, prefix: string): string | undefined {
  return field.startsWith(prefix) ? field.slice(prefix.length) : undefined
}

/**
 * A value of a patch that has nothing to merge with, without nulls and directives. Real servers lose the remaining ones when
 * they decode the result.
 */
function plainValue(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.filter((entry) => !isDirected(entry)).map((entry) => plainValue(entry))
  }
  return isJsonObject(value) ? plainObject(value) : value
}

function plainObject(value: JsonObject): JsonObject {
  const kept = Object.entries(value).filter(
    ([field, entry]) => entry !== null && !isDirective(field) && !isDirected(entry),
  )
  return Object.fromEntries(kept.map(([field, entry]) => [field, plainValue(entry)]))
}

function listIn(patch: JsonObject, field: string): readonly unknown[] {
  const value = patch[field]
  if (Array.isArray(value)) return value
  const isOrder = field.startsWith(orderPrefix)
  throw new PatchError(
    isOrder
      ? 'invalid patch format of setElementOrder list'
      : 'invalid patch format of delete primitive list',
  )
}

function wholeObject(patch: JsonObject): JsonObject {
  switch (patch[directive]) {
    case 'replace': {
      const { [directive]: _, ...rest } = patch
      return plainObject(rest)
    }
    case 'delete':
      return {}
    default:
      throw new PatchError(`unknown patch type: ${shown(patch[directive])} in map: ${shown(patch)}`)
  }
}

function retained(original: JsonObject, patch: JsonObject): JsonObject {
  const keys = patch[retainKeys]
  if (keys === undefined) return original
  if (!Array.isArray(keys)) throw new PatchError('invalid patch format of retainKeys')
  const kept = new Set<unknown>(keys)
  const isUnlisted = Object.entries(patch).some(
    ([field, value]) => value !== null && !field.startsWith('$') && !kept.has(field),
  )
  if (isUnlisted) throw new PatchError('invalid patch format of retainKeys')
  return Object.fromEntries(Object.entries(original).filter(([field]) => kept.has(field)))
}

/** The first element with each value of the merge key. */
function indexByKey(list: readonly unknown[], mergeKey: string): Map<unknown, number> {
  const found = new Map<unknown, number>()
  for (const [index, entry] of list.entries()) {
    if (!isJsonObject(entry)) continue
    const value = entry[mergeKey]
    if (!found.has(value)) found.set(value, index)
  }
  return found
}

function mergeKeyOf(element: JsonObject, mergeKey: string): unknown {
  const value = element[mergeKey]
  if (value !== undefined) return value
  throw new PatchError(`map: ${shown(element)} does not contain declared merge key: ${mergeKey}`)
}

/** Applies the deletions in the patch of a list. If one of its elements is `$patch: replace`, the rest is the new list. */
function withoutDeleted(
  original: readonly unknown[],
  patch: readonly JsonObject[],
  mergeKey: string,
): { readonly live: readonly unknown[]; readonly rest: readonly JsonObject[] } {
  const deleted = new Set<unknown>()
  let isReplaced = false
  const rest = patch.filter((element) => !isDirected(element))
  for (const element of patch) {
    if (!isDirected(element)) continue
    if (element[directive] === 'replace') isReplaced = true
    else if (element[directive] === 'delete') {
      deleted.add(mergeKeyOf(element, mergeKey))
    } else {
      throw new PatchError(
        `unknown patch type: ${shown(element[directive])} in map: ${shown(element)}`,
      )
    }
  }
  if (isReplaced) return { live: rest.map(plainValue), rest: [] }
  const live = original.filter((entry) => !(isJsonObject(entry) && deleted.has(entry[mergeKey])))
  return { live, rest }
}

function mergeObjects(
  original: readonly unknown[],
  patch: readonly unknown[],
  schema: MergedList & { readonly mergeKey: string },
): readonly unknown[] {
  const { mergeKey } = schema
  const elements = patch.filter(isJsonObject)
  if (elements.length < patch.length) {
    throw new PatchError(`list element types are not identical: ${shown([original, patch])}`)
  }
  const { live, rest } = withoutDeleted(original, elements, mergeKey)
  const merged = [...live]
  const indexes = indexByKey(merged, mergeKey)
  for (const element of rest) {
    const value = mergeKeyOf(element, mergeKey)
    const index = indexes.get(value) ?? -1
    const present = merged[index]
    if (isJsonObject(present)) merged[index] = mergeMap(present, element, schema.items)
    else indexes.set(value, merged.push(plainValue(element)) - 1)
  }
  return orderElements(merged, { order: rest, live, key: elementKey(mergeKey) })
}

function mergeScalars(original: readonly unknown[], patch: readonly unknown[]): readonly unknown[] {
  const merged = [...new Set([...original, ...patch])]
  return orderElements(merged, { order: patch, live: original, key: elementKey(undefined) })
}

function mergeList(
  original: readonly unknown[],
  patch: readonly unknown[],
  schema: MergedList | undefined,
): readonly unknown[] {
  if (schema === undefined) return patch.map(plainValue)
  const { mergeKey } = schema
  if (mergeKey === undefined) return mergeScalars(original, patch)
  return mergeObjects(original, patch, { ...schema, mergeKey })
}

function mergeValue(
  original: unknown,
  patch: unknown,
  field: string,
  schema: MergeSchema,
): unknown {
  if (isJsonObject(original) && isJsonObject(patch)) {
    if (schema?.fields.get(field)?.patchStrategy === 'replace') return plainValue(patch)
    return mergeMap(original, patch, structOf(schema, field))
  }
  if (Array.isArray(original) && Array.isArray(patch)) {
    return mergeList(original, patch, mergedList(schema, field))
  }
  return plainValue(patch)
}

/** Every element of the patch must be in `$setElementOrder`, in the same order. */
function checkOrder(
  patch: readonly unknown[],
  order: readonly unknown[],
  mergeKey: string | undefined,
): void {
  const key = elementKey(mergeKey)
  const keys = order.map(key)
  let next = 0
  for (const element of patch) {
    if (isDirected(element)) continue
    const wanted = key(element)
    while (next < keys.length && keys[next] !== wanted) next++
    if (next++ >= keys.length) {
      throw new PatchError(
        `The order in patch list:\n${shown(patch)}\n doesn't match $setElementOrder list:\n${shown(order)}\n`,
      )
    }
  }
}

function orderedField(
  original: JsonObject,
  patch: JsonObject,
  field: string,
  schema: MergeSchema,
): readonly unknown[] | undefined {
  const order = listIn(patch, `${orderPrefix}${field}`)
  const rule = mergedList(schema, field)
  const live = ownField(original, field)
  const changes = ownField(patch, field)
  if (changes === null) throw new PatchError(`expected a list as ${field}, but received null`)
  const liveList: readonly unknown[] = Array.isArray(live) ? live : []
  if (!Array.isArray(live) && !Array.isArray(changes)) return undefined
  const changeList: readonly unknown[] = Array.isArray(changes) ? changes : []
  checkOrder(changeList, order, rule?.mergeKey)
  const merged = Array.isArray(live)
    ? mergeList(liveList, changeList, rule ?? { mergeKey: undefined, items: undefined })
    : [plainValue(changeList)].flat()
  const key = elementKey(rule?.mergeKey)
  return orderElements(merged, { order, live: liveList, key })
}

function mergeMap(original: JsonObject, patch: JsonObject, schema: MergeSchema): JsonObject {
  if (isDirected(patch)) return wholeObject(patch)
  const result: Record<string, unknown> = withFields(retained(original, patch), {})
  const done = new Set([retainKeys])
  // Deletions first, so that one patch can both delete and add.
  for (const key of Object.keys(patch)) {
    const field = withoutPrefix(key, deletionPrefix)
    if (field !== undefined) deleteScalars(result, field, listIn(patch, key))
  }
  for (const key of Object.keys(patch)) {
    const field = withoutPrefix(key, orderPrefix)
    if (field === undefined) continue
    const ordered = orderedField(result, patch, field, schema)
    if (ordered !== undefined) {
      setField(result, field, ordered)
      done.add(field)
    }
    done.add(key)
  }
  for (const [key, value] of Object.entries(patch)) {
    if (done.has(key) || withoutPrefix(key, deletionPrefix) !== undefined) continue
    if (value === null) delete result[key]
    else {
      const present = ownField(result, key)
      if (isDirected(value) && present === undefined) continue
      setField(result, key, mergeValue(present, value, key, schema))
    }
  }
  return result
}

function deleteScalars(
  result: Record<string, unknown>,
  field: string,
  deleted: readonly unknown[],
): void {
  const live = ownField(result, field)
  if (!Array.isArray(live)) return
  const gone = new Set(deleted)
  const kept = live.filter((entry) => !gone.has(entry))
  setField(result, field, kept)
}

/**
 * Applies a strategic merge patch to an object: maps are merged, and lists for which the schema says so; null deletes;
 * directives work as in apimachinery pkg/util/strategicpatch (StrategicMergeMapPatch). The arguments do not change; unchanged
 * values are shared with the original. The error is the server's message.
 */
export function strategicMerge(
  original: JsonObject,
  patch: JsonObject,
  schema: MergeSchema,
): Result<JsonObject, string> {
  try {
    return ok(mergeMap(original, patch, schema))
  } catch (error) {
    if (error instanceof PatchError) return err(error.message)
    throw error
  }
}
