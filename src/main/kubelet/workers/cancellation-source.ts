import type { Cancellation } from '../ports.ts'

/** The side that cancels: Go's context with its cancel function. Cancelling twice does nothing. */
export class CancellationSource implements Cancellation {
  #isCancelled = false
  /** Undefined while there are none: most work ends without any. */
  #listeners: Set<() => void> | undefined

  /** What is handed to the work. */
  get cancellation(): Cancellation {
    return this
  }

  isCancelled(): boolean {
    return this.#isCancelled
  }

  onCancel(fn: () => void): () => void {
    if (this.#isCancelled) {
      fn()
      return () => undefined
    }
    this.#listeners ??= new Set()
    this.#listeners.add(fn)
    return () => {
      this.#listeners?.delete(fn)
      if (this.#listeners?.size === 0) this.#listeners = undefined
    }
  }

  cancel(): void {
    if (this.#isCancelled) return
    this.#isCancelled = true
    for (const listener of this.#listeners ?? []) listener()
    this.#listeners = undefined
  }
}
