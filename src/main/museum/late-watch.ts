import type { FolderWatch, FolderWatchListener, WatchFolder } from '../sources/folder-watch.ts'

/**
 * A watch over folders that sees nothing until it is told to begin. While an exhibit is played, its manifests
 * are read when its script says so; news of the same files that comes late, in real time, would fall into
 * another moment of the cluster's time at every opening.
 */
export class LateWatch {
  readonly #watchFolder: WatchFolder
  readonly #waiting = new Set<() => void>()
  #hasBegun = false

  constructor(deps: { readonly watchFolder: WatchFolder }) {
    this.#watchFolder = deps.watchFolder
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

  /** From now on as the watch beneath. */
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
