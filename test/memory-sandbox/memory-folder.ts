import { basename, dirname } from 'node:path'
import type { ManifestFolder } from '../../src/main/nodes/pod-sources.ts'
import type { Clock } from '../../src/main/kubelet/ports.ts'
import type { EntryFacts, FolderEntries, FolderFiles } from '../../src/main/sources/folder-files.ts'
import type { FolderWatchListener, WatchFolder } from '../../src/main/sources/folder-watch.ts'

interface StoredFile {
  readonly text: string
  readonly ino: number
  readonly writtenAt: number
}

/** Time in ms from a write until the watch reports it: as long as the real watch collects changes. */
const watchDelayMs = 30

class MissingFile extends Error {
  readonly code = 'ENOENT'
}

/**
 * A folder of manifests in memory, with its watch, for nodes on a virtual clock whose runs can be repeated. It has no
 * sub-folders and always exists.
 */
export class MemoryFolder implements FolderFiles {
  readonly path: string
  readonly now: () => number
  readonly #clock: Clock
  readonly #files = new Map<string, StoredFile>()
  readonly #listeners = new Set<FolderWatchListener>()
  #inodes = 1

  constructor(deps: { readonly path: string; readonly clock: Clock }) {
    this.path = deps.path
    this.#clock = deps.clock
    this.now = deps.clock.now
  }

  /** The folder in the form that a node reads. */
  get manifests(): ManifestFolder {
    return { path: this.path, files: this, watchFolder: this.watchFolder }
  }

  /** Names of the files, sorted. */
  get names(): readonly string[] {
    return [...this.#files.keys()].toSorted()
  }

  /** The text of a file; undefined if it does not exist. */
  textOf(name: string): string | undefined {
    return this.#files.get(name)?.text
  }

  write(name: string, text: string): void {
    const ino = this.#files.get(name)?.ino ?? ++this.#inodes
    this.#files.set(name, { text, ino, writtenAt: this.#clock.now() })
    this.#touched(name)
  }

  /** Removes a file if it exists. */
  remove(name: string): void {
    if (this.#files.delete(name)) this.#touched(name)
  }

  /** Renames a file and replaces one with the new name. */
  rename(from: string, to: string): void {
    const file = this.#files.get(from)
    if (file === undefined || from === to) return
    this.#files.delete(from)
    this.#files.set(to, file)
    this.#touched(from, to)
  }

  readonly watchFolder: WatchFolder = (_folder, listener) => {
    this.#listeners.add(listener)
    return { close: () => this.#listeners.delete(listener) }
  }

  readonly stat = async (path: string): Promise<EntryFacts> => {
    if (path === this.path) return this.#facts({ ino: 1, size: 0, at: 0 }, true)
    const { text, ino, writtenAt } = this.#fileAt(path)
    return this.#facts({ ino, size: Buffer.byteLength(text), at: writtenAt }, false)
  }

  readonly readdir = async (): Promise<FolderEntries> => ({ names: this.names, undecodable: [] })

  readonly readText = async (path: string): Promise<string> => this.#fileAt(path).text

  #fileAt(path: string): StoredFile {
    const file = dirname(path) === this.path ? this.#files.get(basename(path)) : undefined
    if (file === undefined) throw new MissingFile(`there is no ${path}`)
    return file
  }

  #facts(
    { ino, size, at }: { readonly ino: number; readonly size: number; readonly at: number },
    isFolder: boolean,
  ): EntryFacts {
    return {
      dev: 1,
      ino,
      size,
      mtimeMs: at,
      ctimeMs: at,
      birthtimeMs: 0,
      isDirectory: () => isFolder,
      isFile: () => !isFolder,
    }
  }

  #touched(...names: readonly string[]): void {
    for (const listener of this.#listeners)
      this.#clock.after(watchDelayMs, () => {
        if (this.#listeners.has(listener)) listener.onChanged(names)
      })
  }
}
