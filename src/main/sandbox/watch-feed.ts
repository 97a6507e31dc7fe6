import type { WatchEvent, WatchStream } from '../../shared/kubernetes/request.ts'
import type { RingLimits } from './object-store.ts'

/**
 * The queue of one watch: written at once, read when the client asks. A client that does not read
 * costs no more than `capacity`; one event more and its watch is closed with `overflow` as its last.
 */
export class WatchFeed {
  readonly #capacity: RingLimits
  readonly #overflow: () => WatchEvent
  readonly #onEnd: (() => void)[]
  /** What the watch starts with; already in memory elsewhere, so it does not count. */
  #initial: Iterator<WatchEvent>
  #queue: { readonly event: WatchEvent; readonly size: number }[] = []
  #size = 0
  #wake: (() => void) | undefined
  #isClosed = false

  constructor(options: {
    readonly initial: Iterable<WatchEvent>
    readonly capacity: RingLimits
    readonly overflow: () => WatchEvent
    /** Called once, when nothing more will be taken in. */
    readonly onEnd: () => void
  }) {
    this.#initial = options.initial[Symbol.iterator]()
    this.#capacity = options.capacity
    this.#overflow = options.overflow
    this.#onEnd = [options.onEnd]
  }

  /** `size`: characters of the object that it holds, as JSON. */
  push(event: WatchEvent, size = 0): void {
    if (this.#isClosed) return
    const { events, size: largest } = this.#capacity
    if (this.#queue.length < events && this.#size + size <= largest) {
      this.#queue.push({ event, size })
      this.#size += size
      this.#notify()
      return
    }
    this.#initial = [].values()
    this.#queue = [{ event: this.#overflow(), size: 0 }]
    this.close()
  }

  /** Lets the client read what is there, and then ends. Twice is fine. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const act of this.#onEnd.splice(0)) act()
    this.#notify()
  }

  /** Something more to do once when the watch ends; at once if it has. */
  onEnd(act: () => void): void {
    if (this.#isClosed) act()
    else this.#onEnd.push(act)
  }

  get stream(): WatchStream {
    return {
      events: { [Symbol.asyncIterator]: () => this.#iterator() },
      stop: () => {
        this.#initial = [].values()
        this.#queue = []
        this.close()
      },
    }
  }

  #notify(): void {
    this.#wake?.()
    this.#wake = undefined
  }

  #iterator(): AsyncIterator<WatchEvent> {
    const done = { done: true as const, value: undefined }
    return {
      next: async () => {
        for (;;) {
          const initial = this.#initial.next()
          if (initial.done !== true) return { done: false, value: initial.value }
          const next = this.#queue.shift()
          this.#size -= next?.size ?? 0
          if (next !== undefined) return { done: false, value: next.event }
          if (this.#isClosed) return done
          await new Promise<void>((resolve) => {
            this.#wake = resolve
          })
        }
      },
      return: () => {
        this.stream.stop()
        return Promise.resolve(done)
      },
    }
  }
}
