import {
  chmod,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import type { Stats } from 'node:fs'
import type { Result } from '../../shared/result.ts'
import { err, ok } from '../../shared/result.ts'
import type { HostFileError, HostFiles, HostFileStat } from '../kubelet/host/host-files.ts'

const kinds: Readonly<Record<string, HostFileError['kind']>> = {
  ENOENT: 'not-found',
  EEXIST: 'exists',
  ENOTEMPTY: 'failed',
  ENOTDIR: 'not-a-folder',
  EISDIR: 'is-a-folder',
}

/** Where libuv's words are not Go's. */
const texts: Readonly<Record<string, string>> = {
  EISDIR: 'is a directory',
  EEXIST: 'file exists',
}

/** Node's `ENOENT: no such file or directory, open '/x'` in Go's order. */
function failure(call: string, path: string, error: unknown): Result<never, HostFileError> {
  const { code = '', message = String(error) } =
    error instanceof Error ? { message: error.message, code: codeOf(error) } : {}
  const text = texts[code] ?? /^[A-Z\d]+: ([^,]+)/.exec(message)?.[1] ?? message
  return err({ kind: kinds[code] ?? 'failed', message: `${call} ${path}: ${text}` })
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}

async function answer<T>(
  call: string,
  path: string,
  work: () => Promise<T>,
): Promise<Result<T, HostFileError>> {
  try {
    return ok(await work())
  } catch (error) {
    return failure(call, path, error)
  }
}

/** The files of this machine. */
export const nodeHostFiles: HostFiles = {
  readText: (path) => answer('open', path, () => readFile(path, 'utf8')),
  readEnd: (path, maxBytes) =>
    answer('open', path, async () => {
      const file = await open(path, 'r')
      try {
        const { size } = await file.stat()
        const length = Math.min(size, maxBytes)
        const { buffer, bytesRead } = await file.read(
          Buffer.alloc(length),
          0,
          length,
          size - length,
        )
        return buffer.toString('utf8', 0, bytesRead)
      } finally {
        await file.close()
      }
    }),
  readBytes: (path) => answer('open', path, () => readFile(path)),
  list: (path) => answer('open', path, async () => (await readdir(path)).toSorted()),
  stat: (path) => answer('stat', path, async () => statOf(await stat(path))),
  lstat: (path) => answer('lstat', path, async () => statOf(await lstat(path))),
  readLink: (path) => answer('readlink', path, () => readlink(path)),
  write: (path, data, mode = 0o644) =>
    answer('open', path, async () => {
      const isNew = !(await answer('stat', path, () => stat(path))).ok
      await writeFile(path, data, { mode })
      // The process's umask does not count.
      if (isNew) await chmod(path, mode)
      return undefined
    }),
  makeFolder: async (path, mode = 0o755) => {
    const made = await answer('mkdir', path, async () => {
      const first = await mkdir(path, { recursive: true, mode })
      if (first !== undefined) await chmod(path, mode)
      return undefined
    })
    if (made.ok || made.error.kind !== 'exists') return made
    // Go's os.MkdirAll says so of a file in the way.
    return err({ kind: 'not-a-folder', message: `mkdir ${path}: not a directory` })
  },
  symlink: (target, path) =>
    answer('symlink', `${target} ${path}`, async () => {
      await symlink(target, path)
      return undefined
    }),
  rename: (from, to) =>
    answer('rename', `${from} ${to}`, async () => {
      await rename(from, to)
      return undefined
    }),
  remove: (path) =>
    answer('unlinkat', path, async () => {
      await rm(path, { recursive: true, force: true })
      return undefined
    }),
}

function statOf(stats: Stats): HostFileStat {
  const { size: sizeBytes, mode } = stats
  // In units of 512 bytes, whatever the size of a block is.
  const allocatedBytes = stats.blocks * 512
  return { kind: kindOf(stats), sizeBytes, allocatedBytes, mode: mode & 0o7777 }
}

function kindOf(stats: Stats): HostFileStat['kind'] {
  if (stats.isSymbolicLink()) return 'symlink'
  if (stats.isDirectory()) return 'folder'
  if (stats.isSocket()) return 'socket'
  if (stats.isBlockDevice()) return 'block-device'
  return stats.isCharacterDevice() ? 'character-device' : 'file'
}
