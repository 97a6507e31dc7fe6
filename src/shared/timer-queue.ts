/** A timer that waits: due time, then insertion order. */
export interface QueuedTimer<T> {
  readonly due: number
  readonly order: number
  readonly value: T
  isCancelled: boolean
}

function isBefore(a: QueuedTimer<unknown>, b: QueuedTimer<unknown>): boolean {
  return a.due < b.due || (a.due === b.due && a.order < b.order)
}

/** Binary heap of timers by (due, order). Cancelled ones stay until they surface or outnumber the live ones. */
export class TimerQueue<T> {
  #heap: QueuedTimer<T>[] = []
  #order = 0
  #cancelled = 0

  /** Live timers. */
  get size(): number {
    return this.#heap.length - this.#cancelled
  }

  add(due: number, value: T): QueuedTimer<T> {
    const timer: QueuedTimer<T> = { due, order: this.#order++, value, isCancelled: false }
    this.#heap.push(timer)
    this.#up(this.#heap.length - 1)
    return timer
  }

  cancel(timer: QueuedTimer<T>): void {
    if (timer.isCancelled) return
    timer.isCancelled = true
    this.#cancelled++
    if (this.#cancelled > 64 && this.#cancelled > this.#heap.length / 2) this.#compact()
  }

  peek(): QueuedTimer<T> | undefined {
    for (;;) {
      const top = this.#heap[0]
      if (top === undefined || !top.isCancelled) return top
      this.#removeTop()
      this.#cancelled--
    }
  }

  /** Removes and returns the earliest live timer. It counts as cancelled afterwards, so that a late cancel does nothing. */
  take(): QueuedTimer<T> | undefined {
    const top = this.peek()
    if (top === undefined) return undefined
    this.#removeTop()
    top.isCancelled = true
    return top
  }

  #compact(): void {
    this.#heap = this.#heap.filter((timer) => !timer.isCancelled)
    this.#cancelled = 0
    this.#heap.sort((a, b) => (isBefore(a, b) ? -1 : 1))
  }

  #removeTop(): void {
    const last = this.#heap.pop()
    if (last === undefined || this.#heap.length === 0) return
    this.#heap[0] = last
    this.#down(0)
  }

  #up(start: number): void {
    let index = start
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!this.#swapIfBefore(index, parent)) return
      index = parent
    }
  }

  #down(start: number): void {
    let index = start
    for (;;) {
      const left = 2 * index + 1
      const leftTimer = this.#heap[left]
      if (leftTimer === undefined) return
      const rightTimer = this.#heap[left + 1]
      const child = rightTimer !== undefined && isBefore(rightTimer, leftTimer) ? left + 1 : left
      if (!this.#swapIfBefore(child, index)) return
      index = child
    }
  }

  #swapIfBefore(child: number, parent: number): boolean {
    const childTimer = this.#heap[child]
    const parentTimer = this.#heap[parent]
    if (childTimer === undefined || parentTimer === undefined) return false
    if (!isBefore(childTimer, parentTimer)) return false
    this.#heap[child] = parentTimer
    this.#heap[parent] = childTimer
    return true
  }
}
