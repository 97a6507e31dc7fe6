import type {
  TraceEvent,
  TraceInput,
  TraceSeq,
  TraceSubject,
} from '../../shared/model/trace-event.ts'
import type { Clock, Trace } from './ports.ts'

/** Newest events kept for one pod, node or object, and for all together. */
const ringSize = { perSubject: 200, all: 4000 } as const

function subjectKey(subject: TraceSubject, node: string): string {
  switch (subject.kind) {
    case 'pod':
      return `pod/${node}/${subject.uid}`
    case 'object':
      return `object/${subject.uid}`
    case 'source':
      return `source/${node}/${subject.source}`
    case 'node':
      return `node/${node}`
    case 'cluster':
      return 'cluster'
  }
}

/** Bounded list that drops its oldest half-ring at a time, so that a push costs constant time on average. */
class Ring<T> {
  #items: T[] = []
  readonly #size: number

  constructor(size: number) {
    this.#size = size
  }

  push(item: T): void {
    this.#items.push(item)
    if (this.#items.length >= 2 * this.#size) this.#items = this.#items.slice(-this.#size)
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
    const key = subjectKey(event.subject, node)
    let ring = this.#rings.get(key)
    if (ring === undefined) {
      ring = new Ring(ringSize.perSubject)
      this.#rings.set(key, ring)
    }
    ring.push(event)
    for (const listener of this.#listeners) {
      try {
        listener(event)
      } catch (error) {
        this.#onError(error)
      }
    }
    return seq
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
    return this.#rings.get(subjectKey(subject, node))?.newestFirst(limit) ?? []
  }

  /** The newest events of all, newest first. */
  newest(limit: number): readonly TraceEvent[] {
    return this.#all.newestFirst(limit)
  }

  /** Forgets a subject's ring, when its pod is gone for good. */
  forget(node: string, subject: TraceSubject): void {
    this.#rings.delete(subjectKey(subject, node))
  }
}
