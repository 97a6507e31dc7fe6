/** Which events are written, and how often (client-go tools/record/events_cache.go). */
import type { KubeEvent } from '../../shared/kubernetes/objects.ts'
import { toTimestamp } from '../../shared/kubernetes/timestamps.ts'
import { TokenBucket } from './container/token-bucket.ts'
import type { Clock } from './ports.ts'

/** client-go's defaults. */
const limits = {
  /** Subjects and events remembered. */
  remembered: 4096,
  /** For one subject and type: so many at once, then one in five minutes. */
  spamBurst: 25,
  spamQps: 1 / 300,
  /** From so many different messages of one reason within ten minutes on, they are told as one. */
  aggregateFrom: 10,
  aggregateWithinMs: 600_000,
} as const

/** An event as it is to be written: a new object, or one that counts up the object of that name. */
export interface CorrelatedEvent {
  readonly event: KubeEvent
  readonly isCountedUp: boolean
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

type Observation = Pick<KubeEvent, 'count' | 'firstTimestamp'> & { readonly name: string }

/** Joins equal events, tells floods of similar ones as one, and drops what a subject says too often. */
export class EventCorrelator {
  readonly #clock: Clock
  readonly #buckets = new Recent<TokenBucket>()
  readonly #aggregates = new Recent<Aggregate>()
  readonly #observations = new Recent<Observation>()

  constructor(deps: { readonly clock: Clock }) {
    this.#clock = deps.clock
  }

  /** Undefined: dropped, since this subject has said too much lately. A dropped event counts all the same, which the next one shows. */
  correlate(event: KubeEvent): CorrelatedEvent | undefined {
    const aggregated = this.#aggregate(event)
    const correlated = this.#observe(aggregated.key, aggregated.event)
    return this.#bucketOf(event).tryAccept() ? correlated : undefined
  }

  #aggregate(event: KubeEvent): { readonly key: string; readonly event: KubeEvent } {
    const { message = '', involvedObject } = event
    const group = keyOf(subjectOf(event), event.type, event.reason)
    if (!this.#isFlood(group, message)) {
      return { key: keyOf(group, involvedObject.fieldPath, message), event }
    }
    return {
      key: group,
      event: { ...event, message: `(combined from similar events): ${message}` },
    }
  }

  #isFlood(group: string, message: string): boolean {
    const now = this.#clock.now()
    const known = this.#aggregates.get(group)
    const isFresh = known !== undefined && now - known.lastAt <= limits.aggregateWithinMs
    const aggregate = isFresh ? known : { messages: new Set<string>(), lastAt: now }
    aggregate.lastAt = now
    aggregate.messages.add(message)
    this.#aggregates.set(group, aggregate)
    if (aggregate.messages.size < limits.aggregateFrom) return false
    // The set does not grow any more; which one goes does not matter, client-go takes any.
    for (const oldest of aggregate.messages) {
      aggregate.messages.delete(oldest)
      break
    }
    return true
  }

  #observe(key: string, event: KubeEvent): CorrelatedEvent {
    const last = this.#observations.get(key)
    const { count = 1, firstTimestamp = toTimestamp(this.#clock.now()), metadata } = event
    if (last === undefined) {
      this.#observations.set(key, { name: metadata.name, count, firstTimestamp })
      return { event, isCountedUp: false }
    }
    const observation = { ...last, count: (last.count ?? 1) + 1 }
    this.#observations.set(key, observation)
    const { name, ...counted } = observation
    return { event: { ...event, ...counted, metadata: { ...metadata, name } }, isCountedUp: true }
  }

  #bucketOf(event: KubeEvent): TokenBucket {
    const key = keyOf(subjectOf(event), event.type)
    const known = this.#buckets.get(key)
    if (known !== undefined) return known
    const bucket = new TokenBucket({
      clock: this.#clock,
      qps: limits.spamQps,
      burst: limits.spamBurst,
    })
    this.#buckets.set(key, bucket)
    return bucket
  }
}

function keyOf(...parts: readonly (string | undefined)[]): string {
  return parts.map((part) => part ?? '').join('\n')
}

/** The object without the place in it: one pod has one budget for all its containers. */
function subjectOf({ involvedObject: object }: KubeEvent): string {
  return keyOf(object.kind, object.namespace, object.name, object.uid)
}
