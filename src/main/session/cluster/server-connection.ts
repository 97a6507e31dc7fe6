import type { Transport } from '../../../shared/kubernetes/request.ts'
import type { ConnectionView } from '../../../shared/model/cluster-view.ts'
import type { UndiciTransport } from '../../cluster/transport/undici-transport.ts'
import type { Clock } from '../../kubelet/ports.ts'
import type { SimulatedNodeDeps } from '../../nodes/simulated-node.ts'
import { ServerReachability } from './server-reachability.ts'

export interface ServerConnectionDeps {
  readonly createTransport: (options: { readonly requestTimeoutMs?: number }) => UndiciTransport
  /** Of the calls for lease and node status. */
  readonly heartbeatTimeoutMs: number
  readonly clock: Pick<Clock, 'now'>
  readonly onChange: (connection: ConnectionView) => void
  /** See `ServerReachability`. */
  readonly onReachable: () => void
}

/** The connections of a node to a real API server, and whether it is reachable. */
export class ServerConnection {
  readonly #reachability: ServerReachability
  readonly #calls: UndiciTransport
  readonly #heartbeats: UndiciTransport

  constructor(deps: ServerConnectionDeps) {
    this.#reachability = new ServerReachability(deps)
    this.#calls = deps.createTransport({})
    this.#heartbeats = deps.createTransport({ requestTimeoutMs: deps.heartbeatTimeoutMs })
  }

  /** A transport whose calls do not count for the reachability. */
  get unobserved(): Transport {
    return this.#calls
  }

  /** The transports of a node. */
  get ofNode(): Required<
    Pick<
      SimulatedNodeDeps,
      'transport' | 'heartbeatTransport' | 'onRepeatedHeartbeatFailure' | 'onConnection'
    >
  > {
    return {
      transport: this.#reachability.observe(this.#calls),
      heartbeatTransport: this.#reachability.observe(this.#heartbeats),
      onConnection: this.#reachability.onWatchStatus,
      onRepeatedHeartbeatFailure: () => {
        // No call is answered, so the watches are dead too, and would find out much later.
        if (this.#reachability.isUnanswered) this.#calls.dropWatches()
      },
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#calls.close(), this.#heartbeats.close()])
  }
}
