import type { TraceEvent, TraceSeq, TraceSubject } from '../../shared/model/trace-event.ts'
import type { EventChunk, EventCodec } from './event-codec.ts'

/** A chunk of fewer events takes what is packed next; oldest events go by chunks. */
const smallChunk = 12

/** What happened to one subject: the newest events as they are, older ones packed as text until somebody asks. */
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

  push(event: TraceEvent): void {
    this.#recent.push(event)
  }

  /** Packs the events up to this one, and drops whole chunks of the oldest for as long as `kept` events remain. */
  packUntil(seq: TraceSeq, kept: number, codec: EventCodec): void {
    const index = this.#recent.findIndex((event) => event.seq > seq)
    const old = index === -1 ? this.#recent : this.#recent.slice(0, index)
    this.#recent = index === -1 ? [] : this.#recent.slice(index)
    // Not more than would be kept anyway.
    if (old.length > 0) codec.append(this.#openChunk(codec), old.slice(-kept), this)
    let total = this.#recent.length
    for (const { count } of this.#chunks) total += count
    let dropped = 0
    for (const { count } of this.#chunks) {
      if (total - count < kept) break
      total -= count
      dropped++
    }
    if (dropped > 0) this.#chunks = this.#chunks.slice(dropped)
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

  #openChunk(codec: EventCodec): EventChunk {
    const last = this.#chunks.at(-1)
    if (last !== undefined && last.count < smallChunk) return last
    const chunk = codec.newChunk()
    // Made anew, to take no more room than it needs.
    this.#chunks = this.#chunks.concat(chunk)
    return chunk
  }
}
