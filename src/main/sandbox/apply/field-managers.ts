import { defined, isJsonObject, objectAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import type { ApiSchema } from '../../../shared/kubernetes/schema/api-schema.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import {
  difference,
  fieldsV1,
  intersection,
  isInside,
  pathText,
  setOf,
  union,
  without,
} from './field-set.ts'
import type { FieldPath, FieldSet } from './field-set.ts'
import { compared, fieldValues, merged, removed } from './typed-value.ts'
import type { FieldValues } from './typed-value.ts'

/** Who writes, and how. */
export interface FieldManager {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  /** Of the kind that is written. */
  readonly apiVersion: string
  readonly subresource: string
}

interface Owner extends FieldManager {
  readonly time: string
  readonly fields: FieldSet
}

/** A field that another manager has with another value. */
export interface FieldConflict {
  /** `"kubectl-edit" using apps/v1`. */
  readonly manager: string
  /** `.spec.replicas`. */
  readonly field: string
}

// Source: apimachinery managedfields stripMeta.
const unmanaged = ['apiVersion', 'kind']
const unmanagedMeta = [
  'name',
  'namespace',
  'creationTimestamp',
  'uid',
  'generation',
  'managedFields',
  'resourceVersion',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
]

/** An object as its managers see it. */
function managedPart(object: JsonObject): JsonObject {
  const metadata = Object.entries(objectAt(object, 'metadata')).filter(
    ([name]) => !unmanagedMeta.includes(name),
  )
  const rest = Object.entries(object).filter(
    ([name]) => !unmanaged.includes(name) && name !== 'metadata',
  )
  const own = metadata.length === 0 ? {} : { metadata: Object.fromEntries(metadata) }
  return { ...Object.fromEntries(rest), ...own }
}

function valuesOf(schema: ApiSchema, object: JsonObject): FieldValues {
  return fieldValues(schema, managedPart(object))
}

function ownersOf(object: KubeObject): readonly Owner[] {
  return (object.metadata.managedFields ?? []).filter(isJsonObject).map((entry) => ({
    manager: textAt(entry, 'manager'),
    operation: entry['operation'] === 'Apply' ? 'Apply' : 'Update',
    apiVersion: textAt(entry, 'apiVersion'),
    subresource: textAt(entry, 'subresource'),
    time: textAt(entry, 'time'),
    fields: setOf(entry['fieldsV1']),
  }))
}

function isSame(one: FieldManager, other: FieldManager): boolean {
  return (
    one.manager === other.manager &&
    one.operation === other.operation &&
    one.subresource === other.subresource
  )
}

function isEqual(one: FieldSet, other: FieldSet): boolean {
  return one.size === other.size && [...one].every((path) => other.has(path))
}

/** As metadata has them: sorted by operation, time and name. Source: managedfields sortEncodedManagedFields. */
function entriesOf(owners: readonly Owner[]): readonly JsonObject[] {
  const key = (owner: Owner): string =>
    [owner.operation, owner.time, owner.manager, owner.subresource].join('\u0000')
  return owners
    .filter(({ fields }) => fields.size > 0)
    .toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
    .map(({ fields, subresource, ...owner }) => ({
      ...owner,
      fieldsType: 'FieldsV1',
      fieldsV1: fieldsV1(fields),
      ...defined({ subresource: subresource || undefined }),
    }))
}

/** What a write through each endpoint does not own: the strategies reset it. */
function resetFields({ subresource }: FieldManager): readonly string[] {
  return subresource === 'status' ? ['spec'] : ['status']
}

function withFields(owner: Owner, fields: FieldSet, time: string): Owner {
  return isEqual(owner.fields, fields) ? owner : { ...owner, fields, time }
}

function ownerOf(owners: readonly Owner[], by: FieldManager): Owner {
  return owners.find((owner) => isSame(owner, by)) ?? { ...by, time: '', fields: new Set() }
}

/**
 * The managed fields after an update that is no apply. Fields are tracked from the first apply on: before, an object has none.
 * Source: structured-merge-diff merge Updater.Update.
 */
export function updatedManagers(
  schema: ApiSchema,
  { next, old }: { readonly next: KubeObject; readonly old: KubeObject },
  by: FieldManager,
  time: string,
): readonly JsonObject[] {
  const owners = ownersOf(old)
  const change = compared(valuesOf(schema, { ...old }), valuesOf(schema, { ...next }))
  const written = without(change.changed, resetFields(by))
  const own = ownerOf(owners, by)
  const others = owners
    .filter((owner) => owner !== own)
    .map((owner) => {
      const kept = difference(difference(owner.fields, change.changed), change.removed)
      return kept.size === owner.fields.size ? owner : { ...owner, fields: kept }
    })
  const fields = union(difference(own.fields, change.removed), written)
  return entriesOf([...others, withFields(own, fields, time)])
}

function managerText(owner: FieldManager): string {
  const name = JSON.stringify(owner.manager)
  const sub =
    owner.subresource === '' ? '' : ` with subresource ${JSON.stringify(owner.subresource)}`
  return owner.operation === 'Apply' ? `${name}${sub}` : `${name}${sub} using ${owner.apiVersion}`
}

/** Fields that no other manager owns and that an apply no longer has. A list's element stays while a manager owns a field in it. */
function abandoned(last: FieldSet, applied: FieldSet, others: readonly FieldSet[]): FieldSet {
  const owned = [applied, ...others]
  const isOwned = (path: FieldPath): boolean =>
    owned.some((set) => set.has(path) || [...set].some((one) => isInside(one, path)))
  return new Set([...last].filter((path) => !isOwned(path)))
}

/** What kubectl applied last from the client: an apply of kubectl takes these fields over. */
function lastApplied(schema: ApiSchema, live: KubeObject): FieldSet {
  const text = live.metadata.annotations?.['kubectl.kubernetes.io/last-applied-configuration'] ?? ''
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? new Set(valuesOf(schema, value).keys()) : new Set()
  } catch {
    // Not an annotation of kubectl.
    return new Set()
  }
}

/** The object after an apply, and its managed fields. */
export interface Applied {
  readonly object: JsonObject
  readonly managedFields: readonly JsonObject[]
}

/** The owners of an object’s fields; of an object that was never applied, one for all of them. */
function ownersBefore(schema: ApiSchema, live: KubeObject, by: FieldManager): readonly Owner[] {
  const owners = ownersOf(live)
  if (owners.length > 0) return owners
  const fields = new Set(valuesOf(schema, { ...live }).keys())
  const { creationTimestamp: time = '' } = live.metadata
  const all = {
    ...by,
    manager: 'before-first-apply',
    operation: 'Update',
    subresource: '',
  } as const
  return [{ ...all, time, fields }]
}

/**
 * Applies a configuration to an object; `live` undefined: there is none. The error is the list of conflicts, which `force`
 * overrides. Source: structured-merge-diff merge Updater.Apply, apimachinery managedfields (v1.34).
 */
export function applied(
  schema: ApiSchema,
  configuration: JsonObject,
  live: KubeObject | undefined,
  by: FieldManager,
  options: { readonly force: boolean; readonly time: string },
): Result<Applied, readonly FieldConflict[]> {
  const own = without(new Set(valuesOf(schema, configuration).keys()), resetFields(by))
  if (live === undefined) {
    const owner = { ...by, time: options.time, fields: own }
    return ok({ object: configuration, managedFields: entriesOf([owner]) })
  }
  const owners = ownersBefore(schema, live, by)
  const last = ownerOf(owners, by)
  const others = owners.filter((owner) => owner !== last)
  const united = merged(schema, { ...live }, configuration)
  const gone = abandoned(
    last.fields,
    own,
    others.map(({ fields }) => fields),
  )
  const object = gone.size === 0 ? united : removed(schema, united, gone)
  const change = compared(valuesOf(schema, { ...live }), valuesOf(schema, object))
  const allowed = by.manager === 'kubectl' ? lastApplied(schema, live) : new Set<FieldPath>()
  const conflicts = others.flatMap((owner) =>
    [...difference(intersection(owner.fields, change.changed), allowed)]
      .map((path) => ({ manager: managerText(owner), field: pathText(path) }))
      .toSorted((a, b) => (a.field < b.field ? -1 : 1)),
  )
  if (conflicts.length > 0 && !options.force) return err(conflicts)
  const kept = others.map((owner) => ({
    ...owner,
    fields: difference(difference(owner.fields, change.changed), change.removed),
  }))
  const next = withFields(last, own, options.time)
  return ok({ object, managedFields: entriesOf([...kept, next]) })
}
