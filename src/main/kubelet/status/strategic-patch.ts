import { isJsonObject, withFields } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { isEmptyField, isSemanticallyEqualField } from './semantic-equality.ts'

/** Lists that the API merges by a field of their items, by the list's name. Every other list is replaced whole. */
export type MergeKeys = Readonly<Record<string, string>>

/** The merge keys in a pod's status (k8s.io/api/core/v1 types.go: patchMergeKey). */
export const podStatusMergeKeys: MergeKeys = { conditions: 'type', podIPs: 'ip', hostIPs: 'ip' }

/** The merge keys in a node's status. Addresses are merged by a wrong key there, so they are replaced by hand. */
export const nodeStatusMergeKeys: MergeKeys = { conditions: 'type' }

/**
 * The strategic merge patch that turns one object into the other (apimachinery CreateTwoWayMergePatch):
 * what changed, null for what is gone, and for merged lists the changed items with their order in
 * `$setElementOrder/<list>`. Empty fields count as absent. No keys at all: nothing changed.
 */
export function strategicPatch(
  from: object,
  to: object,
  mergeKeys: MergeKeys,
): Readonly<Record<string, unknown>> {
  return patchFields(fieldsOf(from), fieldsOf(to), mergeKeys)
}

function fieldsOf(value: object): JsonObject {
  return isJsonObject(value) ? value : {}
}

function patchFields(from: JsonObject, to: JsonObject, mergeKeys: MergeKeys): JsonObject {
  const patch: Record<string, unknown> = {}
  for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) {
    Object.assign(patch, patchField(name, from[name], to[name], mergeKeys))
  }
  return patch
}

function patchField(
  name: string,
  before: unknown,
  after: unknown,
  mergeKeys: MergeKeys,
): JsonObject {
  if (isSemanticallyEqualField(name, before, after)) return {}
  if (isEmptyField(name, after)) return { [name]: null }
  if (isEmptyField(name, before)) return { [name]: after }
  const key = mergeKeys[name]
  if (key !== undefined && Array.isArray(before) && Array.isArray(after)) {
    return patchMergedList(
      name,
      key,
      before.filter(isJsonObject),
      after.filter(isJsonObject),
      mergeKeys,
    )
  }
  if (isJsonObject(before) && isJsonObject(after)) {
    return { [name]: patchFields(before, after, mergeKeys) }
  }
  return { [name]: after }
}

function patchMergedList(
  name: string,
  key: string,
  before: readonly JsonObject[],
  after: readonly JsonObject[],
  mergeKeys: MergeKeys,
): JsonObject {
  const old = new Map(before.map((item) => [item[key], item]))
  const kept = new Set(after.map((item) => item[key]))
  const changed = after.flatMap((item) => {
    const known = old.get(item[key])
    if (known === undefined) return [item]
    const patch = patchFields(known, item, mergeKeys)
    return Object.keys(patch).length === 0 ? [] : [withFields(patch, { [key]: item[key] })]
  })
  const deleted = before
    .filter((item) => !kept.has(item[key]))
    .map((item) => ({ $patch: 'delete', [key]: item[key] }))
    // As the Go library orders them, so that patches can be compared with the kubelet's.
    .toSorted((a, b) => (String(a[key]) < String(b[key]) ? -1 : 1))
  const items = [...changed, ...deleted]
  return {
    [`$setElementOrder/${name}`]: after.map((item) => ({ [key]: item[key] })),
    ...(items.length === 0 ? {} : { [name]: items }),
  }
}
