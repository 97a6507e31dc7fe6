/**
 * What wakes a worker: it holds at most one ring and no payload (Go's channel of capacity 1). A ring
 * between two waits is not lost. Closed for good when the worker has nothing left to do.
 */
export class Bell {
  #isRung = false
  #isClosed = false
  #wake: (() => void) | undefined

  get isClosed(): boolean {
    return this.#isClosed
  }

  ring(): void {
    this.#isRung = true
    this.#wake?.()
  }

  /** Takes a ring back that nobody has heard yet. */
  drain(): void {
    this.#isRung = false
  }

  close(): void {
    this.#isClosed = true
    this.#wake?.()
  }

  /** Waits for a ring and takes it: true. False when closed and no ring is left. One waiter at a time. */
  async next(): Promise<boolean> {
    while (!this.#isRung && !this.#isClosed)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    this.#wake = undefined
    const wasRung = this.#isRung
    this.#isRung = false
    return wasRung
  }
}
