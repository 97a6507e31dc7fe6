import type { WatchEvent, WatchStream } from '../../shared/kubernetes/request.ts'
import type { RingLimits } from './object-store.ts'

interface WatchFeedOptions {
  readonly initial: Iterable<WatchEvent>
  readonly capacity: RingLimits
  readonly overflow: () => WatchEvent
  /** Called once, when the feed accepts no more events. */
  readonly onEnd: () => void
}

/**
 * The queue of events between a watch and its client. If a client does not read and the queue exceeds `capacity`, the watch is
 * closed with the event from `overflow` as its last.
 */
export class WatchFeed {
  readonly #options: WatchFeedOptions
  readonly #onEnd: (() => void)[]
  /** The initial events. They are in memory in any case and do not count. */
  #initial: Iterator<WatchEvent>
  #queue: { readonly event: WatchEvent; readonly size: number }[] = []
  #size = 0
  #wake: (() => void) | undefined
  #isClosed = false

  constructor(options: WatchFeedOptions) {
    this.#options = options
    this.#initial = options.initial[Symbol.iterator]()
    this.#onEnd = [options.onEnd]
  }

  /** `size`: characters of the event's object as JSON. */
  push(event: WatchEvent, size = 0): void {
    if (this.#isClosed) return
    const { events, size: largest } = this.#options.capacity
    if (this.#queue.length < events && this.#size + size <= largest) {
      this.#queue.push({ event, size })
      this.#size += size
      this.#notify()
      return
    }
    this.#initial = [].values()
    this.#queue = [{ event: this.#options.overflow(), size: 0 }]
    this.close()
  }

  /** Ends the stream after the client has read the queue. Can be called twice. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const act of this.#onEnd.splice(0)) act()
    this.#notify()
  }

  /** Calls `act` when the watch ends, or now if it has ended. */
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
      onEnd: (act) => {
        this.onEnd(act)
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
