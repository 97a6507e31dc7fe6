import type { ObjectMeta } from '../../../shared/kubernetes/objects.ts'
import { toTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import type { TransportApiClient } from '../../cluster/client/api-client.ts'
import { resourceType } from '../../cluster/client/resource-paths.ts'
import type { AnyResource } from '../../cluster/client/resource-paths.ts'
import type { Clock, Log } from '../../kubelet/ports.ts'
import { EventCorrelator } from './event-correlator.ts'

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

// maxLruCacheEntries of client-go's event correlator.
const mostRemembered = 4096

interface Written {
  readonly name: string
  readonly count: number
}

/**
 * Writes the Kubernetes events of a component. A repeated event raises the count of the first. An event that the server refuses
 * is logged and lost.
 */
export class EventWriter {
  readonly #deps: EventWriterDeps
  readonly #correlator: EventCorrelator
  #written = 0
  /** By object and content, least recently used first. */
  readonly #remembered = new Map<string, Written>()
  #last: Promise<void> = Promise.resolve()

  constructor(deps: EventWriterDeps) {
    this.#deps = deps
    this.#correlator = new EventCorrelator(deps.clock)
  }

  /** Writes one event after the other, so that of two equal events in a row the second raises the count of the first. */
  write(
    resource: AnyResource,
    { metadata }: { readonly metadata: ObjectMeta },
    event: NewEvent,
    causes: readonly number[],
  ): Promise<void> {
    const correlated = this.#correlator.correlate(metadata.uid, event)
    if (correlated === undefined) return Promise.resolve()
    const { key, message } = correlated
    const written = this.#last.then(() =>
      this.#write({ resource, metadata }, { ...event, message }, key, causes),
    )
    this.#last = written.catch(() => undefined)
    return written
  }

  async #write(
    about: Subject,
    event: NewEvent,
    key: string,
    causes: readonly number[],
  ): Promise<void> {
    const { client, clock, log, component } = this.#deps
    const { name, uid, namespace, resourceVersion } = about.metadata
    const now = toTimestamp(clock.now())
    // A node has no namespace: its events are in the default namespace.
    const eventNamespace = namespace ?? 'default'
    if (await this.#countAgain(key, eventNamespace, event.message, causes)) return
    const eventName = this.#nameFor(name)
    const created = await client.create(
      { resource: 'events', namespace: eventNamespace },
      {
        metadata: { name: eventName, namespace: eventNamespace },
        involvedObject: {
          ...resourceType(about.resource),
          name,
          uid,
          ...(namespace === undefined ? {} : { namespace, resourceVersion }),
        },
        ...event,
        source: { component },
        reportingComponent: component,
        reportingInstance: '',
        firstTimestamp: now,
        lastTimestamp: now,
        count: 1,
      },
      causes,
    )
    if (created.ok) this.#remember(key, { name: eventName, count: 1 })
    else {
      const { message } = created.error
      log.info('an event was refused', { reason: event.reason, name, message })
    }
  }

  /** Raises the count of an event that exists. False if there is none. */
  async #countAgain(
    about: string,
    namespace: string,
    message: string,
    causes: readonly number[],
  ): Promise<boolean> {
    const before = this.#remembered.get(about)
    if (before === undefined) return false
    const { client, clock } = this.#deps
    const { name } = before
    const count = before.count + 1
    const body = { count, message, lastTimestamp: toTimestamp(clock.now()) }
    const key = { resource: 'events', namespace, name } as const
    const counted = await client.patch(key, { type: 'strategic', body }, causes)
    // The event may have expired.
    if (counted.ok) this.#remember(about, { name, count })
    return counted.ok
  }

  #remember(key: string, written: Written): void {
    this.#remembered.delete(key)
    this.#remembered.set(key, written)
    if (this.#remembered.size <= mostRemembered) return
    for (const oldest of this.#remembered.keys()) {
      this.#remembered.delete(oldest)
      break
    }
  }

  /** client-go names events by the nanosecond. Here a count distinguishes those of the same time. */
  #nameFor(subject: string): string {
    this.#written++
    const nanos = BigInt(Math.floor(this.#deps.clock.now())) * 1_000_000n + BigInt(this.#written)
    return `${subject}.${nanos.toString(16)}`
  }
}
