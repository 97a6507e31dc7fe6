import { TransportError } from '../../../shared/kubernetes/request.ts'
import type {
  KubeRequest,
  KubeResponse,
  Transport,
  WatchEvent,
  WatchStream,
} from '../../../shared/kubernetes/request.ts'

type Reject = (error: TransportError) => void

function unavailable(what: string): TransportError {
  return new TransportError('unavailable', `The API server ${what}.`)
}

function connectionClosed(): TransportError {
  return unavailable('closed the connection')
}

/** An open watch that can be dropped: its reader gets an error in place of the next event. */
class DroppableWatch {
  readonly #source: WatchStream
  readonly #onEnd: () => void
  #error: TransportError | undefined
  #rejectReader: Reject | undefined

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

  drop(): void {
    this.#error = connectionClosed()
    this.#rejectReader?.(this.#error)
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
          if (this.#error !== undefined) {
            reject(this.#error)
            return
          }
          this.#rejectReader = reject
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
 * A transport that can simulate an outage. During an outage every request fails at once, as if nothing listened. Its start
 * drops open watches with an error, and in-flight requests, which the server may have carried out, get no response. Nodes
 * that share a switch are cut off together.
 */
export class OutageSwitch implements Transport {
  readonly #transport: Transport
  readonly #watches = new Set<DroppableWatch>()
  readonly #pending = new Set<Reject>()
  #isCut = false

  constructor(deps: { readonly transport: Transport }) {
    this.#transport = deps.transport
  }

  get isCut(): boolean {
    return this.#isCut
  }

  /** Starts an outage; idempotent. */
  cut(): void {
    this.#isCut = true
    for (const reject of this.#pending) reject(connectionClosed())
    this.#pending.clear()
    this.dropWatches()
  }

  /** Ends the outage for later requests. */
  restore(): void {
    this.#isCut = false
  }

  /** Drops open watches, not requests. Returns the number of watches. */
  dropWatches(): number {
    const open = [...this.#watches]
    for (const watch of open) watch.drop()
    return open.length
  }

  send(request: KubeRequest): Promise<KubeResponse> {
    if (this.#isCut)
      return Promise.reject(unavailable('refused the connection: nothing listens there'))
    return new Promise((resolve, reject) => {
      this.#pending.add(reject)
      this.#transport.send(request).then(
        (response) => {
          if (this.#pending.delete(reject)) resolve(this.#droppable(response))
          else if (response.kind === 'watch') response.stream.stop()
        },
        (error: unknown) => {
          this.#pending.delete(reject)
          reject(error)
        },
      )
    })
  }

  #droppable(response: KubeResponse): KubeResponse {
    if (response.kind !== 'watch') return response
    const watch = new DroppableWatch(response.stream, () => {
      this.#watches.delete(watch)
    })
    this.#watches.add(watch)
    return { ...response, stream: watch.stream() }
  }
}
