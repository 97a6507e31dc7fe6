import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { LogReader } from './log-reader.ts'

/** Piece by piece, so that the program answers others meanwhile: 1 MiB takes some 5 ms. */
export const pieceBytes = 1 << 20

/** What tells the time of a log's first entry: after that many bytes there is one. */
const firstBytes = 1 << 18

export function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/** The content of a compressed stream. Ends with an error if it is damaged; what came before is read. */
export function unzipped(stream: Readable): Readable {
  const gunzip = createGunzip({ chunkSize: pieceBytes })
  // Errors of both reach the one who reads.
  pipeline(stream, gunzip, () => undefined)
  // One that comes when nothing is read any more must not end the program.
  gunzip.on('error', () => undefined)
  return gunzip
}

export interface LogFile {
  readonly path: string
  readonly isCompressed: boolean
  readonly bytes: number
  readonly writtenAt: number
  /** Of its first entry; infinite: it has none. */
  readonly startsAt: number
}

async function firstPiece(path: string, isCompressed: boolean): Promise<Buffer> {
  const stream = createReadStream(path, { end: firstBytes - 1 })
  const pieces: Buffer[] = []
  let length = 0
  try {
    for await (const piece of isCompressed ? unzipped(stream) : stream) {
      const bytes = Buffer.from(piece as Buffer)
      pieces.push(bytes)
      length += bytes.length
      if (length >= firstBytes) break
    }
  } catch {
    // The piece ends within the compressed data.
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
    const isCompressed = isGzip(start)
    const reader = new LogReader({ writtenAt: stats.mtimeMs })
    reader.push(await firstPiece(path, isCompressed))
    return {
      path,
      isCompressed,
      bytes: stats.size,
      writtenAt: stats.mtimeMs,
      startsAt: Number.isNaN(reader.from) ? Number.POSITIVE_INFINITY : reader.from,
    }
  } finally {
    await handle.close()
  }
}
