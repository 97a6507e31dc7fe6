import type { LogFormat } from '../../../shared/model/kubelet-log.ts'
import { uint32 } from './growing-columns.ts'
import { LineIndex } from './line-index.ts'
import type { LogEntry } from './log-entry.ts'
import { entryOf } from './log-entry.ts'
import { afterByteOrderMark, emptyHead, isContinuation, readHead } from './log-head.ts'
import type { LogMessage } from './log-messages.ts'
import { messageAt } from './log-messages.ts'
import { LogTime } from './log-time.ts'
import type { EntryListener } from './worker-timeline.ts'
import { WorkerTimeline } from './worker-timeline.ts'

const newline = 10
const quote = 34
const letterP = 112
const letterO = 111
const letterD = 100
/** Bytes after the message; a status is longer, and its pod is before it. */
const maxLookedThrough = 4096
const gapMs = 60_000
/** Numbers of lines that are no entry. */
const maxNotUnderstood = 10_000
/** What is kept of a line without an end, and of a value of several lines. */
const maxLine = 1 << 20

const podKey = Buffer.from(' pod="')
const podUidKey = Buffer.from(' podUID="')
const jsonPodKey = Buffer.from(',"pod":{"name":"')
const jsonNamespaceKey = Buffer.from('","namespace":"')
const flagVerbosity = Buffer.from('FLAG: --v=')
const journalStart = Buffer.from('{"__')

/** Entries with a list of pods. */
const lists: ReadonlySet<string> = new Set(['add', 'update', 'remove', 'delete'])

interface Multiline {
  readonly head: ReturnType<typeof emptyHead>
  readonly message: LogMessage
  readonly at: number
  readonly line: number
  text: string
}

function isAt(buffer: Buffer, start: number, end: number, bytes: Buffer): boolean {
  if (end - start < bytes.length) return false
  for (let at = 0; at < bytes.length; at++) if (buffer[start + at] !== bytes[at]) return false
  return true
}

/**
 * Reads a log from pieces of any size, in one pass. It keeps what the entries tell, where lines begin, and no line.
 * `push` may be called after `flush`: a log that is followed goes on.
 */
export class LogReader {
  readonly timeline: WorkerTimeline
  readonly index = new LineIndex()
  format: LogFormat | null = null
  lines = 0
  understood = 0
  readonly notUnderstood = uint32()
  gaps = 0
  from = Number.NaN
  to = Number.NaN
  highestLevel = -1
  statedLevel = -1
  /** Offset of the next byte that is pushed, over all parts. */
  #offset = 0
  #carry: Buffer = Buffer.alloc(0)
  #pid = 0
  #wasFlag = false
  #inEntry = false
  #multiline: Multiline | undefined
  #time: LogTime
  readonly #head = emptyHead()

  /** `writtenAt`: when the log was last changed, ms; tells the year of its times. */
  constructor(options: { readonly writtenAt: number; readonly onEntry?: EntryListener }) {
    this.#time = new LogTime(options.writtenAt)
    this.timeline = new WorkerTimeline(options.onEntry)
  }

  push(chunk: Buffer): void {
    let start = 0
    if (this.#carry.length > 0) {
      const end = chunk.indexOf(newline)
      if (end === -1) {
        this.#keep(chunk)
        return
      }
      const line = Buffer.concat([this.#carry, chunk.subarray(0, end)])
      const offset = this.#offset - this.#carry.length
      this.#carry = Buffer.alloc(0)
      this.#line(line, 0, line.length, offset)
      start = end + 1
    }
    for (;;) {
      const end = chunk.indexOf(newline, start)
      if (end === -1) break
      this.#line(chunk, start, end, this.#offset + start)
      start = end + 1
    }
    const rest = chunk.subarray(start)
    this.#offset += start
    this.#keep(rest)
  }

  /** The last line, if nothing ends it. */
  flush(): void {
    if (this.#carry.length > 0) {
      const line = this.#carry
      this.#carry = Buffer.alloc(0)
      this.#line(line, 0, line.length, this.#offset - line.length)
    }
    this.#endMultiline()
  }

  #keep(rest: Buffer): void {
    this.#offset += rest.length
    if (rest.length === 0) return
    this.#carry = Buffer.concat([this.#carry, rest])
  }

  #line(buffer: Buffer, lineStart: number, lineEnd: number, offset: number): void {
    const start = afterByteOrderMark(buffer, lineStart)
    const end = buffer[lineEnd - 1] === 13 && lineEnd > start ? lineEnd - 1 : lineEnd
    this.index.began(this.lines, offset)
    this.lines++
    if (isAt(buffer, start, end, journalStart)) return this.#journalLine(buffer, start, end)
    this.#plainLine(buffer, start, end, undefined)
  }

  /** A line of `journalctl -o json`: the entry is in MESSAGE, its time in microseconds beside it. */
  #journalLine(buffer: Buffer, start: number, end: number): void {
    let fields: Readonly<Record<string, unknown>>
    try {
      fields = JSON.parse(buffer.toString('utf8', start, end)) as Readonly<Record<string, unknown>>
    } catch {
      return this.#foreign()
    }
    const message = fields['MESSAGE']
    // journald writes what is not UTF-8 as a list of bytes.
    const text = Array.isArray(message)
      ? Buffer.from(message.map(Number))
      : Buffer.from(typeof message === 'string' ? message : '')
    const micros = Number(fields['__REALTIME_TIMESTAMP'])
    this.#plainLine(text, 0, text.length, Number.isNaN(micros) ? undefined : micros / 1000)
    if (this.format === 'text' || this.format === 'json') this.format = 'journal-json'
  }

  #plainLine(buffer: Buffer, start: number, end: number, realtime: number | undefined): void {
    const head = this.#head
    if (!readHead(buffer, start, end, head)) return this.#otherLine(buffer, start, end)
    this.#endMultiline()
    this.#inEntry = true
    this.understood++
    this.format ??= head.format
    const at =
      realtime ?? (head.monthDay === -1 ? head.atMs : this.#time.at(head.monthDay, head.atMs))
    this.#clock(at)
    if (head.level > this.highestLevel) this.highestLevel = head.level
    const isFlag = this.#flag(buffer, end)
    this.#start(at, isFlag)
    const line = this.lines
    if (!isFlag) this.#mention(buffer, end)
    const message = messageAt(buffer, head.messageStart, head.messageEnd)
    if (message === undefined) return
    if (message.level > this.highestLevel) this.highestLevel = message.level
    // A value of several lines: the entry goes on.
    if (buffer[end - 1] === 60 && buffer[end - 2] === 61) {
      const text = buffer.toString('utf8', head.messageStart - 1, end)
      this.#multiline = { head: { ...head }, message, at, line, text }
      return
    }
    this.#take(entryOf(message, { at, line }, head, buffer, end))
  }

  #otherLine(buffer: Buffer, start: number, end: number): void {
    if (!this.#inEntry || !isContinuation(buffer, start, end)) return this.#foreign()
    this.understood++
    const multiline = this.#multiline
    if (multiline === undefined || multiline.text.length > maxLine) return
    multiline.text += `\n${buffer.toString('utf8', start, end)}`
  }

  #foreign(): void {
    this.#endMultiline()
    this.#inEntry = false
    if (this.notUnderstood.length < maxNotUnderstood) this.notUnderstood.push(this.lines)
  }

  /** Its lines, joined: the value as a quoted string. */
  #endMultiline(): void {
    const multiline = this.#multiline
    if (multiline === undefined) return
    this.#multiline = undefined
    const { head, message, at, line } = multiline
    const joined = multiline.text.replace(
      /=<\n([\s\S]*?)\n(?:[^\n]*\]: )? >/g,
      (_all, value: string) => `=${JSON.stringify(value.replaceAll(/^(?:[^\t\n]*\]: )?\t/gm, ''))}`,
    )
    const buffer = Buffer.from(joined)
    const restStart = head.messageEnd - head.messageStart + 2
    this.#take(entryOf(message, { at, line }, { ...head, restStart }, buffer, buffer.length))
  }

  #take(entry: LogEntry): void {
    for (const pod of lists.has(entry.message.kind) ? entry.list('pods') : [])
      this.index.mention(pod, entry.line - 1)
    this.timeline.take(entry)
  }

  #clock(at: number): void {
    if (Number.isNaN(this.from)) {
      this.from = at
      this.timeline.lanes.began({ at, line: this.lines })
    }
    if (at - this.to > gapMs) {
      this.gaps++
      const text = `No entry for ${Math.round((at - this.to) / 1000)} s`
      this.timeline.markNode('gap', { at, line: this.lines }, text)
    }
    if (!(at < this.to)) this.to = at
  }

  /** A start begins with the flags; in text the process ID changes too. */
  #start(at: number, isFlag: boolean): void {
    const { pid } = this.#head
    const isOther = pid !== this.#pid && this.#pid !== 0 && pid !== 0
    const isFirstFlag = isFlag && !this.#wasFlag && (pid === 0 || this.#pid === 0)
    if (isOther || isFirstFlag) this.timeline.restart({ at, line: this.lines })
    this.#pid = pid
    this.#wasFlag = isFlag
  }

  /** `FLAG: --v="4"`. */
  #flag(buffer: Buffer, end: number): boolean {
    const { messageStart } = this.#head
    if (buffer[messageStart] !== flagVerbosity[0] || buffer[messageStart + 1] !== flagVerbosity[1])
      return false
    if (isAt(buffer, messageStart, end, flagVerbosity)) {
      const stated = /\d+/.exec(buffer.toString('latin1', messageStart + flagVerbosity.length, end))
      if (stated !== null) this.statedLevel = Number(stated[0])
    }
    return isAt(buffer, messageStart, end, flagVerbosity.subarray(0, 6))
  }

  /** The first pod that an entry names: mostly its first value; errors begin with err. */
  #mention(buffer: Buffer, end: number): void {
    const { restStart } = this.#head
    const limit = Math.min(end, restStart + maxLookedThrough)
    for (let at = restStart; at < limit; at++) {
      if (buffer[at] !== letterP || buffer[at + 1] !== letterO || buffer[at + 2] !== letterD)
        continue
      if (isAt(buffer, at - 1, end, podKey)) return this.#mentionQuoted(buffer, at + 5, end)
      if (isAt(buffer, at - 1, end, podUidKey)) return this.#mentionQuoted(buffer, at + 8, end)
      if (isAt(buffer, at - 2, end, jsonPodKey))
        return this.#mentionObject(buffer, at - 2 + jsonPodKey.length, end)
    }
  }

  #mentionQuoted(buffer: Buffer, start: number, end: number): void {
    this.index.mention(
      buffer.toString('latin1', start, quoteFrom(buffer, start, end)),
      this.lines - 1,
    )
  }

  #mentionObject(buffer: Buffer, start: number, end: number): void {
    const nameEnd = quoteFrom(buffer, start, end)
    if (!isAt(buffer, nameEnd, end, jsonNamespaceKey)) return
    const space = nameEnd + jsonNamespaceKey.length
    const namespace = buffer.toString('latin1', space, quoteFrom(buffer, space, end))
    this.index.mention(`${namespace}/${buffer.toString('latin1', start, nameEnd)}`, this.lines - 1)
  }
}

function quoteFrom(buffer: Buffer, start: number, end: number): number {
  let at = start
  while (at < end && buffer[at] !== quote) at++
  return at
}
