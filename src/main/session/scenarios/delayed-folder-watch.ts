import type { FolderWatch, FolderWatchListener, WatchFolder } from '../../sources/folder-watch.ts'

/**
 * A watch over folders that reports nothing before `begin`. While the steps of a scenario run, the kubelet reads a
 * manifest when a step writes it. File system events arrive late and in real time, so they would fall at another
 * time of the virtual clock at each opening.
 */
export class DelayedFolderWatch {
  readonly #watchFolder: WatchFolder
  readonly #waiting = new Set<() => void>()
  #hasBegun = false

  constructor(watchFolder: WatchFolder) {
    this.#watchFolder = watchFolder
  }

  readonly watchFolder: WatchFolder = (folder, listener) => {
    if (this.#hasBegun) return this.#watchFolder(folder, listener)
    let running: FolderWatch | undefined
    const start = (): void => {
      running = this.#start(folder, listener)
    }
    this.#waiting.add(start)
    return {
      close: () => {
        this.#waiting.delete(start)
        running?.close()
      },
    }
  }

  /** Starts all watches that were requested and not closed; later requests start at once. */
  begin(): void {
    this.#hasBegun = true
    for (const start of this.#waiting) start()
    this.#waiting.clear()
  }

  #start(folder: string, listener: FolderWatchListener): FolderWatch | undefined {
    try {
      return this.#watchFolder(folder, listener)
    } catch (error) {
      listener.onFailed(error)
      return undefined
    }
  }
}
