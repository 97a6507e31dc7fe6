import { shallow } from 'zustand/vanilla/shallow'

/** `loading` lasts until the first answer; `gone`: main does not have it, or no longer. */
export type AnswerState = 'none' | 'loading' | 'live' | 'gone'

/** The answer about a key. */
export interface Answer<T> {
  readonly state: AnswerState
  /** Main's last answer; kept after the thing is gone. */
  readonly value: T | null
  /** Why the last request failed, so the value may be old; else empty. */
  readonly failure: string
}

export const noAnswer: Answer<never> = { state: 'none', value: null, failure: '' }

export interface KeyedRequestDeps<K, T> {
  /** Null: it does not exist. Rejects if main did not answer. */
  readonly ask: (key: K) => Promise<T | null>
  readonly publish: (answer: Answer<T>) => void
  /** The shortest time between two requests about one key, in ms; default 0. */
  readonly minIntervalMs?: number
  /** For a request that makes main send updates: stops them. */
  readonly unsubscribe?: () => Promise<unknown>
}

const firstRetryMs = 1000
const longestRetryMs = 8000

/** The delay before the next try after this many failures in a row, in ms. */
export function retryMs(failures: number): number {
  return Math.min(longestRetryMs, firstRetryMs * 2 ** (failures - 1))
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * Keeps main's answer about one key up to date. One request runs at a time, the next one is about the newest key, and
 * an answer about an old key is dropped. A new key starts without a value and is requested immediately. `refresh` requests
 * it again, after the interval; after a failure it retries with back-off and keeps the last value. While the page is
 * hidden, or the answer is not wanted, it sends nothing.
 */
export class KeyedRequest<K, T> {
  readonly #deps: KeyedRequestDeps<K, T>
  #paceMs: number
  #key: K | null = null
  #answer: Answer<T> = noAnswer
  #isWanted = true
  #isVisible = true
  #isStale = false
  #isAsking = false
  /** Main sends updates. */
  #isSubscribed = false
  #failures = 0
  #pause: ReturnType<typeof setTimeout> | undefined

  constructor(deps: KeyedRequestDeps<K, T>) {
    this.#deps = deps
    this.#paceMs = deps.minIntervalMs ?? 0
  }

  /** Returns whether the key's fields have changed. `afterMs`: the delay of the request, if the key may change again soon. */
  setKey(key: K | null, afterMs = 0): boolean {
    if (shallow(key, this.#key)) return false
    this.#key = key
    this.#isStale = true
    this.#failures = 0
    this.#publish({ state: key === null ? 'none' : 'loading', value: null, failure: '' })
    this.#pauseFor(afterMs)
    this.#try()
    return true
  }

  /** A shorter interval applies immediately. */
  setWanted(isWanted: boolean, paceMs = this.#paceMs): void {
    if (isWanted === this.#isWanted && paceMs === this.#paceMs) return
    if (paceMs < this.#paceMs && this.#failures === 0) this.#pauseFor(0)
    this.#isWanted = isWanted
    this.#paceMs = paceMs
    this.#try()
  }

  /** The answer may have changed. */
  refresh(): void {
    this.#isStale = true
    this.#try()
  }

  /** After a lost connection main no longer knows this page. */
  restart(): void {
    this.#isSubscribed = false
    this.#pauseFor(0)
    this.refresh()
  }

  /** An update that main sent. */
  receive(key: K, value: T): void {
    if (shallow(key, this.#key)) this.#publish({ state: 'live', value, failure: '' })
  }

  /** Whether the page is visible. */
  setVisible(isAwake: boolean): void {
    this.#isVisible = isAwake
    this.#try()
  }

  stop(): void {
    this.#key = null
    this.#pauseFor(0)
  }

  #publish(answer: Answer<T>): void {
    this.#answer = answer
    this.#deps.publish(answer)
  }

  #pauseFor(ms: number): void {
    clearTimeout(this.#pause)
    this.#pause = undefined
    if (ms <= 0) return
    this.#pause = setTimeout(() => {
      this.#pause = undefined
      this.#try()
    }, ms)
  }

  #try(): void {
    if (this.#isAsking) return
    const key = this.#isVisible && this.#isWanted ? this.#key : null
    if (key === null) this.#unsubscribe()
    else if (this.#isStale && this.#pause === undefined) this.#ask(key)
  }

  #ask(key: K): void {
    this.#isAsking = true
    this.#isStale = false
    this.#isSubscribed = true
    this.#deps.ask(key).then(
      (value) => this.#handleAnswer(key, value),
      (error: unknown) => this.#handleFailure(key, error),
    )
  }

  #handleAnswer(key: K, value: T | null): void {
    this.#isAsking = false
    if (key === this.#key) {
      this.#failures = 0
      this.#pauseFor(this.#paceMs)
      this.#publish(
        value === null
          ? { state: 'gone', value: this.#answer.value, failure: '' }
          : { state: 'live', value, failure: '' },
      )
    }
    this.#try()
  }

  #handleFailure(key: K, error: unknown): void {
    this.#isAsking = false
    if (key === this.#key) {
      this.#isStale = true
      this.#failures++
      this.#pauseFor(Math.max(this.#paceMs, retryMs(this.#failures)))
      this.#publish({ ...this.#answer, failure: messageOf(error) })
    }
    this.#try()
  }

  #unsubscribe(): void {
    if (!this.#isSubscribed || this.#deps.unsubscribe === undefined) return
    this.#isSubscribed = false
    this.#isStale = true
    this.#isAsking = true
    const left = (): void => {
      this.#isAsking = false
      this.#try()
    }
    this.#deps.unsubscribe().then(left, left)
  }
}
