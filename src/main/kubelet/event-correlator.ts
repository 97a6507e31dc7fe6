/** Which events are written, and how often (client-go tools/record/events_cache.go). Pure but for its memory. */
import { TokenBucket } from './container/token-bucket.ts'
import type { Clock } from './ports.ts'

/** client-go's defaults. */
const limits = {
  /** Subjects and events remembered. */
  remembered: 4096,
  /** For one subject and source: so many at once, then one in five minutes. */
  spamBurst: 25,
  spamQps: 1 / 300,
  /** From so many different messages of one reason within ten minutes on, they are told as one. */
  aggregateFrom: 10,
  aggregateWithinMs: 600_000,
} as const

export interface EventIdentity {
  /** Uid of the subject. */
  readonly subject: string
  readonly fieldPath: string
  readonly type: string
  readonly reason: string
  readonly message: string
}

/** `key` names the written event that this one counts up; equal keys are one event in the API. */
export interface CorrelatedEvent {
  readonly key: string
  readonly message: string
}

/** A map that forgets what was used longest ago. */
class Recent<T> {
  readonly #items = new Map<string, T>()

  get(key: string): T | undefined {
    const item = this.#items.get(key)
    if (item !== undefined) this.set(key, item)
    return item
  }

  set(key: string, item: T): void {
    this.#items.delete(key)
    this.#items.set(key, item)
    const oldest = this.#items.keys().next().value
    if (this.#items.size > limits.remembered && oldest !== undefined) this.#items.delete(oldest)
  }
}

interface Aggregate {
  readonly messages: Set<string>
  lastAt: number
}

/** Joins equal events, tells floods of similar ones as one, and drops what a subject says too often. */
export class EventCorrelator {
  readonly #clock: Clock
  readonly #buckets = new Recent<TokenBucket>()
  readonly #aggregates = new Recent<Aggregate>()

  constructor(deps: { readonly clock: Clock }) {
    this.#clock = deps.clock
  }

  /** Undefined: dropped, since this subject has said too much lately. */
  correlate(event: EventIdentity): CorrelatedEvent | undefined {
    if (!this.#bucketOf(event.subject).tryAccept()) return undefined
    const { subject, fieldPath, type, reason, message } = event
    const group = [subject, fieldPath, type, reason].join('\n')
    if (!this.#isFlood(group, message)) return { key: `${group}\n${message}`, message }
    return { key: group, message: `(combined from similar events): ${message}` }
  }

  #bucketOf(subject: string): TokenBucket {
    const known = this.#buckets.get(subject)
    if (known !== undefined) return known
    const bucket = new TokenBucket({
      clock: this.#clock,
      qps: limits.spamQps,
      burst: limits.spamBurst,
    })
    this.#buckets.set(subject, bucket)
    return bucket
  }

  #isFlood(group: string, message: string): boolean {
    const now = this.#clock.now()
    const known = this.#aggregates.get(group)
    const isFresh = known !== undefined && now - known.lastAt <= limits.aggregateWithinMs
    const aggregate = isFresh ? known : { messages: new Set<string>(), lastAt: now }
    aggregate.lastAt = now
    if (aggregate.messages.size < limits.aggregateFrom) aggregate.messages.add(message)
    if (!isFresh) this.#aggregates.set(group, aggregate)
    return aggregate.messages.size >= limits.aggregateFrom
  }
}
