import { isJsonObject, objectAt, textAt } from '../../shared/json.ts'
import { equalJson } from '../../shared/json.ts'
import type { KubeObject, KubeStatus } from '../../shared/kubernetes/objects.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { Clock } from '../kubelet/ports.ts'
import { badRequest } from './api-status.ts'
import { deleteOptions, preconditionConflict } from './delete-options.ts'
import type { DeleteOptions } from './delete-options.ts'
import type { ObjectDeletion } from './object-deletion.ts'
import type { ObjectWriter, WriteContext } from './object-writer.ts'
import { withPodCondition } from './pod-condition.ts'
import type { ResourceType } from './resource-types.ts'

const disruption = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'EvictionByEvictionAPI',
  message: 'Eviction API: evicting',
} as const

/** Reads a policy/v1 Eviction of this pod; the error is the answer. */
export function evictionOptions(
  body: unknown,
  podName: string,
  options: { readonly dryRun: boolean },
): Result<DeleteOptions, KubeStatus> {
  if (!isJsonObject(body)) return err(badRequest('the body of an eviction must be an Eviction'))
  const kind = textAt(body, 'kind')
  if (kind !== '' && kind !== 'Eviction') {
    const message = `${kind} in version "v1" cannot be handled as a Eviction: converting (v1.${kind}) to (policy.Eviction): unknown conversion`
    return err(badRequest(message))
  }
  if (textAt(objectAt(body, 'metadata'), 'name') !== podName) {
    return err(badRequest('name in URL does not match name in Eviction object'))
  }
  return deleteOptions(body['deleteOptions'] ?? {}, options.dryRun ? { dryRun: 'All' } : {})
}

/**
 * Evictions through the API: first the condition that says so, then an ordinary graceful deletion.
 * There are no disruption budgets, so nothing is ever held back with 429.
 * Source: pkg/registry/core/pod/storage/eviction.go addConditionAndDeletePod (v1.34).
 */
export class PodEviction {
  readonly #writer: ObjectWriter
  readonly #deletion: ObjectDeletion
  readonly #clock: Clock

  constructor(deps: {
    readonly writer: ObjectWriter
    readonly deletion: ObjectDeletion
    readonly clock: Clock
  }) {
    this.#writer = deps.writer
    this.#deletion = deps.deletion
    this.#clock = deps.clock
  }

  evict(
    type: ResourceType,
    pod: KubeObject,
    options: DeleteOptions,
    context: WriteContext,
  ): Result<undefined, KubeStatus> {
    const unmet = preconditionConflict(type, pod, options)
    if (unmet !== undefined) return err(unmet)
    const target = context.dryRun ? pod : this.#marked(type, pod, context)
    // The condition's own write must not fail the caller's precondition.
    const deletion = this.#deletion.delete(
      type,
      target,
      { ...options, resourceVersion: '' },
      context,
    )
    return deletion.ok ? ok(undefined) : deletion
  }

  #marked(type: ResourceType, pod: KubeObject, context: WriteContext): KubeObject {
    const marked = withPodCondition(pod, disruption, this.#clock.now())
    return equalJson(marked, pod) ? pod : this.#writer.modify(type, marked, pod, context)
  }
}
