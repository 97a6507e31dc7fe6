import type { KubeObject, KubeStatus } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { Clock } from '../../kubelet/ports.ts'
import { forbidden } from '../api-status.ts'
import { preconditionConflict } from './delete-options.ts'
import type { DeleteOptions } from './delete-options.ts'
import { isFinalized } from '../registry/namespace-strategy.ts'
import { toTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import type { ObjectWriter, WriteContext } from './object-writer.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { fieldOf } from '../registry/strategy.ts'

/** What a deletion came to: gone, or still there and on its way. */
export interface Deletion {
  readonly object: KubeObject
  readonly isGone: boolean
}

const permanentNamespaces = ['default', 'kube-system', 'kube-public']

function withDeletion(value: KubeObject, at: number, graceSeconds: number): KubeObject {
  const { generation } = value.metadata
  return {
    ...value,
    metadata: {
      ...value.metadata,
      ...(generation === undefined ? {} : { generation: generation + 1 }),
      deletionTimestamp: toTimestamp(at),
      deletionGracePeriodSeconds: graceSeconds,
    },
  }
}

/**
 * Deletions with their three ways of grace (api-server#pod-deletion): announced with a time to stop, at once,
 * or held by finalizers. Source: apiserver pkg/registry/rest/delete.go and registry/store.go.
 */
export class ObjectDeletion {
  readonly #writer: ObjectWriter
  readonly #clock: Clock

  constructor(deps: { readonly writer: ObjectWriter; readonly clock: Clock }) {
    this.#writer = deps.writer
    this.#clock = deps.clock
  }

  delete(
    type: ResourceType,
    object: KubeObject,
    options: DeleteOptions,
    context: WriteContext,
  ): Result<Deletion, KubeStatus> {
    const unmet = preconditionConflict(type, object, options)
    if (unmet !== undefined) return err(unmet)
    if (type.kind === 'Namespace') return this.#deleteNamespace(type, object, context)
    const announced = this.#announced(type, object, options)
    // Under way already, and not to be hurried.
    if (announced === undefined) return ok({ object, isGone: false })
    const written =
      announced === object ? object : this.#writer.modify(type, announced, object, context)
    const isHeld = (object.metadata.finalizers ?? []).length > 0
    const graceSeconds = written.metadata.deletionGracePeriodSeconds ?? 0
    if (isHeld || graceSeconds > 0) return ok({ object: written, isGone: false })
    return ok({ object: this.#writer.remove(type, written, context), isGone: true })
  }

  /** The object as its deletion is announced; itself where nothing is to be announced, `undefined` where nothing changes. */
  #announced(
    type: ResourceType,
    object: KubeObject,
    options: DeleteOptions,
  ): KubeObject | undefined {
    const { deletionTimestamp } = object.metadata
    const grace = type.strategy.deletionGraceSeconds
    if (deletionTimestamp !== undefined) {
      return this.#hurried(object, deletionTimestamp, options.gracePeriodSeconds)
    }
    if (grace !== undefined) {
      const seconds = grace(object, options.gracePeriodSeconds)
      return withDeletion(object, this.#clock.now() + 1000 * seconds, seconds)
    }
    const isHeld = (object.metadata.finalizers ?? []).length > 0
    return isHeld ? withDeletion(object, this.#clock.now(), 0) : object
  }

  /** A repeated deletion can only shorten the grace; the time moves with it. */
  #hurried(
    object: KubeObject,
    deletionTimestamp: string,
    requested: number | undefined,
  ): KubeObject | undefined {
    const present = object.metadata.deletionGracePeriodSeconds
    if (present === undefined) return object
    if (requested === undefined) return undefined
    const seconds = requested < 0 ? 1 : requested
    if (seconds >= present) return undefined
    const at = Date.parse(deletionTimestamp) - 1000 * (present - seconds)
    return {
      ...object,
      metadata: {
        ...object.metadata,
        deletionTimestamp: toTimestamp(at),
        deletionGracePeriodSeconds: seconds,
      },
    }
  }

  #deleteNamespace(
    type: ResourceType,
    namespace: KubeObject,
    context: WriteContext,
  ): Result<Deletion, KubeStatus> {
    const { metadata } = namespace
    if (permanentNamespaces.includes(metadata.name)) {
      return err(forbidden(type, metadata.name, 'this namespace may not be deleted'))
    }
    if (isFinalized(namespace)) {
      return ok({ object: this.#writer.remove(type, namespace, context), isGone: true })
    }
    if (metadata.deletionTimestamp !== undefined) return ok({ object: namespace, isGone: false })
    const terminating = {
      ...namespace,
      metadata: { ...metadata, deletionTimestamp: toTimestamp(this.#clock.now()) },
      status: { ...fieldOf(namespace, 'status'), phase: 'Terminating' },
    }
    const object = this.#writer.modify(type, terminating, namespace, context)
    return ok({ object, isGone: false })
  }
}
