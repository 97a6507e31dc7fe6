import { constants, open, unlink } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { fileErrorCode, fileErrorText, isMissing } from '../files/file-error.ts'
import { isRecordingHeader } from './read-recording.ts'

/** What a recording needs of its file. */
export interface RecordingSink {
  readonly append: (text: string) => Promise<void>
  /** Ends it. Never rejects. */
  readonly close: () => Promise<void>
}

/** An open file that may be overwritten with a recording; nothing has been written yet. */
export interface RecordingFile {
  readonly path: string
  /** How the mode of an existing file changes, one sentence; empty if it does not. */
  readonly note: string
  /** Empties the file and restricts it to its owner. */
  readonly begin: () => Promise<RecordingSink>
  /** Leaves the file unchanged; removes it if it is new. */
  readonly abandon: () => Promise<void>
}

/** More than any header has: enough to recognize a recording. */
const headerBytes = 64 * 1024

const ownerOnly = 0o600

/** The sentence for a recording that cannot continue. */
export function writeFailure(path: string, error: unknown): string {
  return `The recording ${path} ends here: ${reasonOf(error)}.`
}

function reasonOf(error: unknown): string {
  return isMissing(error) ? 'its folder does not exist' : fileErrorText(error)
}

async function isRecording(file: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, 0)
  if (bytesRead === 0) return true
  const [first = ''] = buffer.toString('utf8', 0, bytesRead).split('\n', 1)
  try {
    return isRecordingHeader(JSON.parse(first))
  } catch {
    return false
  }
}

/** Follows links; opens a pipe without waiting for its reader. */
async function openOrCreate(path: string): Promise<{ file: FileHandle; isNew: boolean }> {
  try {
    return { file: await open(path, 'wx+', ownerOnly), isNew: true }
  } catch (error) {
    if (fileErrorCode(error) !== 'EEXIST') throw error
    const file = await open(path, constants.O_RDWR | (constants.O_NONBLOCK ?? 0))
    return { file, isNew: false }
  }
}

/** Opens a file for a recording: a new one, an empty one or an older recording. Error: one sentence, the file unchanged. */
export async function openRecordingFile(path: string): Promise<Result<RecordingFile, string>> {
  try {
    const { file, isNew } = await openOrCreate(path)
    const stats = await file.stat()
    const complaint = stats.isFile()
      ? (await isRecording(file))
        ? undefined
        : `${path} is not a Nodescope recording and is not overwritten: choose another file for --record.`
      : `${path} is not a regular file: choose another for --record.`
    if (complaint !== undefined) {
      await file.close()
      return err(complaint)
    }
    return ok({
      path,
      note: noteOf(path, stats.mode & 0o777),
      begin: async () => {
        await file.chmod(ownerOnly)
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

function noteOf(path: string, mode: number): string {
  return (mode & 0o077) === 0
    ? ''
    : `The recording ${path} had the mode ${mode.toString(8).padStart(4, '0')}; it is changed to 0600, so that only its owner can read it.`
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
