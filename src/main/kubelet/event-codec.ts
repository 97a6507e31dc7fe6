import type { TraceEvent, TraceSubject } from '../../shared/model/trace-event.ts'
import { ByteTextReader, ByteTextWriter } from './byte-text.ts'
import { StringTable } from './string-table.ts'

/** What the events of one history have in common, and need not repeat. */
export interface HistoryFrame {
  readonly cluster: string
  readonly subject: TraceSubject
  readonly node: string
}

/** Some events of one history as text. Grows at its end. */
export interface EventChunk {
  count: number
  text: string
  /** Texts too long or too rare to be shared by all histories: ids are the very strings that the rest of the program has. */
  words: readonly string[]
  /** Of the newest event. */
  seq: number
  at: number
}

/** The context of an event: the one before it, the chunk's own words, which it may extend, and the history. */
interface EncodingContext {
  readonly before: { readonly seq: number; readonly at: number }
  readonly words: OwnWords
  readonly frame: HistoryFrame
}

/** So many words are found faster by a map than one after the other. */
const manyWords = 16

/** The words of a chunk that is being written. */
class OwnWords {
  readonly list: string[]
  #numbers: Map<string, number> | undefined

  constructor(words: readonly string[]) {
    this.list = [...words]
  }

  /** -1: it is not among them. */
  find(word: string): number {
    if (this.list.length < manyWords) return this.list.indexOf(word)
    this.#numbers ??= new Map(this.list.map((one, index) => [one, index]))
    return this.#numbers.get(word) ?? -1
  }

  /** Must not be among them. */
  add(word: string): number {
    const number = this.list.push(word) - 1
    this.#numbers?.set(word, number)
    return number
  }
}

/** The fields that events of a kind have, in their order. */
interface Shape {
  readonly fields: readonly string[]
  readonly number: number
}

/** The byte before a value; greater bytes are a small whole number or a shared word themselves. */
const tags = {
  json: 0,
  null: 1,
  true: 2,
  false: 3,
  number: 4,
  ownWord: 5,
  sharedWord: 6,
  pod: 7,
  firstWord: 16,
  firstNumber: 136,
  end: 256,
} as const

/** Which values of the history an event does not share. */
const flags = { subject: 1, node: 2 } as const

/** Half of the greatest safe one, since signed numbers are doubled. */
const greatestNumber = Number.MAX_SAFE_INTEGER / 2

const wordLimit = 4096

const noWords: readonly string[] = []

function isSame(a: TraceSubject, b: TraceSubject): boolean {
  if (a === b) return true
  if (a.kind !== b.kind) return false
  if (a.kind === 'pod' && b.kind === 'pod')
    return a.uid === b.uid && a.name === b.name && a.namespace === b.namespace
  return JSON.stringify(a) === JSON.stringify(b)
}

/**
 * Packs trace events into a tenth of what they take as JSON: numbers as differences from the event before, field
 * names and repeated texts as numbers of one table for all histories of a trace.
 */
export class EventCodec {
  readonly #words = new StringTable({ limit: wordLimit })
  readonly #writer = new ByteTextWriter()
  /** A kind with the fields of its data, divided by spaces: as many as there are kinds, more or less. */
  readonly #shapes = new StringTable({ limit: Number.POSITIVE_INFINITY })
  readonly #shapesByKind = new Map<string, Shape[]>()

  newChunk(): EventChunk {
    return { count: 0, text: '', words: noWords, seq: 0, at: 0 }
  }

  /** Appends events, oldest first. */
  append(chunk: EventChunk, events: readonly TraceEvent[], frame: HistoryFrame): void {
    const writer = this.#writer
    // Discards the rest of an event that could not be written.
    writer.clear()
    const words = new OwnWords(chunk.words)
    for (const event of events) {
      this.#write(writer, event, { before: chunk, words, frame })
      chunk.seq = event.seq
      chunk.at = event.at
    }
    chunk.count += events.length
    // A copy takes no more room than it needs.
    if (words.list.length > chunk.words.length) chunk.words = words.list.slice()
    chunk.text = [chunk.text, writer.take()].join('')
  }

  /** The events of a chunk, oldest first, as frozen copies. */
  read(chunk: EventChunk, frame: HistoryFrame): TraceEvent[] {
    const reader = new ByteTextReader(chunk.text)
    const events: TraceEvent[] = []
    let before = { seq: 0, at: 0 }
    while (!reader.isAtEnd) {
      const event = this.#read(reader, before, chunk, frame)
      events.push(event)
      before = event
    }
    return events
  }

  #write(
    writer: ByteTextWriter,
    event: TraceEvent,
    { before, words, frame }: EncodingContext,
  ): void {
    const { seq, at, kind, subject, node, causes } = event
    const isSubjectOwn = isSame(subject, frame.subject)
    const isNodeOwn = node === frame.node
    writer.byte((isSubjectOwn ? 0 : flags.subject) + (isNodeOwn ? 0 : flags.node))
    writer.whole(seq - before.seq)
    this.#writeNumber(writer, at - before.at)
    const data: Readonly<Record<string, unknown>> = event.data
    const shape = this.#shapeOf(kind, data)
    writer.whole(shape.number)
    writer.whole(causes.length)
    for (const cause of causes) writer.signed(seq - cause)
    for (const field of shape.fields) this.#writeValue(writer, data[field], words)
    if (!isSubjectOwn) this.#writeSubject(writer, subject, words)
    if (!isNodeOwn) this.#writeValue(writer, node, words)
  }

  #read(
    reader: ByteTextReader,
    before: { readonly seq: number; readonly at: number },
    { words }: EventChunk,
    frame: HistoryFrame,
  ): TraceEvent {
    const flag = reader.byte()
    const seq = before.seq + reader.whole()
    const at = before.at + Number(this.#readValue(reader, words))
    const [kind, ...fields] = this.#shapes.stringOf(reader.whole()).split(' ')
    const causes = Array.from({ length: reader.whole() }, () => seq - reader.signed())
    const data = Object.fromEntries(fields.map((field) => [field, this.#readValue(reader, words)]))
    const subject = flag & flags.subject ? this.#readSubject(reader, words) : frame.subject
    const node = flag & flags.node ? this.#readValue(reader, words) : frame.node
    const { cluster } = frame
    // Kind, data and subject were those of one event.
    return Object.freeze({ kind, subject, causes, data, seq, at, cluster, node }) as TraceEvent
  }

  #writeSubject(writer: ByteTextWriter, subject: TraceSubject, words: OwnWords): void {
    if (subject.kind !== 'pod') {
      this.#writeValue(writer, subject, words)
      return
    }
    writer.byte(tags.pod)
    const { uid, namespace, name } = subject
    // Never shared by all: pods come and go, and would fill the table.
    for (const word of [uid, namespace, name]) writeOwnWord(writer, word, words)
  }

  #readSubject(reader: ByteTextReader, words: readonly string[]): unknown {
    if (!reader.isAt(tags.pod)) return this.#readValue(reader, words)
    reader.byte()
    const word = (): string | undefined => words[reader.whole()]
    return { kind: 'pod', uid: word(), namespace: word(), name: word() }
  }

  #shapeOf(kind: string, data: Readonly<Record<string, unknown>>): Shape {
    const names = Object.keys(data)
    const known = this.#shapesByKind.get(kind) ?? []
    const same = known.find(({ fields }) => hasFields(data, names, fields))
    if (same !== undefined) return same
    const fields = names.filter((field) => data[field] !== undefined)
    const shape = { fields, number: this.#shapes.add([kind, ...fields].join(' ')) }
    this.#shapesByKind.set(kind, [...known, shape])
    return shape
  }

  #writeValue(writer: ByteTextWriter, value: unknown, words: OwnWords): void {
    if (value === null) writer.byte(tags.null)
    else if (typeof value === 'boolean') writer.byte(value ? tags.true : tags.false)
    else if (typeof value === 'number') this.#writeNumber(writer, value)
    else if (typeof value === 'string') this.#writeWord(writer, value, words)
    else writeJson(writer, value)
  }

  #writeNumber(writer: ByteTextWriter, value: number): void {
    const isWhole = Number.isInteger(value) && Math.abs(value) <= greatestNumber
    if (!isWhole) writeJson(writer, value)
    else if (value >= 0 && value < tags.end - tags.firstNumber)
      writer.byte(tags.firstNumber + value)
    else {
      writer.byte(tags.number)
      writer.signed(value)
    }
  }

  #writeWord(writer: ByteTextWriter, value: string, words: OwnWords): void {
    const own = words.find(value)
    const shared = own === -1 ? this.#words.numberOf(value) : undefined
    if (shared === undefined) {
      writer.byte(tags.ownWord)
      writeOwnWord(writer, value, words)
    } else if (shared < tags.firstNumber - tags.firstWord) {
      writer.byte(tags.firstWord + shared)
    } else {
      writer.byte(tags.sharedWord)
      writer.whole(shared)
    }
  }

  #readValue(reader: ByteTextReader, words: readonly string[]): unknown {
    const tag = reader.byte()
    switch (tag) {
      case tags.json:
        return JSON.parse(reader.text())
      case tags.null:
        return null
      case tags.true:
        return true
      case tags.false:
        return false
      case tags.number:
        return reader.signed()
      case tags.ownWord:
        return words[reader.whole()]
      case tags.sharedWord:
        return this.#words.stringOf(reader.whole())
      default:
        return tag >= tags.firstNumber
          ? tag - tags.firstNumber
          : this.#words.stringOf(tag - tags.firstWord)
    }
  }
}

/** Whether just these fields have a value, in this order. `names`: all of its fields. */
function hasFields(
  data: Readonly<Record<string, unknown>>,
  names: readonly string[],
  fields: readonly string[],
): boolean {
  let count = 0
  for (const name of names) {
    if (data[name] === undefined) continue
    if (fields[count] !== name) return false
    count++
  }
  return count === fields.length
}

function writeOwnWord(writer: ByteTextWriter, word: string, words: OwnWords): void {
  const own = words.find(word)
  writer.whole(own === -1 ? words.add(word) : own)
}

function writeJson(writer: ByteTextWriter, value: unknown): void {
  writer.byte(tags.json)
  writer.text(JSON.stringify(value))
}
