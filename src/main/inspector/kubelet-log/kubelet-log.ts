import { createReadStream } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import type {
  KubeletLogView,
  LogFacts,
  LogHits,
  LogLines,
} from '../../../shared/model/kubelet-log.ts'
import { fileErrorText } from '../../files/file-error.ts'
import type { CancelTimer, Clock } from '../../kubelet/ports.ts'
import type { LogFile } from './log-input.ts'
import { decodeOf, pieceBytes } from './log-input.ts'
import { linesFrom, searchLines } from './log-lines.ts'
import type { LogPartFile } from './log-part.ts'
import { openSpool, readFully } from './log-part.ts'
import { LogReader } from './log-reader.ts'
import type { EntryListener } from './worker-timeline.ts'
import type { LoggedPod, LogRange } from './log-view.ts'
import { lastStates, podsIn, podWithId, readFacts } from './log-view.ts'

const followMs = 500

interface KubeletLogDeps {
  readonly id: string
  readonly name: string
  /** For copies of what cannot be read again: compressed parts, UTF-16 and streams. */
  readonly folder: string
  /** The system's. */
  readonly clock: Clock
  /** More of it was read. */
  readonly onRead?: () => void
}

interface UploadPiece {
  readonly name: string
  readonly data: Buffer
  readonly ends: 'nothing' | 'part' | 'log'
}

export interface LineQuery {
  readonly from: number
  readonly count: number
  /** The id of a pod; null: all lines. */
  readonly pod: string | null
  readonly isBack: boolean
}

function isEnded(bytes: Buffer): boolean {
  return bytes.length === 0 || bytes.at(-1) === 10
}

/** The sentence of an error, with its path or name. */
function problemOf(name: string, error: unknown): string {
  return `${name} cannot be read further: ${fileErrorText(error)}.`
}

/** One log: files of one kubelet in the order of their times, or what comes in a stream. Keeps an index, not its lines. */
export class KubeletLog {
  readonly #deps: KubeletLogDeps
  readonly #parts: LogPartFile[] = []
  #reader: LogReader
  #bytes = 0
  #bytesRead = 0
  #isRead = false
  #isClosed = false
  #problem = ''
  /** The followed file could not be read the last time. */
  #isAway = false
  #path = ''
  #cancelFollow: CancelTimer | undefined
  #isFollowed = false
  #upload: PassThrough | undefined
  /** What is read now and may never end. */
  #stream: Readable | undefined
  #work: Promise<void> = Promise.resolve()
  #onEntry: EntryListener | undefined

  constructor(deps: KubeletLogDeps) {
    this.#deps = deps
    this.#reader = this.#newReader(deps.clock.now())
  }

  /** What is told of each entry from now on; before the first one is read, of all of them. */
  onEntry(listener: EntryListener): void {
    this.#onEntry = listener
  }

  /** Settles when all that was asked to be read is read. */
  get whenRead(): Promise<void> {
    return this.#work
  }

  /** Reads files, first the one with the earliest entry. The last one can be followed. */
  readFiles(files: readonly LogFile[]): void {
    const ordered = files.toSorted((one, other) => one.startsAt - other.startsAt)
    // The year of the first entry is that of its own file.
    this.#reader = this.#newReader(ordered[0]?.writtenAt ?? this.#deps.clock.now())
    this.#bytes = files.reduce((sum, { bytes }) => sum + bytes, 0)
    this.#path = ordered.at(-1)?.path ?? ''
    this.#work = (async () => {
      for (const file of ordered)
        await (file.decode === undefined
          ? this.#readPlain(file)
          : this.#readDecoded(file, file.decode))
      this.#isRead = true
    })()
      .catch((error: unknown) => this.#fail(error))
      .then(() => this.#deps.onRead?.())
  }

  /** Reads what comes, until it ends. */
  readStream(stream: Readable): void {
    this.#work = this.#readPieces(stream, this.#deps.name)
      .catch((error: unknown) => this.#fail(error))
      .then(() => {
        this.#isRead = true
        this.#deps.onRead?.()
      })
  }

  /** Its pieces follow. */
  beginUpload(writtenAt: number): void {
    this.#reader = this.#newReader(writtenAt)
  }

  /** The next piece of an upload; resolves when there is room for another one. */
  async append(piece: UploadPiece): Promise<void> {
    const upload = (this.#upload ??= this.#nextUpload(piece.name))
    this.#bytes += piece.data.length
    if (!upload.write(piece.data) && !upload.destroyed)
      await new Promise<void>((resolve) => {
        upload.once('drain', resolve)
        upload.once('close', resolve)
      })
    if (piece.ends === 'nothing') return
    upload.end()
    this.#upload = undefined
    if (piece.ends === 'log')
      this.#work = this.#work.then(() => {
        this.#isRead = true
        this.#deps.onRead?.()
      })
  }

  #nextUpload(name: string): PassThrough {
    const upload = new PassThrough({ highWaterMark: pieceBytes })
    this.#work = this.#work
      .then(() => this.#readPieces(upload, name))
      .catch((error: unknown) => {
        this.#fail(error)
        upload.destroy()
      })
    return upload
  }

  facts(): LogFacts {
    return {
      id: this.#deps.id,
      name: this.#deps.name,
      parts: this.#parts.map(({ name, length, firstLine }) => ({ name, bytes: length, firstLine })),
      ...readFacts(this.#reader),
      bytesRead: this.#bytesRead,
      bytes: Math.max(this.#bytes, this.#bytesRead),
      isRead: this.#isRead,
      isFollowed: this.#isFollowed,
      problem: this.#problem,
    }
  }

  /** `range` null: the whole log. */
  view(range: LogRange | null, width: number): KubeletLogView {
    const facts = this.facts()
    const shown = range ?? { from: facts.from, to: facts.to, width }
    return { ...facts, ...podsIn(this.#reader, shown) }
  }

  /** The workers with their last states. */
  pods(): readonly LoggedPod[] {
    return lastStates(this.#reader)
  }

  /** One worker with all that the log tells of it. */
  pod(id: string): LoggedPod | undefined {
    return podWithId(this.#reader, id)
  }

  lines({ from, count, pod, isBack }: LineQuery): Promise<LogLines> {
    const lane = [...this.#reader.timeline.lanes.all].find(({ id }) => String(id) === pod)
    const of = pod === null || lane === undefined ? null : lane
    return linesFrom(this.#text, { from, count, of, isBack })
  }

  search(text: string, from: number): Promise<LogHits> {
    return searchLines(this.#text, { text, from }, () => this.#deps.clock.now())
  }

  /** Reads on when the last file grows. False: there is no file to follow. */
  follow(isFollowed: boolean): boolean {
    if (this.#path === '') return false
    this.#isFollowed = isFollowed
    this.#cancelFollow?.()
    this.#cancelFollow = undefined
    if (isFollowed) this.#lookLater()
    return true
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#isFollowed = false
    this.#cancelFollow?.()
    this.#upload?.destroy()
    this.#stream?.destroy()
    await this.#work
    for (const { handle } of this.#parts) await handle.close()
    this.#parts.length = 0
  }

  #newReader(writtenAt: number): LogReader {
    const onEntry: EntryListener = (entry, lanes) => this.#onEntry?.(entry, lanes)
    return new LogReader({ writtenAt, onEntry })
  }

  get #text(): { readonly reader: LogReader; readonly parts: readonly LogPartFile[] } {
    return { reader: this.#reader, parts: this.#parts }
  }

  #fail(error: unknown): void {
    if (!this.#isClosed) this.#problem = problemOf(this.#deps.name, error)
    this.#reader.flush()
    this.#isRead = true
  }

  #newPart(name: string, handle: FileHandle): LogPartFile {
    const before = this.#parts.at(-1)
    const part: LogPartFile = {
      name,
      handle,
      start: before === undefined ? 0 : before.start + before.length,
      firstLine: this.#reader.lines + 1,
      length: 0,
      endsWithNewline: true,
    }
    this.#parts.push(part)
    return part
  }

  async #readPlain(file: LogFile): Promise<void> {
    const handle = await open(file.path, 'r')
    const part = this.#newPart(basename(file.path), handle)
    await this.#readOn(part)
    if (!part.endsWithNewline) this.#reader.flush()
  }

  /** From where it was read to, to its end. */
  async #readOn(part: LogPartFile): Promise<void> {
    // The reader copies what it keeps.
    const buffer = Buffer.allocUnsafeSlow(pieceBytes)
    while (!this.#isClosed) {
      const read = await readFully(part.handle, buffer, pieceBytes, part.length)
      if (read === 0) return
      this.#take(part, buffer.subarray(0, read))
      this.#bytesRead += read
    }
  }

  #take(part: LogPartFile, bytes: Buffer): void {
    this.#reader.push(bytes)
    part.length += bytes.length
    part.endsWithNewline = isEnded(bytes)
  }

  async #readDecoded({ path }: LogFile, decode: NonNullable<LogFile['decode']>): Promise<void> {
    const coded = createReadStream(path)
    coded.on('data', (piece) => {
      this.#bytesRead += piece.length
    })
    await this.#spool(decode(coded), basename(path))
  }

  async #readPieces(stream: Readable, name: string): Promise<void> {
    this.#stream = stream
    const pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    const first = await pieces.next()
    if (first.done === true) return
    const count = (piece: Buffer): Buffer => {
      this.#bytesRead += piece.length
      return piece
    }
    const all = async function* (): AsyncGenerator<Buffer> {
      let next: IteratorResult<Buffer, unknown> = first
      for (; next.done !== true; next = await pieces.next()) yield count(next.value)
    }
    const counted = Readable.from(all(), { objectMode: false })
    await this.#spool(decodeOf(first.value)?.(counted) ?? counted, name)
  }

  /** Copies a stream while it is read, so that its lines can be read again. */
  async #spool(stream: Readable, name: string): Promise<void> {
    const part = this.#newPart(name, await openSpool(this.#deps.folder))
    for await (const piece of stream) {
      if (this.#isClosed) return
      const bytes = Buffer.isBuffer(piece) ? piece : Buffer.from(String(piece))
      await part.handle.write(bytes, 0, bytes.length, part.length)
      this.#take(part, bytes)
    }
    this.#reader.flush()
  }

  #lookLater(): void {
    this.#cancelFollow = this.#deps.clock.after(followMs, () => {
      this.#work = this.#work
        .then(() => this.#look())
        .then(
          () => {
            if (this.#isAway) this.#problem = ''
            this.#isAway = false
          },
          (error: unknown) => {
            this.#isAway = true
            this.#fail(error)
          },
        )
        .then(() => {
          this.#deps.onRead?.()
          if (this.#isFollowed) this.#lookLater()
        })
    })
  }

  /** What was appended; a file that is shorter now, or another one, is the next part. */
  async #look(): Promise<void> {
    const part = this.#parts.at(-1)
    if (part === undefined || this.#isClosed) return
    await this.#readOn(part)
    const handle = await open(this.#path, 'r')
    const [now, before] = [await handle.stat(), await part.handle.stat()]
    if (now.ino === before.ino && now.size >= part.length) return handle.close()
    this.#reader.flush()
    await this.#readOn(this.#newPart(basename(this.#path), handle))
    return undefined
  }
}
