import { defined, isJsonObject, objectAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import {
  difference,
  fieldsV1,
  intersection,
  isInside,
  pathOf,
  pathText,
  setOf,
  union,
  without,
} from './field-set.ts'
import type { FieldPath, FieldSet } from './field-set.ts'
import { lastAppliedAnnotation } from './last-applied.ts'
import { compared, fieldValues, merged, removed } from './typed-value.ts'
import type { FieldValues, Shape } from './typed-value.ts'

/** Who writes, and how. */
export interface FieldManager {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  /** Of the kind that is written. */
  readonly apiVersion: string
  readonly subresource: string
  /** Top-level fields that the endpoint resets, which it therefore does not own; default: what built-in kinds reset. */
  readonly resets?: readonly string[]
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

function valuesOf(shape: Shape, object: JsonObject): FieldValues {
  return fieldValues(shape, managedPart(object))
}

function ownersOf(managedFields: readonly unknown[]): readonly Owner[] {
  return managedFields.filter(isJsonObject).map((entry) => ({
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

/**
 * The managed fields that an update starts from: those that the client sends, or the stored ones. A list that is empty, or has
 * one empty entry, resets them. Source: apimachinery managedfields decodeLiveOrNew.
 */
export function updatedFrom(
  next: readonly unknown[] | undefined,
  stored: readonly unknown[] | undefined,
): readonly unknown[] | undefined {
  if (next === undefined) return stored
  const [first] = next
  const isReset = next.length < 2 && (first === undefined || isEmptyEntry(first))
  if (isReset) return undefined
  return next.every(isManagedEntry) ? next : stored
}

function isEmptyEntry(entry: unknown): boolean {
  return isJsonObject(entry) && Object.keys(entry).length === 0
}

function isManagedEntry(entry: unknown): boolean {
  if (!isJsonObject(entry)) return false
  const { operation, fieldsType, fieldsV1: fields } = entry
  const isKnown = operation === 'Apply' || operation === 'Update'
  return isKnown && fieldsType === 'FieldsV1' && isJsonObject(fields)
}

/** As metadata has them: sorted by operation, time and name. Source: managedfields sortEncodedManagedFields. */
function entriesOf(owners: readonly Owner[]): readonly JsonObject[] {
  const key = (owner: Owner): string =>
    [owner.operation, owner.time, owner.manager, owner.subresource].join('\u0000')
  return owners
    .filter(({ fields }) => fields.size > 0)
    .toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
    .map(({ manager, operation, apiVersion, fields, subresource, time }) => ({
      manager,
      operation,
      apiVersion,
      ...defined({ time: time || undefined }),
      fieldsType: 'FieldsV1',
      fieldsV1: fieldsV1(fields),
      ...defined({ subresource: subresource || undefined }),
    }))
}

/** What a write through each endpoint does not own: the strategies reset it. */
function resetFields({ subresource, resets }: FieldManager): readonly string[] {
  if (resets !== undefined) return resets
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
  shape: Shape,
  {
    next,
    old,
    managedFields,
  }: {
    readonly next: KubeObject
    readonly old: KubeObject
    readonly managedFields: readonly unknown[]
  },
  by: FieldManager,
  time: string,
): readonly JsonObject[] {
  const owners = ownersOf(managedFields)
  const change = compared(valuesOf(shape, { ...old }), valuesOf(shape, { ...next }))
  const changed = without(change.changed, resetFields(by))
  const own = ownerOf(owners, by)
  const others = owners
    .filter((owner) => owner !== own)
    .map((owner) => {
      const kept = difference(difference(owner.fields, change.changed), change.removed)
      return kept.size === owner.fields.size ? owner : { ...owner, fields: kept }
    })
  const fields = union(difference(own.fields, change.removed), changed)
  // A scale has no time. Source: managedfields ScaleHandler.ToParent.
  const written = by.subresource === 'scale' ? own.time : time
  return entriesOf([...others, withFields(own, fields, written)])
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
function lastApplied(shape: Shape, live: KubeObject): FieldSet {
  const text = live.metadata.annotations?.[lastAppliedAnnotation] ?? ''
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? new Set(valuesOf(shape, value).keys()) : new Set()
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

/** The path of the number of replicas, in a scale and in what it scales. */
const replicas = pathOf(['f:spec', 'f:replicas'])

/** The managed fields of an object that is scaled, as its scale has them. Source: managedfields ScaleHandler.ToSubresource. */
export function scaleManagers(
  shape: Shape,
  live: KubeObject,
  by: FieldManager,
): readonly JsonObject[] {
  const owners = ownersBefore(shape, live, by).filter(({ fields }) => fields.has(replicas))
  const fields = new Set([replicas])
  return entriesOf(owners.map((owner) => ({ ...owner, apiVersion: 'autoscaling/v1', fields })))
}

/**
 * The managed fields of a scaled object after a write of its scale; `apiVersion` is the object’s. Source: managedfields
 * ScaleHandler.ToParent.
 */
export function scaledManagers(
  shape: Shape,
  live: KubeObject,
  by: FieldManager,
  scaleFields: readonly unknown[],
): readonly JsonObject[] {
  const ofScale = ownersOf(scaleFields).filter(({ fields }) => fields.has(replicas))
  const before = ownersBefore(shape, live, by)
  const kept = before.map((owner) =>
    ofScale.some((one) => isSame(one, owner))
      ? owner
      : { ...owner, fields: difference(owner.fields, new Set([replicas])) },
  )
  const added = ofScale
    .filter((one) => !before.some((owner) => isSame(one, owner) && owner.fields.has(replicas)))
    .map((one) => ({ ...one, apiVersion: by.apiVersion, time: '', fields: new Set([replicas]) }))
  return entriesOf([...kept, ...added])
}

/**
 * The owners of an object’s fields; of an object that was never applied on the server, one for all of them: kubectl, if it
 * has applied it on the client, so that kubectl takes them over.
 */
function ownersBefore(shape: Shape, live: KubeObject, by: FieldManager): readonly Owner[] {
  const owners = ownersOf(live.metadata.managedFields ?? [])
  if (owners.length > 0) return owners
  const fields = new Set(valuesOf(shape, { ...live }).keys())
  const { creationTimestamp: time = '', annotations = {} } = live.metadata
  const isApplied = annotations[lastAppliedAnnotation] !== undefined
  const all = {
    ...by,
    manager: isApplied ? 'kubectl-client-side-apply' : 'before-first-apply',
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
  shape: Shape,
  configuration: JsonObject,
  live: KubeObject | undefined,
  by: FieldManager,
  options: { readonly force: boolean; readonly time: string },
): Result<Applied, readonly FieldConflict[]> {
  const own = without(new Set(valuesOf(shape, configuration).keys()), resetFields(by))
  if (live === undefined) {
    const owner = { ...by, time: options.time, fields: own }
    return ok({ object: configuration, managedFields: entriesOf([owner]) })
  }
  const owners = ownersBefore(shape, live, by)
  const last = ownerOf(owners, by)
  const others = owners.filter((owner) => owner !== last)
  const united = merged(shape, { ...live }, configuration)
  const gone = abandoned(
    last.fields,
    own,
    others.map(({ fields }) => fields),
  )
  const object = gone.size === 0 ? united : removed(shape, united, gone)
  const change = compared(valuesOf(shape, { ...live }), valuesOf(shape, object))
  const allowed = by.manager === 'kubectl' ? lastApplied(shape, live) : new Set<FieldPath>()
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
  // An apply that changes nothing leaves the time of its manager.
  const isChanged = change.changed.size + change.removed.size > 0
  const next = { ...last, fields: own, time: isChanged ? options.time : last.time }
  return ok({ object, managedFields: entriesOf([...kept, next]) })
}
