import type { Transport } from '../../../shared/kubernetes/request.ts'
import type { ConnectionView } from '../../../shared/model/cluster-view.ts'
import type { UndiciTransport } from '../../cluster/transport/undici-transport.ts'
import type { Clock } from '../../kubelet/ports.ts'
import type { SimulatedNodeDeps } from '../../nodes/simulated-node.ts'
import { ServerReach } from './server-reach.ts'

/** A kubelet's: nodeStatusUpdateFrequency, which is less than the lease lasts. */
const heartbeatTimeoutMs = 10_000

export interface ServerConnectionDeps {
  readonly createTransport: (options: { readonly requestTimeoutMs?: number }) => UndiciTransport
  readonly clock: Pick<Clock, 'now'>
  readonly onChange: (connection: ConnectionView) => void
  /** See `ServerReach`. */
  readonly onAnswered: () => void
}

/** The connections of a node to a real API server, and whether that answers. */
export class ServerConnection {
  readonly #reach: ServerReach
  readonly #calls: UndiciTransport
  readonly #heartbeats: UndiciTransport

  constructor(deps: ServerConnectionDeps) {
    this.#reach = new ServerReach(deps)
    this.#calls = deps.createTransport({})
    this.#heartbeats = deps.createTransport({ requestTimeoutMs: heartbeatTimeoutMs })
  }

  /** Calls that say nothing of whether the server answers. */
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
      transport: this.#reach.over(this.#calls),
      heartbeatTransport: this.#reach.over(this.#heartbeats),
      onConnection: this.#reach.heardWatch,
      onRepeatedHeartbeatFailure: () => {
        // No call is answered: the watches are as dead, and would find out much later.
        if (this.#reach.isUnanswered) this.#calls.dropWatches()
      },
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#calls.close(), this.#heartbeats.close()])
  }
}
