import type { ObjectMeta } from '../../../shared/kubernetes/objects.ts'
import type { TransportApiClient } from '../../cluster/client/api-client.ts'
import { resourceType } from '../../cluster/client/resource-paths.ts'
import type { AnyResource } from '../../cluster/client/resource-paths.ts'
import type { Clock, Log } from '../../kubelet/ports.ts'
import { toTimestamp } from '../../../shared/kubernetes/timestamps.ts'

interface NewEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

/** What an event is about. */
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

// What client-go's correlator remembers.
const mostRemembered = 4096

interface Written {
  readonly name: string
  readonly count: number
}

/** Writes a component's Kubernetes events; the same again is counted at the first. Best effort: one that is refused is logged and lost. */
export class EventWriter {
  readonly #deps: EventWriterDeps
  #written = 0
  /** By what they are about and say; the one not heard of for longest first. */
  readonly #remembered = new Map<string, Written>()
  #last: Promise<void> = Promise.resolve()

  constructor(deps: EventWriterDeps) {
    this.#deps = deps
  }

  /** One after the other: what repeats is counted at the first also where both come together. */
  write(
    resource: AnyResource,
    { metadata }: { readonly metadata: ObjectMeta },
    event: NewEvent,
    causes: readonly number[],
  ): Promise<void> {
    const written = this.#last.then(() => this.#write({ resource, metadata }, event, causes))
    this.#last = written.catch(() => undefined)
    return written
  }

  async #write(about: Subject, event: NewEvent, causes: readonly number[]): Promise<void> {
    const { client, clock, log, component } = this.#deps
    const { name, uid, namespace, resourceVersion } = about.metadata
    const now = toTimestamp(clock.now())
    const key = JSON.stringify([uid, event])
    // A node has no namespace; its events live in the default one.
    const place = namespace ?? 'default'
    if (await this.#repeat(key, place, causes)) return
    const eventName = this.#nameFor(name)
    const created = await client.create(
      { resource: 'events', namespace: place },
      {
        metadata: { name: eventName, namespace: place },
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

  /** Whether the event was there already and has been counted up. */
  async #repeat(about: string, namespace: string, causes: readonly number[]): Promise<boolean> {
    const before = this.#remembered.get(about)
    if (before === undefined) return false
    const { client, clock } = this.#deps
    const { name } = before
    const count = before.count + 1
    const body = { count, lastTimestamp: toTimestamp(clock.now()) }
    const key = { resource: 'events', namespace, name } as const
    const counted = await client.patch(key, { type: 'strategic', body }, causes)
    // It may have expired.
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

  /** As client-go names events: by the nanosecond; here a count tells those of one moment apart. */
  #nameFor(subject: string): string {
    this.#written++
    const nanos = BigInt(Math.floor(this.#deps.clock.now())) * 1_000_000n + BigInt(this.#written)
    return `${subject}.${nanos.toString(16)}`
  }
}
