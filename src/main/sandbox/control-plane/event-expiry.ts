import type { KubeEvent } from '../../../shared/kubernetes/objects.ts'
import type { TransportApiClient } from '../../cluster/client/api-client.ts'
import type { Informer } from '../../cluster/informer/informer.ts'
import { addressOf } from '../../cluster/client/resource-paths.ts'
import type { Clock, Log } from '../../kubelet/ports.ts'
import { repeat } from './control-loop.ts'

const periodMs = 60_000
const lifetimeMs = 3_600_000

function lastWritten({ lastTimestamp, eventTime, metadata }: KubeEvent): number {
  const times = [lastTimestamp, eventTime, metadata.creationTimestamp]
  return Math.max(...times.map((time) => Date.parse(time ?? '') || 0))
}

interface EventExpiryDeps {
  readonly client: TransportApiClient
  readonly events: Informer<'events'>
  readonly clock: Clock
  readonly log: Log
}

/** Events live for an hour after they were last counted up, as with a real server's --event-ttl. */
export class EventExpiry {
  readonly #deps: EventExpiryDeps
  readonly #stop: () => void
  /** Objects never change: each is read once, and not again every minute. */
  readonly #lastWritten = new WeakMap<KubeEvent, number>()

  constructor(deps: EventExpiryDeps) {
    this.#deps = deps
    this.#stop = repeat(deps.clock, periodMs, () => this.#expire(), deps.log)
  }

  stop(): void {
    this.#stop()
  }

  #timeOf(event: KubeEvent): number {
    const known = this.#lastWritten.get(event)
    if (known !== undefined) return known
    const time = lastWritten(event)
    this.#lastWritten.set(event, time)
    return time
  }

  async #expire(): Promise<void> {
    const { client, events, clock } = this.#deps
    const oldest = clock.now() - lifetimeMs
    for (const event of events.list()) {
      if (this.#timeOf(event) >= oldest) continue
      const { uid } = event.metadata
      await client.delete(addressOf('events', event), { preconditions: { uid } })
    }
  }
}
