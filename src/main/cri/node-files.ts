import {
  appendFileSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import type { Stats } from 'node:fs'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { fileErrorNamed } from '../runtimes/simulated/files/file-error.ts'
import type { FileError } from '../runtimes/simulated/files/file-error.ts'
import type { MachineFileInfo, MachineFiles } from '../runtimes/simulated/files/machine-files.ts'

/** The rest of a larger file is not read. */
const maxReadBytes = 16 * 1024 * 1024

/** The files of this machine. */
export const nodeFiles: MachineFiles = {
  info: (path) => attempt(() => infoOf(lstatSync(path))),
  list: (path) => attempt(() => readdirSync(path)),
  read: (path) => attempt(() => firstBytes(path)),
  readLink: (path) => attempt(() => readlinkSync(path)),
  write: (path, data, mode) =>
    change(() => writeFileSync(path, data, mode === undefined ? {} : { mode })),
  append: (path, data) => change(() => appendFileSync(path, data)),
  makeFolder: (path, mode) => change(() => mkdirSync(path, { mode })),
  symlink: (target, path) => change(() => symlinkSync(target, path)),
  rename: (from, to) => change(() => renameSync(from, to)),
  remove: (path) => change(() => rmSync(path, { recursive: true, force: true })),
  touch: (path, modifiedAt) => change(() => utimesSync(path, modifiedAt / 1000, modifiedAt / 1000)),
}

function attempt<T>(call: () => T): Result<T, FileError> {
  try {
    return ok(call())
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return err(fileErrorNamed(code))
  }
}

function change(call: () => void): FileError | undefined {
  const changed = attempt(call)
  return changed.ok ? undefined : changed.error
}

function infoOf(stats: Stats): MachineFileInfo {
  const kind = stats.isFile()
    ? 'file'
    : stats.isDirectory()
      ? 'folder'
      : stats.isSymbolicLink()
        ? 'symlink'
        : 'other'
  return { kind, sizeBytes: stats.size, mode: stats.mode & 0o7777, modifiedAt: stats.mtimeMs }
}

/** Also of files whose size is not known, such as those of /proc. */
function firstBytes(path: string): Uint8Array {
  const file = openSync(path, 'r')
  try {
    const parts: Uint8Array[] = []
    for (let count = 0; count < maxReadBytes;) {
      const part = new Uint8Array(65_536)
      const length = readSync(file, part)
      if (length === 0) break
      parts.push(part.subarray(0, length))
      count += length
    }
    return Buffer.concat(parts)
  } finally {
    closeSync(file)
  }
}
