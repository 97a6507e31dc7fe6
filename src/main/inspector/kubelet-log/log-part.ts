import { rm } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryPath } from '../../files/temporary-path.ts'

/** One file of a log as it is read again: the file itself, or a copy of what was compressed or came in a stream. */
export interface LogPartFile {
  readonly name: string
  readonly handle: FileHandle
  /** Of its first byte in the whole log. */
  readonly start: number
  readonly firstLine: number
  /** Bytes that have been read. */
  length: number
  /** Its last byte is a newline, or it has none. */
  endsWithNewline: boolean
}

/** A file that goes with its handle: nothing is left on the disk if the program is killed (a later start removes it on Windows). */
export async function openSpool(folder: string): Promise<FileHandle> {
  const path = temporaryPath(join(folder, 'log'))
  const handle = await open(path, 'wx+', 0o600)
  if (process.platform !== 'win32') await rm(path)
  return handle
}

export async function readFully(
  handle: FileHandle,
  buffer: Buffer,
  length: number,
  position: number,
): Promise<number> {
  let read = 0
  while (read < length) {
    const { bytesRead } = await handle.read(buffer, read, length - read, position + read)
    if (bytesRead === 0) break
    read += bytesRead
  }
  return read
}

/** Bytes of the whole log, with a newline where a part ends without one. */
export async function readRange(
  parts: readonly LogPartFile[],
  from: number,
  to: number,
): Promise<Buffer> {
  const pieces: Buffer[] = []
  for (const part of parts) {
    const start = Math.max(from, part.start)
    const end = Math.min(to, part.start + part.length)
    if (start >= end) continue
    const buffer = Buffer.allocUnsafe(end - start)
    const read = await readFully(part.handle, buffer, end - start, start - part.start)
    pieces.push(buffer.subarray(0, read))
    if (end === part.start + part.length && !part.endsWithNewline) pieces.push(Buffer.from('\n'))
  }
  return Buffer.concat(pieces)
}
