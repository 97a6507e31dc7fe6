import { constants, open, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import type { Stats } from 'node:fs'
import { FileReadError } from './file-error.ts'
import { withinDeadline } from './within-deadline.ts'

export interface ReadLimits {
  readonly maxBytes: number
  /** Default: yes. */
  readonly followsLinks?: boolean
  /** Real ms for opening and reading; default 5 s. */
  readonly deadlineMs?: number
}

export interface RegularFile {
  readonly bytes: Buffer
  readonly stats: Stats
}

/** Some platforms have fewer flags than their types say. */
const flags: Readonly<Partial<Record<'O_NONBLOCK' | 'O_NOCTTY' | 'O_NOFOLLOW', number>>> = constants

function openFlags({ followsLinks = true }: ReadLimits): number {
  // A pipe without a writer is opened without waiting for one, and a terminal does not become ours.
  const always = constants.O_RDONLY | (flags.O_NONBLOCK ?? 0) | (flags.O_NOCTTY ?? 0)
  return followsLinks ? always : always | (flags.O_NOFOLLOW ?? 0)
}

function sizeWords(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${bytes / (1024 * 1024)} MiB` : `${bytes / 1024} KiB`
}

function checkFacts(stats: Stats, maxBytes: number): void {
  if (stats.isDirectory()) throw new FileReadError('NOT_REGULAR', 'it is a folder')
  if (!stats.isFile()) throw new FileReadError('NOT_REGULAR', 'it is not a regular file')
  if (stats.size > maxBytes)
    throw new FileReadError('TOO_LARGE', `it is larger than ${sizeWords(maxBytes)}`)
}

/**
 * As many bytes as the file's size says. A file of size 0 is not read at all: some of /proc have that size, and
 * reading them waits, or takes what they give from others (/proc/kmsg).
 */
async function readBytes(file: FileHandle, size: number): Promise<Buffer> {
  const buffer = Buffer.alloc(size)
  let length = 0
  while (length < size) {
    const { bytesRead } = await file.read(buffer, length, size - length, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return buffer.subarray(0, length)
}

/**
 * Reads a file that somebody else named or can replace: only a regular file, of a bounded size, within a deadline.
 * Rejects with Node's errors or a `FileReadError`.
 */
export async function readRegularFile(path: string, limits: ReadLimits): Promise<RegularFile> {
  return await withinDeadline(
    path,
    async () => {
      // Before it is opened, since opening some devices does something; and again below, since it may be another by then.
      if (limits.followsLinks !== false) checkFacts(await stat(path), limits.maxBytes)
      const file = await open(path, openFlags(limits))
      try {
        const stats = await file.stat()
        checkFacts(stats, limits.maxBytes)
        return { bytes: await readBytes(file, stats.size), stats }
      } finally {
        await file.close()
      }
    },
    limits.deadlineMs,
  )
}
