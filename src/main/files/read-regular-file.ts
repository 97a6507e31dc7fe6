import { constants, open, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import type { Stats } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { FileReadError, fileErrorCode } from './file-error.ts'
import { usualDeadlineMs, withinDeadline } from './within-deadline.ts'

export interface ReadLimits {
  readonly maxBytes: number
  /** Default: yes. */
  readonly followsLinks?: boolean
  /** Also a pipe, to its end: only where the user named it (`--kubeconfig <(…)`). Default: no. */
  readonly takesPipes?: boolean
  /** Real ms for opening and reading; default 5 s. */
  readonly deadlineMs?: number
}

export interface RegularFile {
  readonly bytes: Buffer
  readonly stats: Stats
}

/** Real ms between two looks into a pipe that has nothing to read. */
const pipeLookMs = 10

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

function tooLarge(maxBytes: number): FileReadError {
  return new FileReadError('TOO_LARGE', `it is larger than ${sizeWords(maxBytes)}`)
}

function checkFacts(stats: Stats, { maxBytes, takesPipes = false }: ReadLimits): void {
  if (stats.isDirectory()) throw new FileReadError('NOT_REGULAR', 'it is a folder')
  if (!stats.isFile() && !(takesPipes && stats.isFIFO()))
    throw new FileReadError('NOT_REGULAR', 'it is not a regular file')
  if (stats.size > maxBytes) throw tooLarge(maxBytes)
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

/** Not blocking, so that no thread of Node's is kept by a pipe that stays silent. */
async function readPipe(
  file: FileHandle,
  { maxBytes, deadlineMs = usualDeadlineMs }: ReadLimits,
): Promise<Buffer> {
  const signal = AbortSignal.timeout(deadlineMs)
  const buffer = Buffer.alloc(maxBytes + 1)
  let length = 0
  let hasWriter = false
  while (length <= maxBytes) {
    const bytesRead = await file.read(buffer, length, buffer.length - length, null).then(
      (read) => read.bytesRead,
      (error: unknown) => {
        if (fileErrorCode(error) === 'EAGAIN') return undefined
        throw error
      },
    )
    if (bytesRead === 0 && hasWriter) return buffer.subarray(0, length)
    hasWriter ||= bytesRead !== 0
    length += bytesRead ?? 0
    // No data or no writer yet.
    if (bytesRead === undefined || bytesRead === 0)
      await setTimeout(pipeLookMs, undefined, { signal })
  }
  throw tooLarge(maxBytes)
}

/**
 * Reads a file that another user named or can replace: only a regular file (or a pipe, where one is
 * taken), of a bounded size, within a deadline.
 * Rejects with Node's errors or a `FileReadError`.
 */
export async function readRegularFile(path: string, limits: ReadLimits): Promise<RegularFile> {
  return await withinDeadline(
    path,
    async () => {
      // Before it is opened, since opening some devices does something; and again below, since it may be another by then.
      if (limits.followsLinks !== false) checkFacts(await stat(path), limits)
      const file = await open(path, openFlags(limits))
      try {
        const stats = await file.stat()
        checkFacts(stats, limits)
        const bytes = stats.isFIFO()
          ? await readPipe(file, limits)
          : await readBytes(file, stats.size)
        return { bytes, stats }
      } finally {
        await file.close()
      }
    },
    limits.deadlineMs,
  )
}
