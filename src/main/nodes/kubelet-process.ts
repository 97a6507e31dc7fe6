import type { Pod } from '../../shared/kubernetes/objects.ts'
import type { Transport } from '../../shared/kubernetes/request.ts'
import type { NotSimulated } from '../../shared/not-simulated/not-simulated.ts'
import { nodeHash } from '../clock/node-hash.ts'
import { TransportApiClient } from '../cluster/client/api-client.ts'
import { nodeInformer, nodeListerOf } from '../cluster/informer/node-lister.ts'
import type { Informer } from '../cluster/informer/informer.ts'
import { RetryAfterTransport } from '../cluster/transport/retry-after-transport.ts'
import type { NodeExitOptions } from '../kubelet/node/node-exit.ts'
import type { NodeDescription } from '../kubelet/node/node-status.ts'
import { Kubelet } from '../kubelet/kubelet.ts'
import type { ImageService, NodeLister, RuntimeService } from '../kubelet/ports.ts'
import { NotSimulatedTrace } from './not-simulated-trace.ts'
import { expectedSources, PodSources } from './pod-sources.ts'
import type { PodSourcesDeps } from './pod-sources.ts'

/** As a kubelet's client for heartbeats, with all it waits for: after that the next renewal of the lease is tried. */
const heartbeatLimitMs = 10_000

export interface KubeletProcessDeps extends Omit<PodSourcesDeps, 'nodeLister'> {
  /** What the node says of itself. */
  readonly description: NodeDescription
  /** Answers as the node. */
  readonly transport: Transport
  /** The same for lease and node status, with a shorter time limit and connections of its own; default `transport`. */
  readonly heartbeatTransport?: Transport
  /** Called from the second failed try of a heartbeat on, so that connections that are dead can be closed. */
  readonly onRepeatedHeartbeatFailure?: () => void
  readonly runtime: RuntimeService & ImageService
  /** Of how many pods a status may be on its way to the API at a time. Default 1, as a kubelet. */
  readonly statusWritesAtOnce?: number | undefined
  /** What `kubelet.leave` says; absent: nothing, as a kubelet. */
  readonly exit?: NodeExitOptions | undefined
  /** What of a pod the runtime, or the cluster, does not do; it is said in the trace. */
  readonly notSimulated: (pod: Pod) => readonly NotSimulated[]
  /** Something of the node's own view changed. */
  readonly onChange: () => void
}

/**
 * A kubelet with its clients and its sources, as the process of a kubelet has them (cmd/kubelet/app/server.go: run,
 * RunKubelet). It starts once, and writes nothing when it stops.
 */
export class KubeletProcess {
  readonly kubelet: Kubelet
  readonly sources: PodSources
  readonly #nodes: Informer<'nodes'>
  readonly #clients: readonly RetryAfterTransport[]

  constructor(deps: KubeletProcessDeps) {
    const { nodeName, clock, transport, heartbeatTransport = transport } = deps
    this.#nodes = nodeInformer({ ...deps, random: deps.random.fork('node reflector') })
    const { onChange } = deps
    this.#nodes.addEventHandler({ onAdd: onChange, onUpdate: onChange, onDelete: onChange })
    const nodeLister = nodeListerOf(this.#nodes, nodeName)
    const calls = new RetryAfterTransport({ clock, transport })
    const heartbeats = new RetryAfterTransport({
      clock,
      transport: heartbeatTransport,
      limitMs: heartbeatLimitMs,
    })
    this.#clients = [calls, heartbeats]
    this.kubelet = this.#makeKubelet(deps, { calls, heartbeats, nodeLister })
    const random = deps.random.fork('pod reflector')
    this.sources = new PodSources({ ...deps, nodeLister, random }, this.kubelet)
  }

  start(): void {
    this.#nodes.start()
    this.kubelet.start()
    this.sources.start()
  }

  /** As the death of the process. */
  stop(): void {
    this.sources.stop()
    this.kubelet.stop()
    for (const client of this.#clients) client.stop()
    this.#nodes.stop()
  }

  /** Lists and watches of a server that is away are tried now, not when their back-off has run out. */
  retryNow(): void {
    this.#nodes.retryNow()
    this.sources.retryNow()
  }

  #makeKubelet(
    deps: KubeletProcessDeps,
    parts: {
      readonly calls: Transport
      readonly heartbeats: Transport
      readonly nodeLister: NodeLister
    },
  ): Kubelet {
    return new Kubelet({
      ...deps,
      random: deps.random.fork('kubelet'),
      hash: nodeHash,
      trace: new NotSimulatedTrace({
        trace: deps.trace,
        podOf: (uid) => this.kubelet.podManager.getPodByUID(uid),
        find: deps.notSimulated,
      }),
      api: new TransportApiClient({ transport: parts.calls }),
      heartbeatApi: new TransportApiClient({ transport: parts.heartbeats }),
      nodeLister: parts.nodeLister,
      runtimeService: deps.runtime,
      imageService: deps.runtime,
      sources: expectedSources(deps.manifestUrl),
      onIteration: deps.onChange,
    })
  }
}
