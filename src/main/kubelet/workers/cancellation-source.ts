import type { Cancellation } from '../ports.ts'

/** The side that cancels: Go's context with its cancel function. Cancelling twice does nothing. */
export class CancellationSource {
  #isCancelled = false
  readonly #listeners = new Set<() => void>()

  /** What is handed to the work. */
  readonly cancellation: Cancellation = {
    isCancelled: () => this.#isCancelled,
    onCancel: (fn) => {
      if (this.#isCancelled) {
        fn()
        return () => undefined
      }
      this.#listeners.add(fn)
      return () => {
        this.#listeners.delete(fn)
      }
    },
  }

  cancel(): void {
    if (this.#isCancelled) return
    this.#isCancelled = true
    for (const listener of this.#listeners) listener()
    this.#listeners.clear()
  }
}
