import { watch } from 'node:fs'

/** A running watch of one folder. `close` is idempotent; no callback runs afterwards. */
export interface FolderWatch {
  readonly close: () => void
}

export interface FolderWatchListener {
  /** Names in the folder that were written, created, renamed or removed, in order; `undefined`: anything may have changed. */
  readonly onChanged: (names: readonly string[] | undefined) => void
  /** The watch has failed and is closed. */
  readonly onFailed: (error: unknown) => void
}

/** Watches the entries of a folder, not its subfolders. Throws if the folder cannot be watched. */
export type WatchFolder = (folder: string, listener: FolderWatchListener) => FolderWatch

// Long enough to combine an editor's truncate and write, or rename and create; short enough not to be noticed.
const gatherMs = 30

/** The operating system's watch. Combines the events within 30 real ms of the first one. */
export const watchFolder: WatchFolder = (folder, listener) => {
  let changed: Set<string> | undefined
  let isUnknown = false
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  const report = (): void => {
    const names = isUnknown ? undefined : [...(changed ?? [])]
    changed = undefined
    isUnknown = false
    timer = undefined
    if (!isClosed) listener.onChanged(names)
  }
  const close = (): void => {
    isClosed = true
    clearTimeout(timer)
    watcher.close()
  }
  const watcher = watch(folder, { persistent: false }, (_event, name) => {
    if (name === null) isUnknown = true
    else (changed ??= new Set()).add(name)
    timer ??= setTimeout(report, gatherMs)
  })
  watcher.on('error', (error) => {
    if (isClosed) return
    close()
    listener.onFailed(error)
  })
  return { close }
}
