import { isUtf8 } from 'node:buffer'
import { readdir, stat } from 'node:fs/promises'
import { readRegularFile } from '../files/read-regular-file.ts'
import { withinDeadline } from '../files/within-deadline.ts'

/** What is known of an entry without reading it: Node's `Stats`, as far as it is asked for. Times are ms since 1970. */
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
  /** Names that are not UTF-8, so that no text opens them: their other bytes are shown as `\\xff`. */
  readonly undecodable: readonly string[]
}

/** Where manifests lie. Everything rejects as Node's file system does, with the error's `code`. */
export interface FolderFiles {
  readonly stat: (path: string) => Promise<EntryFacts>
  /** A folder's entries, in any order. */
  readonly readdir: (path: string) => Promise<FolderEntries>
  readonly readText: (path: string) => Promise<string>
  /** A moment in which everything else goes on, awaited after much reading. Absent: reading takes no time. */
  readonly pause?: () => Promise<void>
  /** The time that `mtimeMs` and `ctimeMs` are told by. */
  readonly now: () => number
}

function sortedOut(entries: readonly Buffer[]): FolderEntries {
  const names: string[] = []
  const undecodable: string[] = []
  for (const entry of entries) {
    if (isUtf8(entry)) names.push(entry.toString())
    else undecodable.push(escaped(entry))
  }
  return { names, undecodable }
}

/** Latin 1 has a character for each byte; those beyond ASCII are written out. */
function escaped(name: Buffer): string {
  return name
    .toString('latin1')
    .replace(/[^ -~]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

/** Real ms, about as long as it takes to look at the entries between two pauses. */
const pauseMs = 20

/** The machine's own files, each question within a deadline. */
export const diskFiles: FolderFiles = {
  stat: (path) => withinDeadline(path, () => stat(path)),
  readdir: async (path) =>
    sortedOut(await withinDeadline(path, () => readdir(path, { encoding: 'buffer' }))),
  readText: async (path) =>
    (await readRegularFile(path, { maxBytes: maxManifestBytes })).bytes.toString(),
  pause: () =>
    new Promise((resolve) => {
      setTimeout(resolve, pauseMs)
    }),
  now: () => Date.now(),
}
