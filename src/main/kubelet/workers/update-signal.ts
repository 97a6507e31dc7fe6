/**
 * Wakes a worker, as the channel podUpdates of the kubelet (capacity 1, no payload): a signal while the worker is
 * busy is not lost. Closed for good when the worker ends. Where Go keeps a goroutine that waits, an idle worker is
 * only this object.
 */
export class UpdateSignal {
  /** When its worker last called a sync function, in ms on the clock; -Infinity before that. */
  lastSyncAt = Number.NEGATIVE_INFINITY
  readonly #uid: string
  readonly #wake: (uid: string, signal: UpdateSignal) => void
  #isPending = false
  #isClosed = false
  #isReceiving = false

  /** `wake` starts the worker of the pod `uid` on a signal while none runs. The worker receives signals until there is none. */
  constructor(uid: string, wake: (uid: string, signal: UpdateSignal) => void) {
    this.#uid = uid
    this.#wake = wake
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  send(): void {
    this.#isPending = true
    if (this.#isReceiving) return
    this.#isReceiving = true
    this.#wake(this.#uid, this)
  }

  /** Discards a signal that was not received yet. */
  drain(): void {
    this.#isPending = false
  }

  /** A signal that is left can still be received. */
  close(): void {
    this.#isClosed = true
  }

  /** True: there was a signal. False: there is none, and the next one wakes a worker again. */
  receive(): boolean {
    const wasRung = this.#isPending
    this.#isPending = false
    this.#isReceiving = wasRung
    return wasRung
  }
}
