import type { CancelTimer, Clock } from '../../kubelet/ports.ts'

/** The part of a WebSocket that sends. */
export interface SendingSocket {
  readonly bufferedAmount: number
  readonly send: (text: string) => void
  /** Ends the connection at once. */
  readonly terminate: () => void
}

/** Beyond this much unsent the page does not keep up. */
const highWaterBytes = 8 * 1024 * 1024
/** It has this long to catch up. */
const patienceMs = 10_000
/** More than this is never kept for anyone. */
const limitBytes = 64 * 1024 * 1024

interface OutboxDeps {
  readonly socket: SendingSocket
  readonly clock: Clock
  readonly onOverflow: (bufferedBytes: number) => void
}

/**
 * Sends to one page, and ends the connection of a page that stays behind: main does not keep its
 * backlog. It connects again and starts from a fresh snapshot.
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
    this.#cancelCheck ??= this.#deps.clock.after(patienceMs, () => {
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
