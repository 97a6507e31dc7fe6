import { TransportError } from '../../../shared/kubernetes/request.ts'
import type {
  KubeRequest,
  Transport,
  WatchEvent,
  WatchStream,
} from '../../../shared/kubernetes/request.ts'
import type { ConnectionView } from '../../../shared/model/cluster-view.ts'
import type { ReflectorStatus } from '../../cluster/informer/reflector.ts'
import type { Clock } from '../../kubelet/ports.ts'

interface Unanswered {
  readonly since: number
  readonly message: string
  /** Nothing at all is heard of it: an event of a watch is enough to end that. */
  readonly isSilent: boolean
}

/** Stale connections fail together, and the next call opens new ones: failures count after this time. */
const failingForMs = 1000

/** What the API server passes on. */
const askedOfKubelet =
  /^\/api\/v1\/(nodes\/[^/]+\/proxy(\/|$)|namespaces\/[^/]+\/pods\/[^/]+\/log$)/

/** An invalid answer is an answer. */
function isNoAnswer(error: unknown): error is TransportError {
  return error instanceof TransportError && error.kind !== 'invalid'
}

interface ServerReachabilityDeps {
  readonly clock: Pick<Clock, 'now'>
  readonly onChange: (connection: ConnectionView) => void
  /**
   * The first answer after a time without one: whatever waits for a back-off can retry now. Not called after a
   * single failed call, so that a watch that alone is refused is not retried in a loop.
   */
  readonly onReachable: () => void
}

/**
 * Whether the API server is reachable, from the watch of the pods and from every call. An API server that shuts down
 * keeps its open watches for a minute but accepts no connection; the watch alone would call that connected, although
 * no status and no lease is written.
 */
export class ServerReachability {
  readonly #deps: ServerReachabilityDeps
  #watch: ReflectorStatus | undefined
  /** The first of the latest calls in a row without an answer, ms. */
  #firstFailure: number | undefined
  #unanswered: Unanswered | undefined
  #awaySince: number | undefined
  /** When the latest call was answered, ms. */
  #answeredAt = -Infinity
  /** When the latest answer or event of a watch arrived, ms. */
  #heardAt = -Infinity

  constructor(deps: ServerReachabilityDeps) {
    this.#deps = deps
  }

  readonly onWatchStatus = (status: ReflectorStatus): void => {
    this.#watch = status
    this.#deps.onChange(this.#view())
  }

  /** Whether the server has answered no call for a time. */
  get isUnanswered(): boolean {
    return this.#unanswered !== undefined
  }

  /** Whether the pods are watched. */
  get isWatched(): boolean {
    return this.#watch?.kind === 'connected'
  }

  get heardAt(): number {
    return this.#heardAt
  }

  /** A question that was sent at `sentAt` got no answer. */
  unheard(error: unknown, sentAt: number): void {
    if (!isNoAnswer(error) || this.#unanswered !== undefined || this.#heardAt > sentAt) return
    this.#unanswered = { since: this.#heardAt, message: error.message, isSilent: true }
    this.#deps.onChange(this.#view())
  }

  /** The transport, with the outcome of each call and the events of each watch observed. */
  observe(transport: Transport): Transport {
    return {
      send: async (request) => {
        const sentAt = this.#deps.clock.now()
        try {
          const response = await transport.send(request)
          this.#answered()
          return response.kind === 'watch'
            ? { ...response, stream: this.#heard(response.stream) }
            : response
        } catch (error) {
          // A call that waits for a connection that is half open fails long after the server answered others.
          if (this.#answeredAt - sentAt < failingForMs) this.#failed(error, request)
          throw error
        }
      },
    }
  }

  #heard(stream: WatchStream): WatchStream {
    const { events } = stream
    const hear = (): void => {
      this.#heardAt = this.#deps.clock.now()
      if (this.#unanswered?.isSilent === true) this.#answered()
    }
    async function* heard(): AsyncGenerator<WatchEvent> {
      for await (const event of events) {
        hear()
        yield event
      }
    }
    return { ...stream, events: heard() }
  }

  #answered(): void {
    this.#answeredAt = this.#deps.clock.now()
    this.#heardAt = this.#answeredAt
    this.#firstFailure = undefined
    if (this.#unanswered === undefined) return
    this.#unanswered = undefined
    this.#deps.onChange(this.#view())
    this.#deps.onReachable()
  }

  #failed(error: unknown, { path }: KubeRequest): void {
    if (!isNoAnswer(error)) return
    // A kubelet that does not answer is not the API server.
    if (error.kind === 'timeout' && askedOfKubelet.test(path)) return
    const now = this.#deps.clock.now()
    this.#firstFailure ??= now
    if (this.#unanswered !== undefined || now - this.#firstFailure < failingForMs) return
    // What fails by its time limit began to fail before.
    const isLate = error.kind === 'timeout' && this.#heardAt > -Infinity
    const since = isLate ? Math.min(this.#firstFailure, this.#heardAt) : this.#firstFailure
    this.#unanswered = { since, message: error.message, isSilent: false }
    this.#deps.onChange(this.#view())
  }

  #view(): ConnectionView {
    const view = this.#latest()
    // One outage has one beginning, whether the watch or the calls report it.
    this.#awaySince =
      view.kind === 'away' ? Math.min(view.since, this.#awaySince ?? Infinity) : undefined
    return view.kind === 'away' ? { ...view, since: this.#awaySince ?? view.since } : view
  }

  #latest(): ConnectionView {
    if (this.#watch?.kind === 'away') return this.#watch
    if (this.#unanswered !== undefined) {
      const { since, message } = this.#unanswered
      return { kind: 'away', since, message, retryAt: null }
    }
    return { kind: this.#watch === undefined ? 'connecting' : 'connected' }
  }
}
