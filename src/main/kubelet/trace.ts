import type {
  TraceEvent,
  TraceInput,
  TraceSeq,
  TraceSubject,
} from '../../shared/model/trace-event.ts'
import { cutTexts } from '../../shared/untrusted-text.ts'
import type { Clock, Trace } from './ports.ts'
import { EventCodec } from './event-codec.ts'
import type { EventChunk, HistoryFrame } from './event-codec.ts'
import { SubjectHistories } from './subject-histories.ts'
import { newestChunks } from './subject-history.ts'
import type { SubjectHistory } from './subject-history.ts'

/** Newest events of all that are kept, and how many of those as they are; most of one subject's; how many subjects are remembered. */
const ringSize = { perSubject: 200, all: 4000, unpacked: 500, subjects: 20_000 } as const

/**
 * What the histories of pods share: with few of them each is long, with many each keeps at least its newest few,
 * which are a pod from its ADD to Running.
 */
const podHistories = { events: 40_000, atLeast: 24 } as const

interface ClusterTraceDeps {
  readonly cluster: string
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

/**
 * One cluster's trace: numbers every event, keeps bounded histories per subject, and calls listeners at
 * once, in order. Frozen events; `emit` never throws for a listener's error, it goes to `onError`.
 */
export class ClusterTrace {
  readonly #deps: ClusterTraceDeps
  readonly #codec = new EventCodec()
  readonly #histories = new SubjectHistories({ limit: ringSize.subjects })
  #newest: TraceEvent[] = []
  /** What came before the newest, oldest first. */
  #older: readonly EventChunk[] = []
  readonly #listeners = new Set<(event: TraceEvent) => void>()
  #seq: TraceSeq = 0

  constructor(deps: ClusterTraceDeps) {
    this.#deps = deps
  }

  get lastSeq(): TraceSeq {
    return this.#seq
  }

  /** The port for one node's kubelet, or for the cluster itself (`''`). */
  forNode(node: string): Trace {
    return { emit: (input) => this.emit(node, input) }
  }

  /** `at`: when it happened, ms, if that is known to be earlier. */
  emit(node: string, input: TraceInput, at = this.#deps.clock.now()): TraceSeq {
    const seq = ++this.#seq
    const { kind, subject, causes } = input
    // Field by field: a spread makes an object of three times the size. Kind and data belong together as before.
    const event = Object.freeze({
      kind,
      subject,
      causes,
      // Texts from images, servers and files: they go to every page, into histories and into a recording.
      data: cutTexts(input.data),
      seq,
      at,
      cluster: this.#deps.cluster,
      node,
    }) as TraceEvent
    this.#take(event)
    return seq
  }

  /** Takes an event that was recorded elsewhere, with its number and time: a higher one than all before. */
  replay(event: TraceEvent): void {
    this.#seq = event.seq
    this.#take(event)
  }

  #take(event: TraceEvent): void {
    this.#newest.push(event)
    this.#histories.ofEvent(event)?.push(event)
    // Many of them at a time, so that an event costs constant time on average.
    if (this.#newest.length >= 1.2 * ringSize.unpacked)
      this.#pack(this.#newest.length - ringSize.unpacked)
    for (const listener of this.#listeners) {
      try {
        listener(event)
      } catch (error) {
        this.#deps.onError(error)
      }
    }
  }

  /** The oldest are packed, for all and for their subjects' histories, which keep them as far as there is room. */
  #pack(count: number): void {
    const old = this.#newest.slice(0, count)
    this.#newest = this.#newest.slice(count)
    this.#keepPacked(old)
    const until = old.at(-1)?.seq ?? 0
    const done = new Set<SubjectHistory>()
    for (const { subject, node } of old) {
      const history = this.#histories.get(subject, node)
      if (history === undefined || done.has(history)) continue
      done.add(history)
      history.packUntil(until, this.#kept(subject), this.#codec)
    }
  }

  #keepPacked(events: readonly TraceEvent[]): void {
    const chunk = this.#codec.newChunk()
    this.#codec.append(chunk, events, this.#frame)
    this.#older = newestChunks([...this.#older, chunk], ringSize.all - this.#newest.length)
  }

  get #frame(): HistoryFrame {
    return { cluster: this.#deps.cluster, subject: { kind: 'cluster' }, node: '' }
  }

  #kept(subject: TraceSubject): number {
    if (subject.kind !== 'pod' && subject.kind !== 'object') return ringSize.perSubject
    const share = Math.floor(podHistories.events / this.#histories.size)
    return Math.min(ringSize.perSubject, Math.max(podHistories.atLeast, share))
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
    const history = this.#histories.get(subject, node)
    return history?.newestFirst(Math.min(limit, ringSize.perSubject), this.#codec) ?? []
  }

  /** The subjects of a kind that have a history, with the time of the newest event, ms. */
  *subjects(
    kind: TraceSubject['kind'],
  ): Iterable<Pick<SubjectHistory, 'node' | 'subject' | 'lastAt'>> {
    yield* this.#histories.ofKind(kind)
  }

  /** The newest events of all, newest first. Those that were packed are frozen copies. */
  newest(limit: number): readonly TraceEvent[] {
    const older = this.#older.flatMap((chunk) => this.#codec.read(chunk, this.#frame))
    const newest = [...older, ...this.#newest].slice(-ringSize.all)
    return newest.slice(Math.max(0, newest.length - limit)).reverse()
  }

  /** Forgets a subject's history, when its pod is gone for good. */
  forget(node: string, subject: TraceSubject): void {
    this.#histories.delete(subject, node)
  }
}
