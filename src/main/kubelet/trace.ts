import type {
  TraceEvent,
  TraceInput,
  TraceSeq,
  TraceSubject,
} from '../../shared/model/trace-event.ts'
import type { Clock, Trace } from './ports.ts'

/** Newest events kept for one subject, and for all together; and how many subjects are remembered. */
const ringSize = { perSubject: 200, all: 4000, subjects: 20_000 } as const

/** Undefined: no ring of its own. Leases and events are written without end, and nobody asks for one's history. */
function subjectKey(subject: TraceSubject, node: string): string | undefined {
  switch (subject.kind) {
    case 'pod':
      return `pod/${node}/${subject.uid}`
    case 'object':
      return subject.resource === 'pods' ? `object/${subject.uid}` : undefined
    case 'source':
      return `source/${node}/${subject.source}`
    case 'node':
      return `node/${node}`
    case 'cluster':
      return 'cluster'
  }
}

/** Bounded list that drops a third of itself at a time, so that a push costs constant time on average. */
class Ring<T> {
  #items: T[] = []
  readonly #size: number

  constructor(size: number) {
    this.#size = size
  }

  push(item: T): void {
    this.#items.push(item)
    if (this.#items.length >= 1.5 * this.#size) this.#items = this.#items.slice(-this.#size)
  }

  newestFirst(limit: number): T[] {
    return this.#items.slice(-Math.min(limit, this.#size)).reverse()
  }
}

/**
 * One cluster's trace: numbers every event, keeps bounded rings per subject, and tells listeners at
 * once, in order. Frozen events; `emit` never throws for a listener's error, it goes to `onError`.
 */
export class ClusterTrace {
  readonly #cluster: string
  readonly #clock: Clock
  readonly #onError: (error: unknown) => void
  readonly #rings = new Map<string, Ring<TraceEvent>>()
  readonly #all = new Ring<TraceEvent>(ringSize.all)
  readonly #listeners = new Set<(event: TraceEvent) => void>()
  #seq: TraceSeq = 0

  constructor(deps: {
    readonly cluster: string
    readonly clock: Clock
    readonly onError: (error: unknown) => void
  }) {
    this.#cluster = deps.cluster
    this.#clock = deps.clock
    this.#onError = deps.onError
  }

  get lastSeq(): TraceSeq {
    return this.#seq
  }

  /** The port for one node's kubelet, or for the cluster itself (`''`). */
  forNode(node: string): Trace {
    return { emit: (input) => this.emit(node, input) }
  }

  emit(node: string, input: TraceInput): TraceSeq {
    const seq = ++this.#seq
    const event: TraceEvent = Object.freeze({
      ...input,
      seq,
      at: this.#clock.now(),
      cluster: this.#cluster,
      node,
    })
    this.#all.push(event)
    this.#ringFor(event.subject, node)?.push(event)
    for (const listener of this.#listeners) {
      try {
        listener(event)
      } catch (error) {
        this.#onError(error)
      }
    }
    return seq
  }

  #ringFor(subject: TraceSubject, node: string): Ring<TraceEvent> | undefined {
    const key = subjectKey(subject, node)
    if (key === undefined) return undefined
    let ring = this.#rings.get(key)
    if (ring === undefined) {
      ring = new Ring(ringSize.perSubject)
      this.#rings.set(key, ring)
      const oldest = this.#rings.keys().next().value
      if (this.#rings.size > ringSize.subjects && oldest !== undefined) this.#rings.delete(oldest)
    }
    return ring
  }

  /** Called for every later event, synchronously. Returns the unsubscribe. */
  listen(listener: (event: TraceEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** The newest events about one subject, newest first. */
  about(node: string, subject: TraceSubject, limit: number): readonly TraceEvent[] {
    const key = subjectKey(subject, node)
    return key === undefined ? [] : (this.#rings.get(key)?.newestFirst(limit) ?? [])
  }

  /** The newest events of all, newest first. */
  newest(limit: number): readonly TraceEvent[] {
    return this.#all.newestFirst(limit)
  }

  /** Forgets a subject's ring, when its pod is gone for good. */
  forget(node: string, subject: TraceSubject): void {
    const key = subjectKey(subject, node)
    if (key !== undefined) this.#rings.delete(key)
  }
}
