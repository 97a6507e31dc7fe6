import { shallow } from 'zustand/vanilla/shallow'

/** `loading` lasts until the first answer; `gone`: main knows no such thing (any more). */
export type AnswerState = 'none' | 'loading' | 'live' | 'gone'

/** What is known of the thing that a key names. */
export interface Answer<T> {
  readonly state: AnswerState
  /** What main answered last; kept when the thing is gone. */
  readonly value: T | null
  /** Why the last request was not answered, so that the value, if any, may be old; else empty. */
  readonly failure: string
}

export const noAnswer: Answer<never> = { state: 'none', value: null, failure: '' }

export interface KeyedRequestDeps<K, T> {
  /** Null: there is no such thing. Rejects where main did not answer. */
  readonly ask: (key: K) => Promise<T | null>
  readonly publish: (answer: Answer<T>) => void
  /** Two requests about one key are so far apart, at the least, in ms; 0 unless told. */
  readonly paceMs?: number
  /** For what main goes on telling by itself: tells it that nothing is wanted. */
  readonly leave?: () => Promise<unknown>
}

const firstRetryMs = 1000
const longestRetryMs = 8000

/** After so many failures in a row it is tried again so much later, in ms. */
export function retryMs(failures: number): number {
  return Math.min(longestRetryMs, firstRetryMs * 2 ** (failures - 1))
}

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * Keeps what main says about one thing as new as it is needed. One request is under way at a time, and the
 * newest key is the next; an answer about another key is dropped. Another key starts from nothing and is asked
 * about at once. What has grown old is asked about again, at the pace; after a failure again and again, and
 * what was known stays. While the page is hidden, or nothing is wanted, nothing is asked.
 */
export class KeyedRequest<K, T> {
  readonly #deps: KeyedRequestDeps<K, T>
  #paceMs: number
  #key: K | null = null
  #answer: Answer<T> = noAnswer
  #isWanted = true
  #isAwake = true
  #isOld = false
  #isAsking = false
  /** Main goes on telling. */
  #isTold = false
  #failures = 0
  #rest: ReturnType<typeof setTimeout> | undefined

  constructor(deps: KeyedRequestDeps<K, T>) {
    this.#deps = deps
    this.#paceMs = deps.paceMs ?? 0
  }

  /** Returns whether it is another key than before, by its fields. `afterMs`: so long nothing is asked, since the key may change again. */
  about(key: K | null, afterMs = 0): boolean {
    if (shallow(key, this.#key)) return false
    this.#key = key
    this.#isOld = true
    this.#failures = 0
    this.#publish({ state: key === null ? 'none' : 'loading', value: null, failure: '' })
    this.#restFor(afterMs)
    this.#try()
    return true
  }

  /** A wish that is new or more urgent does not wait for the rest of a slower pace. */
  want(isWanted: boolean, paceMs = this.#paceMs): void {
    if (isWanted === this.#isWanted && paceMs === this.#paceMs) return
    if (paceMs < this.#paceMs && this.#failures === 0) this.#restFor(0)
    this.#isWanted = isWanted
    this.#paceMs = paceMs
    this.#try()
  }

  /** Something has changed since the last answer. */
  refresh(): void {
    this.#isOld = true
    this.#try()
  }

  /** Main has forgotten this page: after a lost connection. */
  restart(): void {
    this.#isTold = false
    this.#restFor(0)
    this.refresh()
  }

  /** What main tells without being asked. */
  receive(key: K, value: T): void {
    if (shallow(key, this.#key)) this.#publish({ state: 'live', value, failure: '' })
  }

  /** Whether the page is on the screen. */
  setAwake(isAwake: boolean): void {
    this.#isAwake = isAwake
    this.#try()
  }

  stop(): void {
    this.#key = null
    this.#restFor(0)
  }

  #publish(answer: Answer<T>): void {
    this.#answer = answer
    this.#deps.publish(answer)
  }

  #restFor(ms: number): void {
    clearTimeout(this.#rest)
    this.#rest = undefined
    if (ms <= 0) return
    this.#rest = setTimeout(() => {
      this.#rest = undefined
      this.#try()
    }, ms)
  }

  #try(): void {
    if (this.#isAsking) return
    const key = this.#isAwake && this.#isWanted ? this.#key : null
    if (key === null) this.#leave()
    else if (this.#isOld && this.#rest === undefined) this.#ask(key)
  }

  #ask(key: K): void {
    this.#isAsking = true
    this.#isOld = false
    this.#isTold = true
    this.#deps.ask(key).then(
      (value) => this.#handleAnswer(key, value),
      (error: unknown) => this.#handleFailure(key, error),
    )
  }

  #handleAnswer(key: K, value: T | null): void {
    this.#isAsking = false
    if (key === this.#key) {
      this.#failures = 0
      this.#restFor(this.#paceMs)
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
      this.#isOld = true
      this.#failures++
      this.#restFor(Math.max(this.#paceMs, retryMs(this.#failures)))
      this.#publish({ ...this.#answer, failure: words(error) })
    }
    this.#try()
  }

  #leave(): void {
    if (!this.#isTold || this.#deps.leave === undefined) return
    this.#isTold = false
    this.#isOld = true
    this.#isAsking = true
    const left = (): void => {
      this.#isAsking = false
      this.#try()
    }
    this.#deps.leave().then(left, left)
  }
}
