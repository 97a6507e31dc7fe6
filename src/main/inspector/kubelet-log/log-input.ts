import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline, Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { LogReader } from './log-reader.ts'

/** Piece by piece, so that the program answers others meanwhile: 1 MiB takes some 5 ms. */
export const pieceBytes = 1 << 20

/** What tells the time of a log's first entry: after that many bytes there is one. */
const firstBytes = 1 << 18

/** Makes UTF-8 of what a file has. */
type Decode = (stream: Readable) => Readable

/** By the first bytes; undefined: it is UTF-8. PowerShell's `>` writes UTF-16. */
export function decodeOf(start: Buffer): Decode | undefined {
  if (start[0] === 0x1f && start[1] === 0x8b) return unzipped
  return start[0] === 0xff && start[1] === 0xfe ? fromUtf16 : undefined
}

function fromUtf16(stream: Readable): Readable {
  const decoder = new TextDecoder('utf-16le')
  const text = new Transform({
    transform: (piece: Buffer, _, done) => {
      done(null, decoder.decode(piece, { stream: true }))
    },
    flush: (done) => {
      done(null, decoder.decode())
    },
  })
  pipeline(stream, text, () => undefined)
  return text
}

/** The content of a compressed stream. Ends with an error if it is damaged; what came before is read. */
function unzipped(stream: Readable): Readable {
  const gunzip = createGunzip({ chunkSize: pieceBytes })
  // Errors of both reach the one who reads.
  pipeline(stream, gunzip, () => undefined)
  // One that comes when nothing is read any more must not end the program.
  gunzip.on('error', () => undefined)
  return gunzip
}

export interface LogFile {
  readonly path: string
  /** Undefined: its bytes are its content. */
  readonly decode: Decode | undefined
  readonly bytes: number
  readonly writtenAt: number
  /** Of its first entry; infinite: it has none. */
  readonly startsAt: number
}

async function firstPiece(path: string, decode: Decode | undefined): Promise<Buffer> {
  const stream = createReadStream(path, { end: firstBytes - 1 })
  const pieces: Buffer[] = []
  let length = 0
  try {
    for await (const piece of decode?.(stream) ?? stream) {
      const bytes = Buffer.from(piece as Buffer)
      pieces.push(bytes)
      length += bytes.length
      if (length >= firstBytes) break
    }
  } catch {
    // The piece ends within compressed data.
  }
  return Buffer.concat(pieces)
}

/** What is known of a file before it is read. Rejects with Node's errors, or where it is no regular file. */
export async function inspectFile(path: string): Promise<LogFile> {
  const handle = await open(path, 'r')
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw new Error('it is not a regular file')
    const start = Buffer.alloc(2)
    await handle.read(start, 0, 2, 0)
    const decode = decodeOf(start)
    const reader = new LogReader({ writtenAt: stats.mtimeMs })
    reader.push(await firstPiece(path, decode))
    return {
      path,
      decode,
      bytes: stats.size,
      writtenAt: stats.mtimeMs,
      startsAt: Number.isNaN(reader.from) ? Number.POSITIVE_INFINITY : reader.from,
    }
  } finally {
    await handle.close()
  }
}
