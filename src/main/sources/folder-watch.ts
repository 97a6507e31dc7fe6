import { watch } from 'node:fs'

/** A running watch of one folder. Closing twice is fine; nothing is called back afterwards. */
export interface FolderWatch {
  readonly close: () => void
}

export interface FolderWatchListener {
  /** Names in the folder that were written, created, renamed or removed, in order; `undefined`: anything may have changed. */
  readonly onTouched: (names: readonly string[] | undefined) => void
  /** The watch is broken, and closed. */
  readonly onFailed: (error: unknown) => void
}

/** Watches the entries of a folder, not what is in its sub-folders. Throws when the folder cannot be watched. */
export type WatchFolder = (folder: string, listener: FolderWatchListener) => FolderWatch

// Long enough for an editor's truncate and write, or rename and create, to come together; short enough not to be felt.
const gatherMs = 30

/** The operating system's watch. What comes within 30 real ms of the first event is told together. */
export const watchFolder: WatchFolder = (folder, listener) => {
  let touched: Set<string> | undefined
  let isAnything = false
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  const tell = (): void => {
    const names = isAnything ? undefined : [...(touched ?? [])]
    touched = undefined
    isAnything = false
    timer = undefined
    if (!isClosed) listener.onTouched(names)
  }
  const close = (): void => {
    isClosed = true
    clearTimeout(timer)
    watcher.close()
  }
  const watcher = watch(folder, { persistent: false }, (_event, name) => {
    if (name === null) isAnything = true
    else (touched ??= new Set()).add(name)
    timer ??= setTimeout(tell, gatherMs)
  })
  watcher.on('error', (error) => {
    if (isClosed) return
    close()
    listener.onFailed(error)
  })
  return { close }
}
