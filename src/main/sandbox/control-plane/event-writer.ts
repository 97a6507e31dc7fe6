import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import type { Clock, Log } from '../../kubelet/ports.ts'
import { apiTime } from '../object-identity.ts'
import { collectionPath } from './control-client.ts'
import type { ControlClient } from './control-client.ts'

interface NewEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

// What client-go's correlator remembers.
const mostRemembered = 4096

interface Written {
  readonly name: string
  readonly count: number
}

/** Writes a component's Kubernetes events; the same again is counted at the first. Best effort: one that is refused is logged and lost. */
export class EventWriter {
  readonly #client: ControlClient
  readonly #clock: Clock
  readonly #log: Log
  readonly #component: string
  #written = 0
  /** By what they are about and say; the one not heard of for longest first. */
  readonly #remembered = new Map<string, Written>()
  #last: Promise<void> = Promise.resolve()

  constructor(deps: {
    readonly client: ControlClient
    readonly clock: Clock
    readonly log: Log
    readonly component: string
  }) {
    this.#client = deps.client
    this.#clock = deps.clock
    this.#log = deps.log
    this.#component = deps.component
  }

  /** One after the other: what repeats is counted at the first also where both come together. */
  write(about: KubeObject, event: NewEvent, causes: readonly number[]): Promise<void> {
    const written = this.#last.then(() => this.#write(about, event, causes))
    this.#last = written.catch(() => undefined)
    return written
  }

  async #write(about: KubeObject, event: NewEvent, causes: readonly number[]): Promise<void> {
    const { name, uid, namespace, resourceVersion } = about.metadata
    const now = apiTime(this.#clock.now())
    const key = JSON.stringify([uid, event])
    // A node has no namespace; its events live in the default one.
    const place = namespace ?? 'default'
    if (await this.#repeat(key, place, causes)) return
    const eventName = this.#nameFor(name)
    const created = await this.#client.create(
      collectionPath('events', place),
      {
        metadata: { name: eventName, namespace: place },
        involvedObject: {
          apiVersion: about.apiVersion,
          kind: about.kind,
          name,
          uid,
          ...(namespace === undefined ? {} : { namespace, resourceVersion }),
        },
        ...event,
        source: { component: this.#component },
        reportingComponent: this.#component,
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
      this.#log.info('an event was refused', { reason: event.reason, name, message })
    }
  }

  /** Whether the event was there already and has been counted up. */
  async #repeat(key: string, namespace: string, causes: readonly number[]): Promise<boolean> {
    const before = this.#remembered.get(key)
    if (before === undefined) return false
    const { name } = before
    const count = before.count + 1
    const lastTimestamp = apiTime(this.#clock.now())
    const place = { collection: collectionPath('events', namespace), name }
    const counted = await this.#client.patch(place, { count, lastTimestamp }, { causes })
    // It may have expired.
    if (counted.ok) this.#remember(key, { name, count })
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
    const nanos = BigInt(Math.floor(this.#clock.now())) * 1_000_000n + BigInt(this.#written)
    return `${subject}.${nanos.toString(16)}`
  }
}
