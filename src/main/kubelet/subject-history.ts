import type {
  TraceCauses,
  TraceEvent,
  TraceSeq,
  TraceSubject,
} from '../../shared/model/trace-event.ts'

/** An event without what its history knows already. The last two only where they differ from the history's own. */
type Packed = readonly [
  seq: TraceSeq,
  at: number,
  kind: TraceEvent['kind'],
  causes: TraceCauses,
  data: TraceEvent['data'],
  subject?: TraceSubject | null,
  node?: string,
]

interface Chunk {
  count: number
  /** JSON of the packed events, oldest first, with commas between: a quarter of what the objects take. */
  text: string
}

/** A chunk of fewer events takes what is packed next; oldest events go by chunks. */
const smallChunk = 8

function isSame(a: TraceSubject, b: TraceSubject): boolean {
  if (a === b) return true
  if (a.kind === 'pod' && b.kind === 'pod')
    return a.uid === b.uid && a.name === b.name && a.namespace === b.namespace
  return JSON.stringify(a) === JSON.stringify(b)
}

/** What happened to one subject: the newest events as they are, older ones packed as text until somebody asks. */
export class SubjectHistory {
  readonly #cluster: string
  readonly #subject: TraceSubject
  readonly #node: string
  #recent: TraceEvent[] = []
  readonly #chunks: Chunk[] = []
  #packed = 0

  constructor({ cluster, subject, node }: TraceEvent) {
    this.#cluster = cluster
    this.#subject = subject
    this.#node = node
  }

  push(event: TraceEvent): void {
    this.#recent.push(event)
  }

  /** Packs the events up to this one, and drops whole chunks of the oldest for as long as `kept` events remain. */
  packUntil(seq: TraceSeq, kept: number): void {
    const index = this.#recent.findIndex((event) => event.seq > seq)
    const old = index === -1 ? this.#recent : this.#recent.slice(0, index)
    this.#recent = index === -1 ? [] : this.#recent.slice(index)
    // Not more than would be kept anyway.
    if (old.length > 0) this.#append(old.slice(-kept).map((event) => this.#pack(event)))
    let total = this.#recent.length + this.#packed
    let dropped = 0
    for (const { count } of this.#chunks) {
      if (total - count < kept) break
      total -= count
      this.#packed -= count
      dropped++
    }
    if (dropped > 0) this.#chunks.splice(0, dropped)
  }

  /** At most so many, newest first. Those that were packed are frozen copies. */
  newestFirst(limit: number): TraceEvent[] {
    const newest = this.#recent.slice(-limit).reverse()
    for (let index = this.#chunks.length - 1; index >= 0 && newest.length < limit; index--) {
      const chunk = this.#chunks[index]
      if (chunk === undefined) break
      const older = packedEvents(chunk).reverse()
      newest.push(...older.slice(0, limit - newest.length).map((packed) => this.#unpack(packed)))
    }
    return limit <= 0 ? [] : newest
  }

  #append(packed: readonly Packed[]): void {
    this.#packed += packed.length
    // Joined, not added: `+` and `slice` keep the parts beside the whole.
    const text = packed.map((one) => JSON.stringify(one)).join(',')
    const last = this.#chunks.at(-1)
    if (last === undefined || last.count >= smallChunk) {
      this.#chunks.push({ count: packed.length, text })
      return
    }
    last.count += packed.length
    last.text = [last.text, text].join(',')
  }

  #pack({ seq, at, kind, causes, data, subject, node }: TraceEvent): Packed {
    const isOwn = isSame(subject, this.#subject)
    if (node !== this.#node) return [seq, at, kind, causes, data, isOwn ? null : subject, node]
    return isOwn ? [seq, at, kind, causes, data] : [seq, at, kind, causes, data, subject]
  }

  #unpack([seq, at, kind, causes, data, subject, node]: Packed): TraceEvent {
    // Kind and data were those of one event.
    return Object.freeze({
      kind,
      subject: subject ?? this.#subject,
      causes,
      data,
      seq,
      at,
      cluster: this.#cluster,
      node: node ?? this.#node,
    }) as TraceEvent
  }
}

function packedEvents({ text }: Chunk): Packed[] {
  // Written by `append`.
  return JSON.parse(`[${text}]`) as Packed[]
}
