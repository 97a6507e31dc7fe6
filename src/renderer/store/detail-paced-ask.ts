import type { PodKey } from '../../shared/model/pod-row.ts'

/**
 * Asks main about one pod, again after what it said has grown old, and not more often than the pace
 * allows. One request is under way at a time. Nothing is asked while nobody wants to know.
 */
export class PacedAsk<T> {
  readonly #ask: (key: PodKey) => Promise<T | null>
  readonly #publish: (answer: T | null) => void
  #key: PodKey | null = null
  #isWanted = false
  #paceMs = 0
  #isOld = false
  #isAsking = false
  #rest: ReturnType<typeof setTimeout> | undefined

  constructor(deps: {
    readonly ask: (key: PodKey) => Promise<T | null>
    /** Null: there is nothing to show yet. */
    readonly publish: (answer: T | null) => void
  }) {
    this.#ask = deps.ask
    this.#publish = deps.publish
  }

  /** Another pod starts from nothing and is asked for at once. */
  about(key: PodKey | null): void {
    if (key === this.#key) return
    this.#key = key
    this.#isOld = key !== null
    this.#endRest()
    this.#publish(null)
    this.#try()
  }

  /** A wish that is new or more urgent does not wait for the rest of a slower pace. */
  want(isWanted: boolean, paceMs: number): void {
    if (isWanted === this.#isWanted && paceMs === this.#paceMs) return
    if (paceMs < this.#paceMs) this.#endRest()
    this.#isWanted = isWanted
    this.#paceMs = paceMs
    this.#try()
  }

  /** Something of the pod has changed since. */
  grewOld(): void {
    this.#isOld = true
    this.#try()
  }

  stop(): void {
    this.#key = null
    this.#endRest()
  }

  #endRest(): void {
    clearTimeout(this.#rest)
    this.#rest = undefined
  }

  #try(): void {
    const key = this.#key
    if (key === null || !this.#isWanted || !this.#isOld) return
    if (this.#isAsking || this.#rest !== undefined) return
    this.#isAsking = true
    this.#isOld = false
    this.#ask(key).then(
      (answer) => {
        // A pod that is gone is still shown as it was last.
        if (key === this.#key && answer !== null) this.#publish(answer)
        this.#answered(key)
      },
      () => {
        // The connection is lost: a detail comes when it is back, and makes this old again.
        this.#answered(key)
      },
    )
  }

  #answered(key: PodKey): void {
    this.#isAsking = false
    if (key !== this.#key) {
      this.#try()
      return
    }
    this.#rest = setTimeout(() => {
      this.#rest = undefined
      this.#try()
    }, this.#paceMs)
  }
}
