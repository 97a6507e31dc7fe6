import type { Duplex } from 'node:stream'
import { constants, createInflate } from 'node:zlib'
import { bytesOfText } from '../../files/byte-text.ts'
import { spdyDictionary } from './spdy-dictionary.ts'

/** Frame types of SPDY/3 that Kubernetes sends. */
const frameTypes = {
  synStream: 1,
  synReply: 2,
  rstStream: 3,
  ping: 6,
  goAway: 7,
  windowUpdate: 9,
} as const

const headerBytes = 8
const finFlag = 1
/** Longer frames are refused: clients send at most 32 KiB at a time. */
const maxFrameBytes = 1024 * 1024
const maxSentBytes = 32 * 1024
/** How long a client may take to close its side. */
const clientCloseMs = 2000

/**
 * What is kept for a client that does not read, or of a client whose command does not: beyond it the connection is closed. With real
 * containers the writer waits.
 */
export const maxUnreadBytes = 128 * 1024 * 1024

/** A stream that one of the sides has opened. */
export interface SpdyStream {
  readonly headers: ReadonlyMap<string, string>
  readonly write: (data: string | Uint8Array) => void
  /** Ends our side. */
  readonly end: () => void
  /** Where what the client sends goes; until it is set, that is dropped. */
  receiver: StreamReceiver | undefined
}

export interface StreamReceiver {
  readonly receive: (data: Uint8Array) => void
  readonly end: () => void
}

interface Frame {
  readonly isControl: boolean
  /** Of a control frame. */
  readonly type: number
  /** Of a data frame. */
  readonly streamId: number
  readonly flags: number
  readonly body: Buffer
}

/**
 * One side of a SPDY/3.1 connection, as far as Kubernetes uses it: clients open streams, and both sides send data. Headers of
 * replies are not read.
 */
export class SpdyConnection {
  readonly #socket: Duplex
  #onStream: (stream: SpdyStream) => void = () => undefined
  /** One for all header blocks: they share their compression. */
  readonly #inflate = createInflate({
    dictionary: spdyDictionary,
    flush: constants.Z_SYNC_FLUSH,
  })
  #buffer = Buffer.alloc(0)
  #handled: Promise<void> = Promise.resolve()
  #hasSentHeaders = false
  /** A client's are odd. */
  #nextStreamId = 1
  readonly #streams = new Map<number, SpdyStream>()

  constructor(socket: Duplex) {
    this.#socket = socket
    this.#inflate.on('error', () => socket.destroy())
    socket.on('error', () => undefined)
    // A client that is gone leaves our side open.
    socket.on('end', () => socket.end())
    socket.on('close', () => {
      this.#inflate.close()
    })
  }

  /** `head`: what came with the request. */
  serve(head: Buffer, onStream: (stream: SpdyStream) => void): void {
    this.#onStream = onStream
    this.#socket.on('data', (chunk: Buffer) => {
      this.#receive(chunk)
    })
    this.#receive(head)
  }

  /** As a client. */
  open(headers: Readonly<Record<string, string>>): SpdyStream {
    const id = this.#nextStreamId
    this.#nextStreamId += 2
    const frame = [words(id, 0), Buffer.alloc(2), this.#headerBlock(headers)]
    this.#control(frameTypes.synStream, Buffer.concat(frame))
    return this.#newStream(id, new Map(Object.entries(headers)))
  }

  /** Also called for a client that is gone. */
  onClose(listener: () => void): void {
    if (this.#socket.destroyed) listener()
    else this.#socket.on('close', listener)
  }

  /**
   * Closes when the client does, which it does when each stream has ended. If this side closed first while a client behind proxies
   * still sends, the proxy would answer that with a reset, which loses what the client has not read yet.
   */
  close(): void {
    const timer = setTimeout(() => {
      this.#socket.end()
    }, clientCloseMs)
    this.onClose(() => {
      clearTimeout(timer)
    })
  }

  /** Closes at once, whatever is not sent yet. */
  drop(): void {
    this.#socket.destroy()
  }

  /** Whether the client reads what it is sent. */
  get hasRoom(): boolean {
    return !this.#socket.writableNeedDrain
  }

  /** Called once, when it does again. */
  onRoom(listener: () => void): void {
    this.#socket.once('drain', listener)
  }

  #receive(chunk: Buffer): void {
    this.#buffer = Buffer.concat([this.#buffer, chunk])
    for (let frame = this.#takeFrame(); frame !== undefined; frame = this.#takeFrame()) {
      const taken = frame
      // In order, although headers are inflated asynchronously.
      this.#handled = this.#handled
        .then(() => this.#handle(taken))
        .catch(() => void this.#socket.destroy())
    }
  }

  #takeFrame(): Frame | undefined {
    const buffer = this.#buffer
    if (buffer.length < headerBytes) return undefined
    const length = buffer.readUIntBE(5, 3)
    if (length > maxFrameBytes) {
      this.#socket.destroy()
      return undefined
    }
    if (buffer.length < headerBytes + length) return undefined
    this.#buffer = buffer.subarray(headerBytes + length)
    return {
      isControl: (buffer.readUInt8(0) & 0x80) !== 0,
      type: buffer.readUInt16BE(2),
      streamId: buffer.readUInt32BE(0) & 0x7f_ff_ff_ff,
      flags: buffer.readUInt8(4),
      body: buffer.subarray(headerBytes, headerBytes + length),
    }
  }

  async #handle({ isControl, type, streamId, flags, body }: Frame): Promise<void> {
    if (!isControl) {
      const receiver = this.#streams.get(streamId)?.receiver
      if (body.length > 0) receiver?.receive(body)
      if ((flags & finFlag) !== 0) receiver?.end()
      // The client stops after 64 KiB unless its window is enlarged.
      if (body.length > 0) this.#control(frameTypes.windowUpdate, words(streamId, body.length))
      return
    }
    if (type === frameTypes.synStream) await this.#accept(body)
    else if (type === frameTypes.rstStream)
      this.#streams.get(body.readUInt32BE(0) & 0x7f_ff_ff_ff)?.receiver?.end()
    else if (type === frameTypes.ping) this.#control(frameTypes.ping, body)
    else if (type === frameTypes.goAway) this.#socket.end()
  }

  async #accept(body: Buffer): Promise<void> {
    const id = body.readUInt32BE(0) & 0x7f_ff_ff_ff
    const headers = headersOf(await this.#inflated(body.subarray(10)))
    this.#control(frameTypes.synReply, Buffer.concat([words(id), this.#headerBlock({})]))
    this.#onStream(this.#newStream(id, headers))
  }

  #newStream(id: number, headers: ReadonlyMap<string, string>): SpdyStream {
    const stream: SpdyStream = {
      headers,
      receiver: undefined,
      write: (data) => {
        const bytes = typeof data === 'string' ? bytesOfText(data) : data
        for (let at = 0; at < bytes.length; at += maxSentBytes)
          this.#data(id, bytes.subarray(at, at + maxSentBytes), 0)
      },
      end: () => {
        this.#data(id, Buffer.alloc(0), finFlag)
      },
    }
    this.#streams.set(id, stream)
    return stream
  }

  #inflated(block: Buffer): Promise<Buffer> {
    return new Promise((resolve) => {
      this.#inflate.write(block, () => {
        const text: unknown = this.#inflate.read()
        resolve(Buffer.isBuffer(text) ? text : Buffer.alloc(0))
      })
    })
  }

  /** Headers in a stored block, and an empty block, at which Go reads on; zlib's header once. */
  #headerBlock(headers: Readonly<Record<string, string>>): Buffer {
    const entries = Object.entries(headers)
    const block = Buffer.concat([
      words(entries.length),
      ...entries.flat().flatMap((text) => [words(Buffer.byteLength(text)), Buffer.from(text)]),
    ])
    const stored = Buffer.alloc(5)
    stored.writeUInt16LE(block.length, 1)
    stored.writeUInt16LE(~block.length & 0xff_ff, 3)
    const empty = Buffer.from([0x00, 0x00, 0x00, 0xff, 0xff])
    const start = Buffer.from(this.#hasSentHeaders ? [] : [0x78, 0x01])
    this.#hasSentHeaders = true
    return Buffer.concat([start, stored, block, empty])
  }

  #control(type: number, body: Buffer): void {
    const header = Buffer.alloc(headerBytes)
    header.writeUInt16BE(0x8003, 0)
    header.writeUInt16BE(type, 2)
    header.writeUIntBE(body.length, 5, 3)
    this.#send(header, body)
  }

  #data(streamId: number, body: Uint8Array, flags: number): void {
    const header = Buffer.alloc(headerBytes)
    header.writeUInt32BE(streamId, 0)
    header.writeUInt8(flags, 4)
    header.writeUIntBE(body.length, 5, 3)
    this.#send(header, body)
  }

  #send(header: Buffer, body: Uint8Array): void {
    if (this.#socket.writableLength > maxUnreadBytes) this.drop()
    else if (this.#socket.writable) this.#socket.write(Buffer.concat([header, body]))
  }
}

function words(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) buffer.writeUInt32BE(value, 4 * index)
  return buffer
}

/** Throws for a block that ends early. */
function headersOf(block: Buffer): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  let at = 4
  const text = (): string => {
    const length = block.readUInt32BE(at)
    at += 4 + length
    return block.toString('utf8', at - length, at)
  }
  for (let count = block.readUInt32BE(0); count > 0; count--) {
    const name = text()
    headers.set(name, text())
  }
  return headers
}
