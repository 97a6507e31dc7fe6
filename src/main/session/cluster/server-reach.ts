import type { KubeRequest, KubeResponse, Transport } from '../../../shared/kubernetes/request.ts'
import { TransportError } from '../../../shared/kubernetes/request.ts'
import type { ConnectionView } from '../../../shared/model/cluster-view.ts'
import type { ReflectorStatus } from '../../cluster/informer/reflector.ts'
import type { Clock } from '../../kubelet/ports.ts'

interface Unanswered {
  readonly since: number
  readonly message: string
}

// Connections that went stale together fail together, and the next call opens new ones.
const failingForMs = 1000

interface ServerReachDeps {
  readonly clock: Pick<Clock, 'now'>
  readonly onChange: (connection: ConnectionView) => void
  /**
   * The first answer after a time when no call got one: what waits out a back-off need not any longer.
   * Not called for a single call that failed, so that a watch which alone is refused is not tried in a loop.
   */
  readonly onAnswered: () => void
}

/**
 * Whether a server answers, from two witnesses: the watch of the pods, and every single call. An API
 * server that shuts down keeps its open watches for a minute while nothing listens any more; the watch
 * alone would call that connected, although no status and no lease is written.
 */
export class ServerReach {
  readonly #deps: ServerReachDeps
  #watch: ReflectorStatus | undefined
  /** The first of the calls in a row that nobody answered. */
  #firstFailure: number | undefined
  #unanswered: Unanswered | undefined
  #awaySince: number | undefined

  constructor(deps: ServerReachDeps) {
    this.#deps = deps
  }

  readonly heardWatch = (status: ReflectorStatus): void => {
    this.#watch = status
    this.#deps.onChange(this.#view())
  }

  /** Whether no call has been answered for a time. */
  get isUnanswered(): boolean {
    return this.#unanswered !== undefined
  }

  /** The same transport, listened to. */
  over(transport: Transport): Transport {
    return {
      send: async (request: KubeRequest): Promise<KubeResponse> => {
        try {
          const response = await transport.send(request)
          this.#answered()
          return response
        } catch (error) {
          this.#failed(error)
          throw error
        }
      },
    }
  }

  #answered(): void {
    this.#firstFailure = undefined
    if (this.#unanswered === undefined) return
    this.#unanswered = undefined
    this.#deps.onChange(this.#view())
    this.#deps.onAnswered()
  }

  #failed(error: unknown): void {
    // What was answered with nonsense was answered.
    if (!(error instanceof TransportError) || error.kind === 'invalid') return
    const now = this.#deps.clock.now()
    this.#firstFailure ??= now
    if (this.#unanswered !== undefined || now - this.#firstFailure < failingForMs) return
    this.#unanswered = { since: this.#firstFailure, message: error.message }
    this.#deps.onChange(this.#view())
  }

  #view(): ConnectionView {
    const view = this.#judge()
    // One absence has one beginning, whichever witness still speaks of it.
    this.#awaySince =
      view.kind === 'away' ? Math.min(view.since, this.#awaySince ?? Infinity) : undefined
    return view.kind === 'away' ? { ...view, since: this.#awaySince ?? view.since } : view
  }

  #judge(): ConnectionView {
    if (this.#watch?.kind === 'away') return this.#watch
    if (this.#unanswered !== undefined) return { kind: 'away', ...this.#unanswered, retryAt: null }
    return { kind: this.#watch === undefined ? 'connecting' : 'connected' }
  }
}
