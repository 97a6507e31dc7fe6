import type { Answer, KeyedRequestDeps } from './keyed-request.ts'
import { KeyedRequest } from './keyed-request.ts'

type Any = Pick<KeyedRequest<never, never>, 'about' | 'restart' | 'setAwake' | 'stop'>

/** All requests of the page: they rest, start over and end together. */
export class KeyedRequests {
  readonly #onFailure: (what: string, failure: string) => void
  readonly #all = new Set<Any>()
  #isAwake = true

  /** `onFailure` hears why an answer is not current, and an empty text once it is. */
  constructor(deps: { readonly onFailure: (what: string, failure: string) => void }) {
    this.#onFailure = deps.onFailure
  }

  /** `what`: a noun for the failure's sentence. */
  add<K, T>(what: string, deps: KeyedRequestDeps<K, T>): KeyedRequest<K, T> {
    const request = new KeyedRequest<K, T>({
      ...deps,
      publish: (answer: Answer<T>) => {
        deps.publish(answer)
        this.#onFailure(what, answer.failure)
      },
    })
    request.setAwake(this.#isAwake)
    this.#all.add(request)
    return request
  }

  remove(request: Any): void {
    // What is not asked any more is not missed.
    request.about(null)
    request.stop()
    this.#all.delete(request)
  }

  /** While the page is hidden nothing is asked. */
  setAwake(isAwake: boolean): void {
    this.#isAwake = isAwake
    for (const request of this.#all) request.setAwake(isAwake)
  }

  restart(): void {
    for (const request of this.#all) request.restart()
  }

  stop(): void {
    for (const request of this.#all) request.stop()
  }
}
