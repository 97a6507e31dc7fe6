import type { Answer, KeyedRequestDeps } from './keyed-request.ts'
import { KeyedRequest } from './keyed-request.ts'

type Any = Pick<KeyedRequest<never, never>, 'setKey' | 'restart' | 'setVisible' | 'stop'>

/** All requests of the page: they pause, restart and stop together. */
export class KeyedRequests {
  readonly #onFailure: (what: string, failure: string) => void
  readonly #all = new Set<Any>()
  #isVisible = true

  /** `onFailure` gets the reason of a failure, and an empty text once the answer is current. */
  constructor(deps: { readonly onFailure: (what: string, failure: string) => void }) {
    this.#onFailure = deps.onFailure
  }

  /** `what`: a noun for the message about a failure. */
  add<K, T>(what: string, deps: KeyedRequestDeps<K, T>): KeyedRequest<K, T> {
    const request = new KeyedRequest<K, T>({
      ...deps,
      publish: (answer: Answer<T>) => {
        deps.publish(answer)
        this.#onFailure(what, answer.failure)
      },
    })
    request.setVisible(this.#isVisible)
    this.#all.add(request)
    return request
  }

  remove(request: Any): void {
    // Clears its failure.
    request.setKey(null)
    request.stop()
    this.#all.delete(request)
  }

  /** While the page is hidden, no request is sent. */
  setVisible(isAwake: boolean): void {
    this.#isVisible = isAwake
    for (const request of this.#all) request.setVisible(isAwake)
  }

  restart(): void {
    for (const request of this.#all) request.restart()
  }

  stop(): void {
    for (const request of this.#all) request.stop()
  }
}
