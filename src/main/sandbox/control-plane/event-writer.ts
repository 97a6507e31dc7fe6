import type { KubeEvent, ObjectMeta } from '../../../shared/kubernetes/objects.ts'
import type { TransportApiClient } from '../../cluster/client/api-client.ts'
import { resourceType } from '../../cluster/client/resource-paths.ts'
import type { AnyResource } from '../../cluster/client/resource-paths.ts'
import { EventCorrelator } from '../../kubelet/event-correlator.ts'
import type { CorrelatedEvent } from '../../kubelet/event-correlator.ts'
import type { Clock, Log } from '../../kubelet/ports.ts'
import { makeEvent, recordEvent } from '../../kubelet/record-event.ts'

interface NewEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

/** The object of an event. */
interface Subject {
  readonly resource: AnyResource
  readonly metadata: ObjectMeta
}

interface EventWriterDeps {
  readonly client: TransportApiClient
  readonly clock: Clock
  readonly log: Log
  readonly component: string
}

/**
 * Writes the Kubernetes events of a component. A repeated event raises the count of the first. An event that the server refuses
 * is logged and lost.
 */
export class EventWriter {
  readonly #deps: EventWriterDeps
  readonly #correlator: EventCorrelator
  #names = 0
  #last: Promise<void> = Promise.resolve()

  constructor(deps: EventWriterDeps) {
    this.#deps = deps
    this.#correlator = new EventCorrelator(deps)
  }

  /** Writes one event after the other, so that of two equal events in a row the second raises the count of the first. */
  write(
    resource: AnyResource,
    { metadata }: { readonly metadata: ObjectMeta },
    event: NewEvent,
    causes: readonly number[],
  ): Promise<void> {
    const correlated = this.#correlator.correlate(this.#kubeEvent({ resource, metadata }, event))
    if (correlated === undefined) return Promise.resolve()
    const written = this.#last.then(() => this.#write(correlated, causes))
    this.#last = written.catch(() => undefined)
    return written
  }

  #kubeEvent({ resource, metadata }: Subject, event: NewEvent): KubeEvent {
    const { clock, component } = this.#deps
    const { name, uid, namespace, resourceVersion } = metadata
    const involvedObject = {
      ...resourceType(resource),
      name,
      uid,
      ...(namespace === undefined ? {} : { namespace, resourceVersion }),
    }
    return makeEvent(
      { involvedObject, ...event, source: { component } },
      clock.now(),
      ++this.#names,
    )
  }

  async #write(correlated: CorrelatedEvent, causes: readonly number[]): Promise<void> {
    const { client, log } = this.#deps
    const refused = await recordEvent(client, correlated, causes)
    if (refused === undefined) return
    const { reason, involvedObject } = correlated.event
    const { message } = refused
    log.info('an event was refused', { reason, name: involvedObject.name, message })
  }
}
