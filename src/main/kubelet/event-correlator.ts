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
  /** From so many different messages of one reason within ten minutes on, they are combined. */
  aggregateFrom: 10,
  aggregateWithinMs: 600_000,
} as const

/** An event as it is to be written: a new object, or one that counts up the object of that name. */
export interface CorrelatedEvent {
  readonly event: KubeEvent
  readonly isCountedUp: boolean
}

/** A map that forgets what was used longest ago. */
class LruCache<K, T> {
  readonly #items = new Map<K, T>()

  /** For a caller that sets the item next, which counts as a use. */
  peek(key: K): T | undefined {
    return this.#items.get(key)
  }

  get(key: K): T | undefined {
    const item = this.#items.get(key)
    if (item !== undefined) this.set(key, item)
    return item
  }

  set(key: K, item: T): void {
    this.#items.delete(key)
    this.#items.set(key, item)
    // Only then: looking for the oldest passes by all that was taken out before it.
    if (this.#items.size <= limits.remembered) return
    const oldest = this.#items.keys().next().value
    if (oldest !== undefined) this.#items.delete(oldest)
  }
}

/** Gives numbers to texts: what is remembered of an event is then a few numbers. */
class StringIds {
  readonly #numbers = new LruCache<string, number>()
  #last = 0

  /**
   * A text is forgotten when so many others came after it that nothing is remembered of what it is part of either;
   * its number is never given out again.
   */
  idOf(text: string): number {
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    this.#numbers.set(text, ++this.#last)
    return this.#last
  }
}

interface Aggregate {
  /** Different ones, oldest first; never as many as make a flood, so that a list is the smaller set. */
  readonly messages: readonly number[]
  readonly lastAt: number
}

interface Observation {
  readonly name: string
  readonly count: number
  readonly firstTimestamp: string | null
}

/** More than there will ever be of either number of a pair; the pair stays a safe whole number. */
const pairBase = 2 ** 26

/** Counts up equal events, combines floods of similar ones, and drops a subject's events beyond its rate limit. */
export class EventCorrelator {
  readonly #clock: Clock
  /** One object for all buckets. */
  readonly #spam: ConstructorParameters<typeof TokenBucket>[0]
  readonly #subjects = new StringIds()
  /** Types, and types with reasons. */
  readonly #groups = new StringIds()
  readonly #messages = new StringIds()
  /** The contents of events without their subjects: equal contents of different subjects are kept once. */
  readonly #contents = new StringIds()
  readonly #buckets = new LruCache<number, TokenBucket>()
  readonly #aggregates = new LruCache<number, Aggregate>()
  readonly #times = new LruCache<string, string>()
  readonly #alone = new LruCache<number, readonly number[]>()
  readonly #observations = new LruCache<number, Observation>()

  constructor(deps: { readonly clock: Clock }) {
    this.#clock = deps.clock
    this.#spam = { clock: deps.clock, qps: limits.spamQps, burst: limits.spamBurst }
  }

  /** Undefined: dropped, since this subject is over its rate limit. A dropped event still counts, which the next one shows. */
  correlate(event: KubeEvent): CorrelatedEvent | undefined {
    const subject = this.#subjectOf(event)
    const aggregated = this.#aggregate(subject, event)
    const correlated = this.#observe(aggregated.key, aggregated.event)
    return this.#bucketOf(subject, event.type).tryAccept() ? correlated : undefined
  }

  /** The object without the place in it: one pod has one budget for all its containers. */
  #subjectOf({ involvedObject: { kind, namespace, name, uid } }: KubeEvent): number {
    // A uid is unique; the string is the pod's own, so it takes no memory here.
    return this.#subjects.idOf(uid || keyOf(kind, namespace, name))
  }

  #aggregate(
    subject: number,
    event: KubeEvent,
  ): { readonly key: number; readonly event: KubeEvent } {
    const { type, reason, message = '', involvedObject } = event
    const group = pairOf(subject, this.#groups.idOf(keyOf(type, reason)))
    if (!this.#isFlood(group, this.#messages.idOf(message))) {
      const content = keyOf(type, reason, involvedObject.fieldPath, message)
      return { key: pairOf(subject, this.#contents.idOf(content)), event }
    }
    return {
      key: pairOf(subject, this.#contents.idOf(keyOf(type, reason))),
      event: { ...event, message: `(combined from similar events): ${message}` },
    }
  }

  #isFlood(group: number, message: number): boolean {
    const now = this.#clock.now()
    const known = this.#aggregates.peek(group)
    const isFresh = known !== undefined && now - known.lastAt <= limits.aggregateWithinMs
    const before = isFresh ? known.messages : []
    const messages = before.includes(message) ? before : this.#with(before, message)
    const isFlood = messages.length >= limits.aggregateFrom
    // The list stays at this length; client-go also drops any one of them.
    this.#aggregates.set(group, { messages: isFlood ? messages.slice(1) : messages, lastAt: now })
    return isFlood
  }

  /** Most subjects say one thing of a kind: those lists are shared. */
  #with(before: readonly number[], message: number): readonly number[] {
    if (before.length > 0) return before.concat([message])
    const alone = this.#alone.peek(message) ?? [message]
    this.#alone.set(message, alone)
    return alone
  }

  #observe(key: number, event: KubeEvent): CorrelatedEvent {
    const last = this.#observations.peek(key)
    const { count = 1, firstTimestamp = toTimestamp(this.#clock.now()), metadata } = event
    if (last === undefined) {
      this.#observations.set(key, {
        name: metadata.name,
        count,
        firstTimestamp: firstTimestamp === null ? null : this.#sharedTime(firstTimestamp),
      })
      return { event, isCountedUp: false }
    }
    const observation = { ...last, count: last.count + 1 }
    this.#observations.set(key, observation)
    const { name, ...counted } = observation
    return { event: { ...event, ...counted, metadata: { ...metadata, name } }, isCountedUp: true }
  }

  /** Many events come in one second. */
  #sharedTime(time: string): string {
    const shared = this.#times.peek(time) ?? time
    this.#times.set(time, shared)
    return shared
  }

  #bucketOf(subject: number, type: string | undefined): TokenBucket {
    const key = pairOf(subject, this.#groups.idOf(keyOf(type)))
    const known = this.#buckets.get(key)
    if (known !== undefined) return known
    const bucket = new TokenBucket(this.#spam)
    this.#buckets.set(key, bucket)
    return bucket
  }
}

function pairOf(subject: number, words: number): number {
  return subject * pairBase + words
}

function keyOf(...parts: readonly (string | undefined)[]): string {
  return parts.map((part) => part ?? '').join('\n')
}
