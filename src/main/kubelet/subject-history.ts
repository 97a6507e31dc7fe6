import type { TraceEvent, TraceSeq, TraceSubject } from '../../shared/model/trace-event.ts'
import type { EventChunk, EventCodec } from './event-codec.ts'

/** A chunk of fewer events takes what is packed next; oldest events go by chunks. */
const smallChunk = 12

type Update = Extract<TraceEvent, { readonly kind: 'worker.updated' }>

/**
 * Whether this update may come again and again while nothing else happens to the pod. One that has passed its active
 * deadline is synced each second while its containers stop, and ignored each second from then on until it is deleted,
 * as in a kubelet (pkg/kubelet/active_deadline.go ShouldSync): that would push all else out of its history.
 */
function isRecurring(event: TraceEvent): event is Update {
  if (event.kind !== 'worker.updated') return false
  const { updateType, outcome, transition } = event.data
  return outcome === 'ignored' || (updateType === 'sync' && transition === '')
}

/** The chunks without the oldest ones that are not needed for so many events. */
export function newestChunks(chunks: readonly EventChunk[], kept: number): readonly EventChunk[] {
  let total = 0
  for (const { count } of chunks) total += count
  let dropped = 0
  for (const { count } of chunks) {
    total -= count
    if (total < kept) break
    dropped++
  }
  return dropped === 0 ? chunks : chunks.slice(dropped)
}

function isRepeated({ data: before }: Update, { data: now }: Update): boolean {
  return (
    before.updateType === now.updateType &&
    before.outcome === now.outcome &&
    before.cancels === now.cancels &&
    before.message === now.message &&
    before.gracePeriodSeconds === now.gracePeriodSeconds
  )
}

function repeatedSince({ data: before, at }: Update, event: Update): TraceEvent {
  const repeated = (before.repeated ?? 1) + 1
  const repeatedForMs = (before.repeatedForMs ?? 0) + event.at - at
  return Object.freeze({ ...event, data: { ...event.data, repeated, repeatedForMs } })
}

/** What happened to one subject: the newest events as they are, older ones packed as text until a page asks for them. */
export class SubjectHistory {
  readonly cluster: string
  readonly subject: TraceSubject
  readonly node: string
  #recent: TraceEvent[] = []
  #chunks: readonly EventChunk[] = []

  constructor({ cluster, subject, node }: TraceEvent) {
    this.cluster = cluster
    this.subject = subject
    this.node = node
  }

  /** The time of its newest event, ms; 0: it has none. */
  get lastAt(): number {
    return this.#recent.at(-1)?.at ?? this.#chunks.at(-1)?.at ?? 0
  }

  /** An update that is as the one right before it takes its place, and counts it. */
  push(event: TraceEvent): void {
    const last = this.#recent.at(-1)
    if (isRecurring(event) && last !== undefined && isRecurring(last) && isRepeated(last, event))
      this.#recent[this.#recent.length - 1] = repeatedSince(last, event)
    else this.#recent.push(event)
  }

  /** Packs the events up to this one, and drops whole chunks of the oldest for as long as `kept` events remain. */
  packUntil(seq: TraceSeq, kept: number, codec: EventCodec): void {
    const index = this.#recent.findIndex((event, at) => event.seq > seq || this.#isOpen(event, at))
    const old = index === -1 ? this.#recent : this.#recent.slice(0, index)
    this.#recent = index === -1 ? [] : this.#recent.slice(index)
    // Not more than would be kept anyway.
    if (old.length > 0) codec.append(this.#openChunk(codec), old.slice(-kept), this)
    this.#chunks = newestChunks(this.#chunks, kept - this.#recent.length)
  }

  /** At most so many, newest first. Those that were packed are frozen copies. */
  newestFirst(limit: number, codec: EventCodec): TraceEvent[] {
    const newest = this.#recent.slice(-limit).reverse()
    for (let index = this.#chunks.length - 1; index >= 0 && newest.length < limit; index--) {
      const chunk = this.#chunks[index]
      if (chunk === undefined) break
      const older = codec.read(chunk, this).reverse()
      newest.push(...older.slice(0, limit - newest.length))
    }
    return limit <= 0 ? [] : newest
  }

  /** The newest of all waits for its repeats, however much happens elsewhere meanwhile. */
  #isOpen(event: TraceEvent, at: number): boolean {
    return at === this.#recent.length - 1 && isRecurring(event)
  }

  #openChunk(codec: EventCodec): EventChunk {
    const last = this.#chunks.at(-1)
    if (last !== undefined && last.count < smallChunk) return last
    const chunk = codec.newChunk()
    // A new list, which takes only the memory it needs.
    this.#chunks = this.#chunks.concat(chunk)
    return chunk
  }
}
