import type { Clock } from '../../kubelet/ports.ts'

const burst = 25
const refillMs = 300_000
const mostSimilar = 10
const similarWithinMs = 600_000
// maxLruCacheEntries
const mostRemembered = 4096

/** How an event is written: under which key repetitions are counted, and with which message. */
export interface CorrelatedEvent {
  readonly key: string
  readonly message: string
}

interface Similar {
  readonly messages: Set<string>
  readonly last: number
}

/** The entry of a key, made the most recent one; the oldest is dropped. */
function remember<T>(entries: Map<string, T>, key: string, entry: T): void {
  entries.delete(key)
  entries.set(key, entry)
  const [oldest] = entries.size > mostRemembered ? entries.keys() : []
  if (oldest !== undefined) entries.delete(oldest)
}

/**
 * client-go's event correlator: an object gets at most 25 events of a component at once, and one more every 5 minutes; the tenth
 * different message of the same reason within 10 minutes, and those after it, share one event. Source: client-go
 * tools/record/events_cache.go (v1.34).
 */
export class EventCorrelator {
  readonly #clock: Clock
  readonly #buckets = new Map<string, { readonly tokens: number; readonly at: number }>()
  readonly #similar = new Map<string, Similar>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Undefined: the event is dropped. `about`: the UID of the object. */
  correlate(
    about: string,
    event: { readonly type: string; readonly reason: string; readonly message: string },
  ): CorrelatedEvent | undefined {
    const aggregate = JSON.stringify([about, event.type, event.reason])
    const correlated = this.#aggregated(aggregate, event.message)
    return this.#hasToken(about) ? correlated : undefined
  }

  #aggregated(aggregate: string, message: string): CorrelatedEvent {
    const now = this.#clock.now()
    const before = this.#similar.get(aggregate)
    const isRecent = before !== undefined && now - before.last <= similarWithinMs
    const messages = isRecent ? before.messages : new Set<string>()
    messages.add(message)
    remember(this.#similar, aggregate, { messages, last: now })
    if (messages.size < mostSimilar) return { key: `${aggregate} ${message}`, message }
    const [oldest] = messages
    if (oldest !== undefined) messages.delete(oldest)
    return { key: aggregate, message: `(combined from similar events): ${message}` }
  }

  #hasToken(about: string): boolean {
    const now = this.#clock.now()
    const { tokens, at } = this.#buckets.get(about) ?? { tokens: burst, at: now }
    const filled = Math.min(burst, tokens + (now - at) / refillMs)
    remember(this.#buckets, about, { tokens: filled < 1 ? filled : filled - 1, at: now })
    return filled >= 1
  }
}
