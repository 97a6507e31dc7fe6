import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject, ObjectMeta, Pod } from '../../../../shared/kubernetes/objects.ts'
import type { PodTemplate } from '../../../../shared/kubernetes/workloads.ts'
import type { Result } from '../../../../shared/result.ts'
import type { TraceCauses } from '../../../../shared/model/trace-event.ts'
import type { TransportApiClient } from '../../../cluster/client/api-client.ts'
import { addressOf } from '../../../cluster/client/resource-paths.ts'
import type { AnyResource } from '../../../cluster/client/resource-paths.ts'
import type { ApiError } from '../../../kubelet/ports.ts'
import type { EventWriter } from '../event-writer.ts'
import { newControllerRef } from './controller-ref.ts'

/** A controller's object with its resource. */
export interface Owner {
  readonly resource: AnyResource
  readonly object: KubeObject
}

const longestPodName = 253

/** `web-`, from which the server makes pod names; without the dash if the name has no room for it. */
function generateNameOf({ name }: ObjectMeta): string {
  return name.length < longestPodName ? `${name}-` : name
}

/** The new pod of a template, without a namespace. Source: pkg/controller/controller_utils.go GetPodFromTemplate (v1.34). */
export function podOfTemplate({ metadata, spec }: PodTemplate, owner: Owner): JsonObject {
  const { labels = {}, annotations = {}, finalizers = [] } = metadata ?? {}
  return {
    metadata: {
      labels,
      annotations,
      ...(finalizers.length === 0 ? {} : { finalizers }),
      generateName: generateNameOf(owner.object.metadata),
      ownerReferences: [newControllerRef(owner.resource, owner.object)],
    },
    spec,
  }
}

/** The cause NamespaceTerminating, of which the client keeps the message. */
export function isNamespaceTerminating({ causes = [] }: ApiError): boolean {
  return causes.some((cause) => cause.includes('is being terminated'))
}

/** Creates and deletes pods for controllers and records it in events of the owner. Source: RealPodControl (v1.34). */
export class PodControl {
  readonly #client: TransportApiClient
  readonly #events: EventWriter

  constructor(deps: { readonly client: TransportApiClient; readonly events: EventWriter }) {
    this.#client = deps.client
    this.#events = deps.events
  }

  /** A namespace that is terminating refuses every pod: that is no error. */
  async create(
    pod: JsonObject,
    owner: Owner,
    causes: TraceCauses,
  ): Promise<Result<Pod, ApiError> | undefined> {
    const { namespace = '' } = owner.object.metadata
    const created = await this.#client.create({ resource: 'pods', namespace }, pod, causes)
    if (created.ok) {
      const message = `Created pod: ${created.value.metadata.name}`
      this.#record(owner, { type: 'Normal', reason: 'SuccessfulCreate', message }, causes)
      return created
    }
    if (isNamespaceTerminating(created.error)) return undefined
    const message = `Error creating: ${created.error.message}`
    this.#record(owner, { type: 'Warning', reason: 'FailedCreate', message }, causes)
    return created
  }

  async delete(pod: Pod, owner: Owner, causes: TraceCauses): Promise<Result<undefined, ApiError>> {
    const deleted = await this.#client.delete(addressOf('pods', pod), {}, causes)
    if (deleted.ok) {
      const message = `Deleted pod: ${pod.metadata.name}`
      this.#record(owner, { type: 'Normal', reason: 'SuccessfulDelete', message }, causes)
    } else if (deleted.error.kind !== 'not-found') {
      const message = `Error deleting: ${deleted.error.message}`
      this.#record(owner, { type: 'Warning', reason: 'FailedDelete', message }, causes)
    }
    return deleted
  }

  #record(
    { resource, object }: Owner,
    event: Parameters<EventWriter['write']>[2],
    causes: TraceCauses,
  ): void {
    void this.#events.write(resource, object, event, causes)
  }
}

/**
 * Calls `act` `count` times in batches of 1, 2, 4, 8 and so on; the calls of a batch do not wait for each other. After a batch
 * with a failure no other follows. Returns how many succeeded, and the first error. Source: pkg/controller/replicaset
 * slowStartBatch (v1.34).
 */
export async function slowStartBatch(
  count: number,
  act: (index: number) => Promise<ApiError | undefined>,
): Promise<{ readonly successes: number; readonly error: ApiError | undefined }> {
  let done = 0
  for (let size = Math.min(count, 1); size > 0; size = Math.min(2 * size, count - done)) {
    const outcomes = await Promise.all(Array.from({ length: size }, (_, i) => act(done + i)))
    const errors = outcomes.filter((one) => one !== undefined)
    if (errors.length > 0) return { successes: done + size - errors.length, error: errors[0] }
    done += size
  }
  return { successes: done, error: undefined }
}
