import type { CancelTimer, Clock } from '../../kubelet/ports.ts'

/** The part of a WebSocket that sends. */
export interface SendingSocket {
  readonly bufferedAmount: number
  readonly send: (text: string) => void
  /** Ends the connection at once. */
  readonly terminate: () => void
}

/** With more unsent bytes the page is too slow. */
const highWaterBytes = 8 * 1024 * 1024
/** The time that a slow page has to catch up. */
const catchUpMs = 10_000
/** With more unsent bytes the connection ends at once. */
const limitBytes = 64 * 1024 * 1024

interface OutboxDeps {
  readonly socket: SendingSocket
  readonly clock: Clock
  readonly onOverflow: (bufferedBytes: number) => void
}

/**
 * Sends to one page, and ends the connection of a page that is too slow, so that its backlog does not grow. The page connects
 * again and gets a new snapshot.
 */
export class Outbox {
  readonly #deps: OutboxDeps
  #cancelCheck: CancelTimer | undefined

  constructor(deps: OutboxDeps) {
    this.#deps = deps
  }

  send(message: unknown): void {
    this.#deps.socket.send(JSON.stringify(message))
    const buffered = this.#deps.socket.bufferedAmount
    if (buffered > limitBytes) this.#overflow()
    else if (buffered > highWaterBytes) this.#watch()
  }

  close(): void {
    this.#cancelCheck?.()
    this.#cancelCheck = undefined
  }

  #watch(): void {
    this.#cancelCheck ??= this.#deps.clock.after(catchUpMs, () => {
      this.#cancelCheck = undefined
      if (this.#deps.socket.bufferedAmount > highWaterBytes) this.#overflow()
    })
  }

  #overflow(): void {
    this.close()
    this.#deps.onOverflow(this.#deps.socket.bufferedAmount)
    this.#deps.socket.terminate()
  }
}
