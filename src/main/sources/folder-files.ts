import { isUtf8 } from 'node:buffer'
import { readdir, stat } from 'node:fs/promises'
import { readRegularFile } from '../files/read-regular-file.ts'
import { withinDeadline } from '../files/within-deadline.ts'

/** The used part of Node's `Stats`. Times are ms since 1970. */
export interface EntryFacts {
  readonly dev: number
  readonly ino: number
  readonly size: number
  readonly mtimeMs: number
  readonly ctimeMs: number
  readonly birthtimeMs: number
  readonly isDirectory: () => boolean
  readonly isFile: () => boolean
}

/** kubelet pkg/kubelet/config/common.go: maxConfigLength. */
export const maxManifestBytes = 10 * 1024 * 1024

export interface FolderEntries {
  readonly names: readonly string[]
  /** Names that are not UTF-8 and so cannot be opened; their non-ASCII bytes are shown as `\\xff`. */
  readonly undecodable: readonly string[]
}

/** The file system that holds manifests. Every function rejects like Node's file system, with the error's `code`. */
export interface FolderFiles {
  readonly stat: (path: string) => Promise<EntryFacts>
  /** A folder's entries, in any order. */
  readonly readdir: (path: string) => Promise<FolderEntries>
  readonly readText: (path: string) => Promise<string>
  /** Awaited between long reads, so that other work can run. Absent: reading takes no time. */
  readonly pause?: () => Promise<void>
  /** On the clock of `mtimeMs` and `ctimeMs`. */
  readonly now: () => number
}

function splitByEncoding(entries: readonly Buffer[]): FolderEntries {
  const names: string[] = []
  const undecodable: string[] = []
  for (const entry of entries) {
    if (isUtf8(entry)) names.push(entry.toString())
    else undecodable.push(escaped(entry))
  }
  return { names, undecodable }
}

/** Latin-1 has a character for each byte; bytes beyond ASCII are escaped. */
function escaped(name: Buffer): string {
  return name
    .toString('latin1')
    .replace(/[^ -~]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

/** Real ms, about as long as reading the entries between two pauses takes. */
const pauseMs = 20

/** The machine's file system, each call with a deadline. */
export const diskFiles: FolderFiles = {
  stat: (path) => withinDeadline(path, () => stat(path)),
  readdir: async (path) =>
    splitByEncoding(await withinDeadline(path, () => readdir(path, { encoding: 'buffer' }))),
  readText: async (path) =>
    (await readRegularFile(path, { maxBytes: maxManifestBytes })).bytes.toString(),
  pause: () =>
    new Promise((resolve) => {
      setTimeout(resolve, pauseMs)
    }),
  now: () => Date.now(),
}
