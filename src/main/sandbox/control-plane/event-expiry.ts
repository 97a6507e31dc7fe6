import { textAt } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import type { Clock, Log } from '../../kubelet/ports.ts'
import { placeOf } from './control-client.ts'
import type { ControlClient } from './control-client.ts'
import { repeat } from './control-loop.ts'
import type { WatchCache } from './watch-cache.ts'

const periodMs = 60_000
const lifetimeMs = 3_600_000

function lastWritten(event: KubeObject): number {
  const times = [
    textAt(event, 'lastTimestamp'),
    textAt(event, 'eventTime'),
    event.metadata.creationTimestamp ?? '',
  ]
  return Math.max(...times.map((time) => Date.parse(time) || 0))
}

/** Events live for an hour after they were last counted up, as with a real server's --event-ttl. */
export class EventExpiry {
  readonly #client: ControlClient
  readonly #events: WatchCache
  readonly #clock: Clock
  readonly #stop: () => void
  /** Objects never change: each is read once, and not again every minute. */
  readonly #lastWritten = new WeakMap<KubeObject, number>()

  constructor(deps: {
    readonly client: ControlClient
    readonly events: WatchCache
    readonly clock: Clock
    readonly log: Log
  }) {
    this.#client = deps.client
    this.#events = deps.events
    this.#clock = deps.clock
    this.#stop = repeat(deps.clock, periodMs, () => this.#expire(), deps.log)
  }

  stop(): void {
    this.#stop()
  }

  #timeOf(event: KubeObject): number {
    const known = this.#lastWritten.get(event)
    if (known !== undefined) return known
    const time = lastWritten(event)
    this.#lastWritten.set(event, time)
    return time
  }

  async #expire(): Promise<void> {
    const oldest = this.#clock.now() - lifetimeMs
    for (const event of this.#events.list()) {
      if (this.#timeOf(event) >= oldest) continue
      const { uid } = event.metadata
      await this.#client.delete(placeOf('events', event), { uid, causes: [] })
    }
  }
}
