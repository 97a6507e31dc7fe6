import { TransportError } from '../../shared/kubernetes/request.ts'
import type {
  KubeRequest,
  KubeResponse,
  Transport,
  WatchEvent,
  WatchStream,
} from '../../shared/kubernetes/request.ts'

type Refuse = (error: TransportError) => void

function lost(): TransportError {
  return new TransportError('unavailable', 'The API server closed the connection.')
}

function refused(): TransportError {
  return new TransportError(
    'unavailable',
    'The API server refused the connection: nothing listens there.',
  )
}

/** An open watch that can be lost: its reader gets an error where the next event would have come. */
class LosableWatch {
  readonly #source: WatchStream
  readonly #onEnd: () => void
  #lost: TransportError | undefined
  #refuseReader: Refuse | undefined

  constructor(source: WatchStream, onEnd: () => void) {
    this.#source = source
    this.#onEnd = onEnd
  }

  stream(): WatchStream {
    return {
      events: { [Symbol.asyncIterator]: () => this.#iterator() },
      stop: () => {
        this.#stop()
      },
    }
  }

  lose(): void {
    this.#lost = lost()
    this.#refuseReader?.(this.#lost)
    this.#stop()
  }

  #stop(): void {
    this.#onEnd()
    this.#source.stop()
  }

  #iterator(): AsyncIterator<WatchEvent> {
    const events = this.#source.events[Symbol.asyncIterator]()
    return {
      next: () =>
        new Promise((resolve, reject) => {
          if (this.#lost !== undefined) {
            reject(this.#lost)
            return
          }
          this.#refuseReader = reject
          events.next().then(
            (result) => {
              if (result.done === true) this.#onEnd()
              resolve(result)
            },
            (error: unknown) => {
              this.#onEnd()
              reject(error)
            },
          )
        }),
      return: () => {
        this.#stop()
        return Promise.resolve({ done: true, value: undefined })
      },
    }
  }
}

/**
 * The way to an API server, which can be cut: an outage to show, to simulate or to test. While it is cut every request
 * is refused at once, as where nothing listens. What is on its way when it is cut is lost: open watches end with
 * an error, and a request that the server may have carried out is never answered. One switch before one node cuts
 * that node off; the same switch before several cuts off all of them.
 */
export class OutageSwitch implements Transport {
  readonly #transport: Transport
  readonly #watches = new Set<LosableWatch>()
  readonly #unanswered = new Set<Refuse>()
  #isCut = false

  constructor(deps: { readonly transport: Transport }) {
    this.#transport = deps.transport
  }

  get isCut(): boolean {
    return this.#isCut
  }

  /** Begins an outage. Twice is fine. */
  cut(): void {
    this.#isCut = true
    for (const refuse of this.#unanswered) refuse(lost())
    this.dropWatches()
  }

  /** Ends the outage: what is sent from now on arrives. What was lost stays lost. */
  restore(): void {
    this.#isCut = false
  }

  /** Open watches are lost, requests are answered as before. Returns how many there were. */
  dropWatches(): number {
    const open = [...this.#watches]
    for (const watch of open) watch.lose()
    return open.length
  }

  send(request: KubeRequest): Promise<KubeResponse> {
    if (this.#isCut) return Promise.reject(refused())
    return new Promise((resolve, reject) => {
      let isLost = false
      const refuse: Refuse = (error) => {
        isLost = true
        this.#unanswered.delete(refuse)
        reject(error)
      }
      this.#unanswered.add(refuse)
      this.#transport.send(request).then(
        (response) => {
          this.#unanswered.delete(refuse)
          if (!isLost) resolve(this.#losable(response))
          else if (response.kind === 'watch') response.stream.stop()
        },
        (error: unknown) => {
          this.#unanswered.delete(refuse)
          reject(error)
        },
      )
    })
  }

  #losable(response: KubeResponse): KubeResponse {
    if (response.kind !== 'watch') return response
    const watch = new LosableWatch(response.stream, () => {
      this.#watches.delete(watch)
    })
    this.#watches.add(watch)
    return { ...response, stream: watch.stream() }
  }
}
