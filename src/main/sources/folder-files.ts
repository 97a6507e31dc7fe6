import { readFile, readdir, stat } from 'node:fs/promises'

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

/** Where manifests lie. Everything rejects as Node's file system does, with the error's `code`. */
export interface FolderFiles {
  readonly stat: (path: string) => Promise<EntryFacts>
  /** Names of a folder's entries, in any order. */
  readonly readdir: (path: string) => Promise<readonly string[]>
  readonly readText: (path: string) => Promise<string>
  /** The time that `mtimeMs` and `ctimeMs` are told by. */
  readonly now: () => number
}

/** The machine's own files. */
export const diskFiles: FolderFiles = {
  stat: (path) => stat(path),
  readdir: (path) => readdir(path),
  readText: (path) => readFile(path, 'utf8'),
  now: () => Date.now(),
}
