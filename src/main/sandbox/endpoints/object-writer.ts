import type { FieldProblems } from '../../../shared/kubernetes/validation/field-problem.ts'
import { defined, equalJson, freezeJson, withFields } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject, KubeStatus, ObjectMeta } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import { toTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import type { Clock, Random, Trace } from '../../kubelet/ports.ts'
import { alreadyExists, invalid, modifiedConflict } from '../api-status.ts'
import type { ApiResult } from '../api-status.ts'
import { updatedFrom, updatedManagers } from '../apply/field-managers.ts'
import type { FieldManager } from '../apply/field-managers.ts'
import type { Caller } from '../auth/caller.ts'
import { generatedName, newUid } from '../object-identity.ts'
import type { ObjectStore, StoreEvent } from '../object-store.ts'
import { groupVersion } from '../registry/resource-type.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { creationProblems, metaUpdateProblems } from '../registry/strategy.ts'
import type { ResourceStrategy } from '../registry/strategy.ts'
import { shapeOfType } from './apply-request.ts'
import { knowSize, sizeOf, sizeRefusal } from './object-size.ts'

/** The caller and the causes of a write. */
export interface WriteContext {
  readonly caller: Caller
  readonly causes: readonly number[]
  /** Admission that sees the object as it will be stored: validating admission. Default: it admits everything. */
  readonly validate?: (next: KubeObject, old: KubeObject | undefined) => KubeStatus | undefined
  /** Who changes the fields of an object that has managed fields. */
  readonly manager?: FieldManager
  /** The managed fields after the write, of a server-side apply. */
  readonly managedFields?: readonly JsonObject[]
  /** Everything except the write itself happens. */
  readonly dryRun: boolean
  readonly subresource: string
}

/** The rules of an update. */
export interface UpdateRules {
  /** Runs first. */
  readonly allocate?: ResourceStrategy['allocate']
  /** `now`: ms of the server's clock. */
  readonly prepare: (next: KubeObject, old: KubeObject, now: number) => KubeObject
  readonly problems: (next: KubeObject, old: KubeObject) => FieldProblems
  /** True if this update removes the object. */
  readonly removesObject?: (next: KubeObject) => boolean
}

export interface ObjectWriterDeps {
  readonly store: ObjectStore
  readonly clock: Clock
  readonly uids: Random
  readonly names: Random
  /** For the addresses and ports that the server allocates. */
  readonly allocations: Random
  readonly trace: Trace
}

/** What is written, and its size in characters of JSON before it has its resource version. */
interface Write extends Pick<StoreEvent, 'change' | 'previous'> {
  readonly value: KubeObject
  readonly size: number
}

const nameAttempts = 8

/** True if the last finalizer of an object without a grace period was removed. */
function isReleased(next: KubeObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = next.metadata
  if (deletionTimestamp === undefined || (finalizers ?? []).length > 0) return false
  return deletionGracePeriodSeconds === 0
}

function versionSize({ metadata: { resourceVersion } }: KubeObject): number {
  return resourceVersion === undefined ? 0 : `"resourceVersion":"${resourceVersion}",`.length
}

/** In the usual order of fields: kind and version, then the metadata with its identity first. */
function readable(value: KubeObject, resourceVersion: number): KubeObject {
  const { kind, apiVersion, metadata, ...rest } = value
  const { name, namespace, uid, generation, creationTimestamp, ...others } = metadata
  const shown = {
    name,
    ...defined({ namespace }),
    uid,
    ...others,
    resourceVersion: String(resourceVersion),
    ...defined({ generation, creationTimestamp }),
  }
  return withFields(defined({ kind, apiVersion, metadata: shown }), rest)
}

/** The metadata of an update, with the stored values of the fields that no update can change. */
function carriedMeta(next: ObjectMeta, old: ObjectMeta): ObjectMeta {
  const { generation: _, creationTimestamp: __, resourceVersion: ___, ...rest } = next
  const { generation, creationTimestamp, resourceVersion, deletionTimestamp } = old
  const deletionGracePeriodSeconds =
    next.deletionGracePeriodSeconds ?? old.deletionGracePeriodSeconds
  const carried = {
    resourceVersion,
    generation,
    creationTimestamp,
    deletionTimestamp,
    deletionGracePeriodSeconds,
  }
  const uid = next.uid || old.uid
  return withFields(rest, { uid, ...defined(carried) })
}

const omittedIfEmpty = ['labels', 'annotations', 'ownerReferences', 'finalizers'] as const

/** Go omits empty lists and maps of the metadata. */
function withoutEmptyMeta(value: KubeObject): KubeObject {
  const { metadata } = value
  const empty = omittedIfEmpty.filter((field) => {
    const one = metadata[field]
    return one !== undefined && Object.keys(one).length === 0
  })
  if (empty.length === 0) return value
  const kept = Object.entries(metadata).filter(([field]) => !empty.some((one) => one === field))
  const { name, uid } = metadata
  return { ...value, metadata: { name, uid, ...Object.fromEntries(kept) } }
}

/**
 * The generic writes of all resources: identity, strategy, store, trace. Objects are decoded and admitted before.
 * Source: apiserver pkg/registry/generic/registry/store.go.
 */
export class ObjectWriter {
  readonly #deps: ObjectWriterDeps

  constructor(deps: ObjectWriterDeps) {
    this.#deps = deps
  }

  create(type: ResourceType, given: KubeObject, context: WriteContext): ApiResult<KubeObject> {
    const strategy = type.strategy
    const named = this.#named(type, given)
    const allocated = this.#allocated(type, named, undefined, strategy.allocate)
    if (!allocated.ok) return allocated
    const prepared = withoutEmptyMeta(strategy.prepareForCreate(allocated.value))
    const { name } = prepared.metadata
    const problems = creationProblems(strategy, prepared, { namespaced: type.namespaced })
    if (problems.length > 0) return err(invalid(type.storedAs?.type ?? type, name, problems))
    const denial = context.validate?.(prepared, undefined)
    if (denial !== undefined) return err(denial)
    const key = { namespace: prepared.metadata.namespace ?? '', name }
    const existing = this.#deps.store.of(type).get(key)
    if (existing !== undefined) {
      const isDeleting = existing.metadata.deletionTimestamp !== undefined
      return err(alreadyExists(type, name, { isDeleting }))
    }
    const { managedFields, dryRun } = context
    const value =
      managedFields === undefined
        ? prepared
        : { ...prepared, metadata: { ...prepared.metadata, managedFields } }
    const size = JSON.stringify(value).length
    const refusal = dryRun ? undefined : sizeRefusal(value, size, this.#deps.store.size)
    if (refusal !== undefined) return err(refusal)
    return ok(this.#commit(type, { change: 'ADDED', value, size, previous: undefined }, context))
  }

  /** `next` is the requested state; its resourceVersion, if any, must be the stored one. */
  update(
    type: ResourceType,
    next: KubeObject,
    old: KubeObject,
    rules: UpdateRules,
    context: WriteContext,
  ): ApiResult<KubeObject> {
    const { name, resourceVersion } = old.metadata
    const requested = next.metadata.resourceVersion ?? ''
    if (requested !== '' && requested !== resourceVersion) return err(modifiedConflict(type, name))
    const carried = { ...next, metadata: carriedMeta(next.metadata, old.metadata) }
    const allocated = this.#allocated(type, carried, old, rules.allocate)
    if (!allocated.ok) return allocated
    const now = this.#deps.clock.now()
    const prepared = withoutEmptyMeta(rules.prepare(allocated.value, old, now))
    const ofMeta = metaUpdateProblems(type.strategy, prepared, old)
    // Twice: a real server checks the metadata before the strategy does it again, and lists both as causes.
    const problems = [...ofMeta, ...ofMeta, ...rules.problems(prepared, old)]
    if (problems.length > 0) return err(invalid(type.storedAs?.type ?? type, name, problems))
    const denial = context.validate?.(prepared, old)
    if (denial !== undefined) return err(denial)
    const managed = this.#managed(type, prepared, old, context)
    // An update that changes nothing has no new version and no event.
    if (equalJson(managed, old)) return ok(old)
    const removesObject = rules.removesObject?.(prepared) ?? isReleased(prepared)
    const size = JSON.stringify(managed).length
    const refusal = context.dryRun ? undefined : sizeRefusal(managed, size, this.#deps.store.size)
    if (refusal !== undefined) return err(refusal)
    if (!removesObject)
      return ok(
        this.#commit(type, { change: 'MODIFIED', value: managed, size, previous: old }, context),
      )
    // The update itself is not stored: watches show the deletion of the old state.
    this.remove(type, old, context)
    return ok(freezeJson(prepared))
  }

  /** The object with its managed fields after an update: those of an object that was never applied are not tracked. */
  #managed(
    type: ResourceType,
    next: KubeObject,
    old: KubeObject,
    { manager, managedFields: applied }: WriteContext,
  ): KubeObject {
    const { managedFields: sent, ...metadata } = next.metadata
    const { managedFields: stored } = old.metadata
    const before = manager?.subresource === '' ? updatedFrom(sent, stored) : stored
    const time = toTimestamp(this.#deps.clock.now())
    const managedFields =
      applied ??
      (manager === undefined || before === undefined
        ? before
        : updatedManagers(shapeOfType(type), { next, old, managedFields: before }, manager, time))
    const shown = managedFields?.length === 0 ? undefined : managedFields
    return { ...next, metadata: withFields(metadata, defined({ managedFields: shown })) }
  }

  /** A change by the server itself, without rules. */
  modify(type: ResourceType, next: KubeObject, old: KubeObject, context: WriteContext): KubeObject {
    const size = JSON.stringify(next).length
    return this.#commit(type, { change: 'MODIFIED', value: next, size, previous: old }, context)
  }

  /** Removes an object from the store and returns its last state. */
  remove(type: ResourceType, object: KubeObject, context: WriteContext): KubeObject {
    const size = sizeOf(object)
    return this.#commit(type, { change: 'DELETED', value: object, size, previous: object }, context)
  }

  #named(type: ResourceType, given: KubeObject): KubeObject {
    const {
      resourceVersion: _,
      deletionTimestamp: __,
      deletionGracePeriodSeconds: ___,
      generation: ____,
      managedFields: _____,
      ...metadata
    } = given.metadata
    return withFields(given, {
      kind: type.kind,
      apiVersion: groupVersion(type),
      metadata: withFields(metadata, {
        name: this.#nameFor(type, metadata),
        uid: newUid(this.#deps.uids),
        creationTimestamp: toTimestamp(this.#deps.clock.now()),
      }),
    })
  }

  /** The object with the addresses and ports that the server allocates. The stored objects show which are in use. */
  #allocated(
    type: ResourceType,
    next: KubeObject,
    old: KubeObject | undefined,
    allocate: ResourceStrategy['allocate'],
  ): ApiResult<KubeObject> {
    if (allocate === undefined) return ok(next)
    const stored = this.#deps.store.of(type).list()
    const allocated = allocate(next, old, { stored, random: this.#deps.allocations })
    if (allocated.ok) return allocated
    return err(invalid(type, next.metadata.name, allocated.error))
  }

  #nameFor(type: ResourceType, metadata: Partial<ObjectMeta>): string {
    if (metadata.name) return metadata.name
    const prefix = metadata.generateName
    if (!prefix) return ''
    const collection = this.#deps.store.of(type)
    let name = generatedName(prefix, this.#deps.names)
    for (let attempt = 1; attempt < nameAttempts; attempt++) {
      if (collection.get({ namespace: metadata.namespace ?? '', name }) === undefined) break
      name = generatedName(prefix, this.#deps.names)
    }
    return name
  }

  #commit(
    type: ResourceType,
    { change, value, size, previous }: Write,
    context: WriteContext,
  ): KubeObject {
    if (context.dryRun) return freezeJson(value)
    const { store } = this.#deps
    const resourceVersion = store.nextResourceVersion()
    const written = freezeJson(readable(value, resourceVersion))
    knowSize(written, size - versionSize(value) + versionSize(written))
    const seq = this.#traced(type, change, written, context)
    const collection = store.of(type)
    collection.commit({ resourceVersion, change, object: written, previous, causes: [seq] })
    if (type.custom === undefined || change === 'DELETED') return written
    // As it is read: storing it in another version can have left out fields.
    const { namespace = '', name } = written.metadata
    return collection.get({ namespace, name }) ?? written
  }

  #traced(
    type: ResourceType,
    change: StoreEvent['change'],
    { metadata }: KubeObject,
    context: WriteContext,
  ): number {
    return this.#deps.trace.emit({
      kind: 'object.written',
      subject: {
        kind: 'object',
        resource: type.plural,
        namespace: metadata.namespace ?? '',
        name: metadata.name,
        uid: metadata.uid,
      },
      causes: context.causes,
      data: {
        change,
        resourceVersion: metadata.resourceVersion ?? '',
        user: context.caller.user,
        subresource: context.subresource,
      },
    })
  }
}
