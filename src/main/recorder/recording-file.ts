import { open, unlink } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { isRecordingHeader } from './read-recording.ts'

/** What a recording needs of its file. */
export interface RecordingSink {
  readonly append: (text: string) => Promise<void>
  /** Ends it. Never rejects. */
  readonly close: () => Promise<void>
}

/** A file that may be recorded into; nothing has been written. */
export interface RecordingFile {
  readonly path: string
  /** Empties it: from here on it is a recording. */
  readonly begin: () => Promise<RecordingSink>
  /** Leaves it as it was. */
  readonly abandon: () => Promise<void>
}

/** Enough for any header; more need not be read to know a recording. */
const headerBytes = 64 * 1024

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'its folder does not exist'
    case 'EISDIR':
      return 'it is a folder'
    case 'EACCES':
    case 'EPERM':
      return 'permission denied'
    case 'ENOSPC':
      return 'the disk is full'
    case 'EROFS':
      return 'the file system is read-only'
    default:
      return error instanceof Error ? error.message : String(error)
  }
}

/** A sentence about a recording that cannot go on. */
export function writeFailure(path: string, error: unknown): string {
  return `The recording ${path} ends here: ${reasonOf(error)}.`
}

async function isOurs(file: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, 0)
  if (bytesRead === 0) return true
  const [first = ''] = buffer.toString('utf8', 0, bytesRead).split('\n', 1)
  try {
    return isRecordingHeader(JSON.parse(first))
  } catch {
    return false
  }
}

async function openOrMake(path: string): Promise<{ file: FileHandle; isNew: boolean }> {
  try {
    return { file: await open(path, 'wx+', 0o600), isNew: true }
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    if (!exists) throw error
    return { file: await open(path, 'r+'), isNew: false }
  }
}

/** Opens a file for a recording: a new one, an empty one or an older recording. Error: one sentence, the file untouched. */
export async function openRecordingFile(path: string): Promise<Result<RecordingFile, string>> {
  try {
    const { file, isNew } = await openOrMake(path)
    const complaint = (await file.stat()).isFile()
      ? (await isOurs(file))
        ? undefined
        : `${path} is no recording of Nodescope’s and is not overwritten: choose another file for --record.`
      : `${path} is no regular file: choose another for --record.`
    if (complaint !== undefined) {
      await file.close()
      return err(complaint)
    }
    return ok({
      path,
      begin: async () => {
        await file.truncate(0)
        return sinkOf(file)
      },
      abandon: async () => {
        await file.close()
        if (isNew) await unlink(path)
      },
    })
  } catch (error) {
    return err(`The recording ${path} cannot be written: ${reasonOf(error)}.`)
  }
}

function sinkOf(file: FileHandle): RecordingSink {
  let position = 0
  return {
    append: async (text) => {
      const bytes = Buffer.from(text)
      for (let done = 0; done < bytes.length;) {
        const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position)
        done += bytesWritten
        position += bytesWritten
      }
    },
    close: () => file.close().catch(() => undefined),
  }
}
