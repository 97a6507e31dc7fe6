import {
  forbiddenField,
  invalidField,
} from '../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../shared/kubernetes/validation/field-problem.ts'
import { listAt, objectAt, withFields } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import {
  objectMetaProblems,
  sharedMetaProblems,
} from '../../../shared/kubernetes/validation/object-meta-validation.ts'
import type { NameRule } from '../../../shared/kubernetes/validation/object-meta-validation.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import type { Result } from '../../../shared/result.ts'
import type { Random } from '../../kubelet/ports.ts'

/** `now`: ms of the server's clock. */
type Prepare = (next: KubeObject, old: KubeObject, now: number) => KubeObject
type UpdateProblems = (next: KubeObject, old: KubeObject) => FieldProblems

/**
 * The behavior of one resource in addition to the generic create, update and delete. The names are those of apiserver
 * pkg/registry/rest. All functions are pure and never change objects in place.
 */
export interface ResourceStrategy {
  readonly nameRule?: NameRule
  /** Finalizers need no domain. */
  readonly takesPlainFinalizers?: boolean
  /** Sets the defaults of a decoded object. */
  readonly withDefaults: (object: KubeObject) => KubeObject
  /** Defaults of a field depend on other fields: a patch sets them again in the fields that it did not change, too. */
  readonly defaultsWholeObject: boolean
  /**
   * Allocates what is unique to each object (addresses, ports), first of all, for a new object (`old` undefined) or an updated
   * one. Source: apiserver Store.BeginCreate, BeginUpdate.
   */
  readonly allocate?: (
    next: KubeObject,
    old: KubeObject | undefined,
    among: { readonly stored: readonly KubeObject[]; readonly random: Random },
  ) => Result<KubeObject, FieldProblems>
  readonly prepareForCreate: (object: KubeObject) => KubeObject
  /** Problems beyond those of the metadata. */
  readonly createProblems: (object: KubeObject) => FieldProblems
  readonly prepareForUpdate: Prepare
  readonly updateProblems: UpdateProblems
  readonly prepareForStatusUpdate: Prepare
  readonly statusProblems: UpdateProblems
  /** The grace period of a deletion in seconds; absent if there is none. */
  readonly deletionGraceSeconds?: (object: KubeObject, requested: number | undefined) => number
  /** A PUT creates an object that does not exist (AllowCreateOnUpdate). */
  readonly createsOnUpdate: boolean
  /** A PUT without resourceVersion is accepted (AllowUnconditionalUpdate). */
  readonly updatesUnconditionally: boolean
  /** An immediate deletion answers with the object instead of a Status (ReturnDeletedObject). */
  readonly returnsDeletedObject: boolean
}

const unchanged: Prepare = (next) => next
const noProblems = (): FieldProblems => []

/** A strategy that adds nothing, except for the given functions. */
export function plainStrategy(own: Partial<ResourceStrategy> = {}): ResourceStrategy {
  return {
    withDefaults: (value) => value,
    defaultsWholeObject: false,
    prepareForCreate: (value) => value,
    createProblems: noProblems,
    prepareForUpdate: unchanged,
    updateProblems: noProblems,
    prepareForStatusUpdate: unchanged,
    statusProblems: noProblems,
    createsOnUpdate: false,
    updatesUnconditionally: true,
    returnsDeletedObject: false,
    ...own,
  }
}

function plainFinalizers({ takesPlainFinalizers = false }: ResourceStrategy) {
  return { takesPlainFinalizers }
}

/** All problems of a new object. */
export function creationProblems(
  strategy: ResourceStrategy,
  value: KubeObject,
  options: { readonly namespaced: boolean },
): FieldProblems {
  const metadata: JsonObject = { ...value.metadata }
  const rule = strategy.nameRule === undefined ? {} : { nameRule: strategy.nameRule }
  return [
    ...objectMetaProblems(metadata, { ...options, ...rule, ...plainFinalizers(strategy) }),
    ...strategy.createProblems(value),
  ]
}

const immutableFields = [
  'name',
  'namespace',
  'uid',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const

function newFinalizerProblems(next: KubeObject, old: KubeObject): FieldProblems {
  if (old.metadata.deletionTimestamp === undefined) return []
  const known = new Set(old.metadata.finalizers ?? [])
  const added = listAt({ ...next.metadata }, 'finalizers').filter(
    (name) => !known.has(String(name)),
  )
  if (added.length === 0) return []
  const shown = `[]string{${added.map((name) => JSON.stringify(name)).join(', ')}}`
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${shown}`
  return [forbiddenField('metadata.finalizers', detail)]
}

/** Problems of updated metadata. Source: apimachinery pkg/api/validation ValidateObjectMetaUpdate. */
export function metaUpdateProblems(
  strategy: ResourceStrategy,
  next: KubeObject,
  old: KubeObject,
): FieldProblems {
  const changed = immutableFields.filter((field) => next.metadata[field] !== old.metadata[field])
  return [
    ...newFinalizerProblems(next, old),
    ...changed.map((field) =>
      invalidField(`metadata.${field}`, next.metadata[field] ?? null, 'field is immutable'),
    ),
    ...sharedMetaProblems({ ...next.metadata }, plainFinalizers(strategy)),
  ]
}

/** The object with a field of another object, or without it if the other has none. */
export function withFieldOf(value: KubeObject, field: string, other: KubeObject): KubeObject {
  const { [field]: _, ...rest } = value
  const kept = other[field]
  const ofOther = kept === undefined ? {} : { [field]: kept }
  return withFields(rest, { metadata: value.metadata, ...ofOther })
}

const statusMetadata = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const

/** With the old labels, annotations, finalizers and owners: some subresources do not change them. Source: ResetObjectMetaForStatus. */
export function withMetadataOf(value: KubeObject, old: KubeObject): KubeObject {
  const {
    labels: _l,
    annotations: _a,
    finalizers: _f,
    ownerReferences: _o,
    ...metadata
  } = value.metadata
  const kept = statusMetadata.flatMap((field) =>
    old.metadata[field] === undefined ? [] : [[field, old.metadata[field]]],
  )
  return { ...value, metadata: { ...metadata, ...Object.fromEntries(kept) } }
}

/** The object with fields of its spec replaced. */
export function withSpec(value: KubeObject, fields: JsonObject): KubeObject {
  return { ...value, spec: withFields(objectAt(value, 'spec'), fields) }
}

/** The object with a finalizer, added if it is missing. */
export function withFinalizer(value: KubeObject, finalizer: string): KubeObject {
  const { metadata } = value
  const finalizers = metadata.finalizers ?? []
  if (finalizers.includes(finalizer)) return value
  return { ...value, metadata: { ...metadata, finalizers: [...finalizers, finalizer] } }
}
