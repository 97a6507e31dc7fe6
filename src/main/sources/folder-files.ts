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

/** Where manifests lie. Everything rejects as Node's file system does, with the error's `code`. */
export interface FolderFiles {
  readonly stat: (path: string) => Promise<EntryFacts>
  /** Names of a folder's entries, in any order. */
  readonly readdir: (path: string) => Promise<readonly string[]>
  readonly readText: (path: string) => Promise<string>
  /** The time that `mtimeMs` and `ctimeMs` are told by. */
  readonly now: () => number
}

/** The machine's own files, each question within a deadline. */
export const diskFiles: FolderFiles = {
  stat: (path) => withinDeadline(path, () => stat(path)),
  readdir: (path) => withinDeadline(path, () => readdir(path)),
  readText: async (path) =>
    (await readRegularFile(path, { maxBytes: maxManifestBytes })).bytes.toString(),
  now: () => Date.now(),
}
