/**
 * What wakes a worker: it holds at most one ring and no payload (Go's channel of capacity 1). A ring while the
 * worker is busy is not lost. Closed for good when the worker has nothing left to do. Where Go keeps a goroutine
 * that waits, a worker without work holds nothing but its bell.
 */
export class Bell {
  /** When its worker last called a sync function, in ms on the clock; before everything: never. */
  lastSyncAt = Number.NEGATIVE_INFINITY
  readonly #uid: string
  readonly #wake: (uid: string, bell: Bell) => void
  #isRung = false
  #isClosed = false
  #isHeard = false

  /** `wake` is called by a ring for the pod `uid` that nobody listens for yet. Whoever it starts takes rings until there is none. */
  constructor(uid: string, wake: (uid: string, bell: Bell) => void) {
    this.#uid = uid
    this.#wake = wake
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  ring(): void {
    this.#isRung = true
    if (this.#isHeard) return
    this.#isHeard = true
    this.#wake(this.#uid, this)
  }

  /** Takes a ring back that nobody has heard yet. */
  drain(): void {
    this.#isRung = false
  }

  /** A ring that is left may still be taken. */
  close(): void {
    this.#isClosed = true
  }

  /** Takes the ring: true. False when there is none, and the next ring wakes a worker again. */
  take(): boolean {
    const wasRung = this.#isRung
    this.#isRung = false
    this.#isHeard = wasRung
    return wasRung
  }
}
