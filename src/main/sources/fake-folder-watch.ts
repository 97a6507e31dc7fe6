import type { FolderWatchListener, WatchFolder } from './folder-watch.ts'

/** A watch that the test triggers by hand. */
export class FakeFolderWatch {
  readonly watched: string[] = []
  /** What the next tries to watch throw. */
  failures: Error[] = []
  #listener: FolderWatchListener | undefined

  readonly watchFolder: WatchFolder = (folder, listener) => {
    const failure = this.failures.shift()
    this.watched.push(folder)
    if (failure !== undefined) throw failure
    this.#listener = listener
    return {
      close: () => {
        if (this.#listener === listener) this.#listener = undefined
      },
    }
  }

  get isWatching(): boolean {
    return this.#listener !== undefined
  }

  touch(...names: readonly string[]): void {
    this.#listener?.onChanged(names)
  }

  touchAnything(): void {
    this.#listener?.onChanged(undefined)
  }

  fail(error: Error): void {
    const listener = this.#listener
    this.#listener = undefined
    listener?.onFailed(error)
  }
}
