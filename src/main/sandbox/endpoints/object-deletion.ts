import { equalJson, objectAt } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import { toTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import type { Clock } from '../../kubelet/ports.ts'
import { forbidden } from '../api-status.ts'
import type { ApiResult } from '../api-status.ts'
import { isFinalized } from '../registry/namespace-strategy.ts'
import { cleanupFinalizer, terminatingStatus } from '../registry/custom/definition-status.ts'
import { isBuiltIn } from '../registry/resource-type.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { withFinalizer } from '../registry/strategy.ts'
import { preconditionConflict } from './delete-options.ts'
import type { DeleteOptions } from './delete-options.ts'
import type { ObjectWriter, WriteContext } from './object-writer.ts'

/** The last state of the object. If it is not removed, it is terminating. */
export interface Deletion {
  readonly object: KubeObject
  readonly isRemoved: boolean
}

const orphanFinalizer = 'orphan'
const foregroundFinalizer = 'foregroundDeletion'

/** Their strategies have OrphanDependents as the default policy. */
const orphaning: ReadonlySet<string> = new Set(['Job', 'ReplicationController'])

const permanentNamespaces = ['default', 'kube-system', 'kube-public']

function isDeleting({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined
}

function hasFinalizers({ metadata }: KubeObject): boolean {
  return (metadata.finalizers ?? []).length > 0
}

/**
 * The finalizers with which the garbage collector learns what to do with dependents. Source: apiserver
 * registry/store.go deletionFinalizersForGarbageCollection.
 */
function withPolicy(value: KubeObject, type: ResourceType, options: DeleteOptions): KubeObject {
  const { finalizers = [] } = value.metadata
  const policy = policyOf(finalizers, type, options)
  const others = finalizers.filter((one) => one !== orphanFinalizer && one !== foregroundFinalizer)
  const wanted = [
    ...others,
    ...(policy === 'Orphan' ? [orphanFinalizer] : []),
    ...(policy === 'Foreground' ? [foregroundFinalizer] : []),
  ]
  if (equalJson(wanted, finalizers)) return value
  return { ...value, metadata: { ...value.metadata, finalizers: wanted } }
}

function policyOf(
  finalizers: readonly string[],
  type: ResourceType,
  { propagationPolicy, orphanDependents }: DeleteOptions,
): string {
  if (orphanDependents !== undefined) return orphanDependents ? 'Orphan' : 'Background'
  if (propagationPolicy !== '') return propagationPolicy
  if (finalizers.includes(orphanFinalizer)) return 'Orphan'
  if (finalizers.includes(foregroundFinalizer)) return 'Foreground'
  return type.custom === undefined && orphaning.has(type.kind) ? 'Orphan' : 'Background'
}

function withGrace(value: KubeObject, at: number, graceSeconds: number): KubeObject {
  const deletion = { deletionTimestamp: toTimestamp(at), deletionGracePeriodSeconds: graceSeconds }
  return { ...value, metadata: { ...value.metadata, ...deletion } }
}

function withDeletion(value: KubeObject, at: number, graceSeconds: number): KubeObject {
  const { generation } = value.metadata
  const changed = generation === undefined ? {} : { generation: generation + 1 }
  return withGrace({ ...value, metadata: { ...value.metadata, ...changed } }, at, graceSeconds)
}

/**
 * A repeated deletion can only shorten the grace period, which moves the deletion timestamp, but not into the past: a
 * period that is over by now becomes the shortest one, and 0 stays 0.
 */
function withShorterGrace(
  object: KubeObject,
  deletionTimestamp: string,
  requested: number | undefined,
  now: number,
): KubeObject | undefined {
  const present = object.metadata.deletionGracePeriodSeconds
  if (present === undefined) return object
  if (requested === undefined) return undefined
  const seconds = requested < 0 ? 1 : requested
  if (seconds >= present) return undefined
  const at = Date.parse(deletionTimestamp) - 1000 * (present - seconds)
  return at < now ? withGrace(object, now, Math.min(1, seconds)) : withGrace(object, at, seconds)
}

/**
 * Deletions (api-server#pod-deletion): graceful, immediate, or pending until the finalizers are removed.
 * Source: apiserver pkg/registry/rest/delete.go and registry/store.go.
 */
export class ObjectDeletion {
  readonly #deps: { readonly writer: ObjectWriter; readonly clock: Clock }

  constructor(deps: { readonly writer: ObjectWriter; readonly clock: Clock }) {
    this.#deps = deps
  }

  delete(
    type: ResourceType,
    object: KubeObject,
    options: DeleteOptions,
    context: WriteContext,
  ): ApiResult<Deletion> {
    const unmet = preconditionConflict(type, object, options)
    if (unmet !== undefined) return err(unmet)
    if (isBuiltIn(type, 'Namespace')) return this.#deleteNamespace(type, object, context)
    if (isBuiltIn(type, 'CustomResourceDefinition') && !isDeleting(object))
      return ok({ object: this.#terminate(type, object, context), isRemoved: false })
    const marked = this.#markedForDeletion(type, object, options)
    // The object is terminating, and the request does not shorten its grace period.
    if (marked === undefined) return ok({ object, isRemoved: false })
    const { writer } = this.#deps
    const written = marked === object ? object : writer.modify(type, marked, object, context)
    const graceSeconds = written.metadata.deletionGracePeriodSeconds ?? 0
    if (hasFinalizers(written) || graceSeconds > 0) return ok({ object: written, isRemoved: false })
    return ok({ object: writer.remove(type, written, context), isRemoved: true })
  }

  /** The object with its deletion timestamp; itself if it needs none, `undefined` if nothing changes. */
  #markedForDeletion(
    type: ResourceType,
    object: KubeObject,
    options: DeleteOptions,
  ): KubeObject | undefined {
    const { deletionTimestamp } = object.metadata
    const grace = type.strategy.deletionGraceSeconds
    if (deletionTimestamp !== undefined) {
      const { gracePeriodSeconds } = options
      return withShorterGrace(object, deletionTimestamp, gracePeriodSeconds, this.#deps.clock.now())
    }
    const next = withPolicy(object, type, options)
    if (grace !== undefined) {
      const seconds = grace(object, options.gracePeriodSeconds)
      return withDeletion(next, this.#deps.clock.now() + 1000 * seconds, seconds)
    }
    return hasFinalizers(next) ? withDeletion(next, this.#deps.clock.now(), 0) : next
  }

  /** A definition goes after the objects of its kind. Source: apiextensions registry/customresourcedefinition/etcd.go. */
  #terminate(type: ResourceType, definition: KubeObject, context: WriteContext): KubeObject {
    const now = this.#deps.clock.now()
    const { metadata } = withFinalizer(definition, cleanupFinalizer)
    const terminating = {
      ...definition,
      metadata: { ...metadata, deletionTimestamp: toTimestamp(now) },
      status: terminatingStatus(definition, now),
    }
    return this.#deps.writer.modify(type, terminating, definition, context)
  }

  #deleteNamespace(
    type: ResourceType,
    namespace: KubeObject,
    context: WriteContext,
  ): ApiResult<Deletion> {
    const { metadata } = namespace
    if (permanentNamespaces.includes(metadata.name)) {
      return err(forbidden(type, metadata.name, 'this namespace may not be deleted'))
    }
    if (isFinalized(namespace)) {
      return ok({ object: this.#deps.writer.remove(type, namespace, context), isRemoved: true })
    }
    if (metadata.deletionTimestamp !== undefined) return ok({ object: namespace, isRemoved: false })
    const terminating = {
      ...namespace,
      metadata: { ...metadata, deletionTimestamp: toTimestamp(this.#deps.clock.now()) },
      status: { ...objectAt(namespace, 'status'), phase: 'Terminating' },
    }
    const object = this.#deps.writer.modify(type, terminating, namespace, context)
    return ok({ object, isRemoved: false })
  }
}
