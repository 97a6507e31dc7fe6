import { open, lstat, rename, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { fileErrorText, isMissing } from '../files/file-error.ts'
import { readRegularFile } from '../files/read-regular-file.ts'
import { temporaryPath } from '../files/temporary-path.ts'
import { withinDeadline } from '../files/within-deadline.ts'
import { maxManifestBytes } from './folder-files.ts'

/** A manifest file. */
export interface ManifestBytes {
  readonly bytes: Buffer
  readonly mode: number
}

const newFileMode = 0o644

/** Why a name cannot be the name of a manifest file; undefined if it can. */
export function fileNameProblem(name: string): string | undefined {
  if (name === '') return 'A manifest needs a file name.'
  // eslint-disable-next-line no-control-regex -- finds control characters
  if (/[/\\\u0000-\u001f\u007f]/.test(name))
    return `${JSON.stringify(name)} is not a plain file name: a manifest must be directly in the manifest folder.`
  if (name.startsWith('.'))
    return `A manifest’s name must not begin with a dot: the kubelet ignores ${JSON.stringify(name)}.`
  if (Buffer.byteLength(name) > 255) return 'A file name can have at most 255 bytes.'
  return undefined
}

async function entryProblem(path: string, name: string): Promise<string | undefined> {
  const stats = await withinDeadline(path, () => lstat(path))
  if (stats.isSymbolicLink()) return `${name} is a symbolic link: change or remove its target.`
  if (stats.isDirectory()) return `${name} is a folder, not a manifest.`
  if (!stats.isFile()) return `${name} is not a regular file.`
  return stats.size > maxManifestBytes ? `${name} is larger than 10 MiB.` : undefined
}

/** Reads a file without following links; undefined if it does not exist. Error: one sentence. */
export async function readEntry(
  path: string,
  name: string,
): Promise<Result<ManifestBytes | undefined, string>> {
  try {
    const problem = await entryProblem(path, name)
    if (problem !== undefined) return err(problem)
    // Another entry may have replaced the file in the meantime.
    const limits = { maxBytes: maxManifestBytes, followsLinks: false }
    const { bytes, stats } = await readRegularFile(path, limits)
    return ok({ bytes, mode: stats.mode & 0o777 })
  } catch (error) {
    if (isMissing(error)) return ok(undefined)
    return err(`${name} cannot be read: ${fileErrorText(error)}.`)
  }
}

/**
 * Creates or replaces a file atomically. The name of the temporary file begins with a dot, so that a kubelet ignores it.
 * Error: one sentence, nothing changed.
 */
export async function replaceEntry(
  path: string,
  name: string,
  content: { readonly bytes: Buffer; readonly mode: number | undefined },
): Promise<Result<undefined, string>> {
  const temporary = temporaryPath(path)
  try {
    await writeWhole(temporary, content)
    await rename(temporary, path)
    await syncFolder(dirname(path))
    return ok(undefined)
  } catch (error) {
    await unlink(temporary).catch(() => undefined)
    return err(`${name} cannot be written: ${fileErrorText(error)}.`)
  }
}

async function writeWhole(
  path: string,
  { bytes, mode }: { readonly bytes: Buffer; readonly mode: number | undefined },
): Promise<void> {
  const file = await open(path, 'wx', newFileMode)
  try {
    await file.writeFile(bytes)
    if (mode !== undefined) await file.chmod(mode)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Makes the rename durable. Not every system can sync a folder; the file is correct without it. */
async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, 'r')
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  } catch {
    return
  }
}

/** Error: one sentence, nothing changed. */
export async function removeEntry(path: string, name: string): Promise<Result<undefined, string>> {
  try {
    await unlink(path)
    return ok(undefined)
  } catch (error) {
    return err(`${name} cannot be removed: ${fileErrorText(error)}.`)
  }
}
