import type { JsonObject } from '../../shared/json.ts'
import type { Pod } from '../../shared/kubernetes/objects.ts'
import type { Transport } from '../../shared/kubernetes/request.ts'
import type { NotSimulated } from '../../shared/not-simulated/not-simulated.ts'
import { nodeHash } from '../clock/node-hash.ts'
import { TransportApiClient } from '../cluster/client/api-client.ts'
import { nodeInformer, nodeListerOf } from '../cluster/informer/node-lister.ts'
import { ObjectWatches } from '../cluster/informer/object-watches.ts'
import { Informer } from '../cluster/informer/informer.ts'
import { RetryAfterTransport } from '../cluster/transport/retry-after-transport.ts'
import type { NodeExitOptions } from '../kubelet/node/node-exit.ts'
import type { NodeDescription } from '../kubelet/node/node-status.ts'
import { Kubelet } from '../kubelet/kubelet.ts'
import type { ContainerHost, ImageService, RuntimeService } from '../kubelet/ports.ts'
import type { PodNetwork } from '../kubelet/probe/pod-network.ts'
import { defaultKubeletSettings, heartbeatTimeoutMs } from '../kubelet/kubelet-settings.ts'
import { NotSimulatedTrace } from './not-simulated-trace.ts'
import { expectedSources, PodSources } from './pod-sources.ts'
import type { PodSourcesDeps } from './pod-sources.ts'

export interface KubeletProcessDeps extends Omit<PodSourcesDeps, 'nodeLister'> {
  /** Capacity, addresses, labels and taints of the Node. */
  readonly description: NodeDescription
  /** With the node's credentials. */
  readonly transport: Transport
  /** The same for lease and node status, with a shorter timeout and connections of its own; default `transport`. */
  readonly heartbeatTransport?: Transport
  /** Called from the second failed attempt of a heartbeat on, so that dead connections can be closed. */
  readonly onRepeatedHeartbeatFailure?: () => void
  readonly runtime: RuntimeService & ImageService
  /** See KubeletDeps. */
  readonly containerHost: ContainerHost
  /** See KubeletDeps. */
  readonly podNetwork?: PodNetwork | undefined
  /** Status writes in progress at a time, at most. Default 1, as in the kubelet. */
  readonly statusWritesAtOnce?: number | undefined
  /** See KubeletDeps. */
  readonly configuration?: JsonObject | undefined
  /** What `kubelet.leave` writes; absent: nothing, as in the kubelet. */
  readonly exit?: NodeExitOptions | undefined
  /** What the runtime or the cluster does not do for a pod; the trace records it. */
  readonly notSimulated: (pod: Pod) => readonly NotSimulated[]
  /** Called with each pod that is new to the kubelet or has changed. */
  readonly onPod?: ((pod: Pod) => void) | undefined
  /** Called when the node's own view changed. */
  readonly onChange: () => void
}

/**
 * A kubelet with its clients and its sources, like the kubelet's process (cmd/kubelet/app/server.go: run, RunKubelet).
 * It starts once, and writes nothing when it stops.
 */
export class KubeletProcess {
  readonly kubelet: Kubelet
  readonly sources: PodSources
  readonly #nodes: Informer<'nodes'>
  readonly #services: Informer<'services'>
  readonly #runtimeClasses: Informer<'runtimeclasses'>
  readonly #objects: ObjectWatches
  readonly #clients: readonly RetryAfterTransport[]

  constructor(deps: KubeletProcessDeps) {
    const { nodeName, clock, transport, heartbeatTransport = transport, random, onChange } = deps
    this.#nodes = nodeInformer({ ...deps, random: random.fork('node reflector') })
    this.#nodes.addEventHandler({ onAdd: onChange, onUpdate: onChange, onDelete: onChange })
    const nodeLister = nodeListerOf(this.#nodes, nodeName)
    this.#services = new Informer({
      ...deps,
      resource: 'services',
      random: random.fork('service reflector'),
    })
    this.#runtimeClasses = new Informer({
      ...deps,
      resource: 'runtimeclasses',
      random: random.fork('runtime class reflector'),
    })
    this.#objects = new ObjectWatches({ ...deps, random: random.fork('object reflectors') })
    const calls = new RetryAfterTransport({ clock, transport })
    const heartbeats = new RetryAfterTransport({
      clock,
      transport: heartbeatTransport,
      limitMs: heartbeatTimeoutMs(deps.settings ?? defaultKubeletSettings),
    })
    this.#clients = [calls, heartbeats]
    this.kubelet = new Kubelet({
      ...deps,
      random: random.fork('kubelet'),
      hash: nodeHash,
      trace: new NotSimulatedTrace({
        trace: deps.trace,
        podOf: (uid) => this.kubelet.podManager.getPodByUID(uid),
        find: deps.notSimulated,
        onPod: deps.onPod,
      }),
      api: new TransportApiClient({ transport: calls }),
      heartbeatApi: new TransportApiClient({ transport: heartbeats }),
      nodeLister,
      serviceLister: this.#services,
      runtimeClassLister: { get: (name) => this.#runtimeClasses.get('', name) },
      watchObject: this.#objects.watch,
      runtimeService: deps.runtime,
      imageService: deps.runtime,
      sources: expectedSources(deps.manifestUrl),
      onIteration: onChange,
    })
    const sourcesRandom = random.fork('pod reflector')
    this.sources = new PodSources({ ...deps, nodeLister, random: sourcesRandom }, this.kubelet)
  }

  start(): void {
    this.#nodes.start()
    this.#services.start()
    this.#runtimeClasses.start()
    this.kubelet.start()
    this.sources.start()
  }

  /** Like SIGKILL of the process. */
  stop(): void {
    this.sources.stop()
    this.kubelet.stop()
    for (const client of this.#clients) client.stop()
    this.#nodes.stop()
    this.#services.stop()
    this.#runtimeClasses.stop()
  }

  /** Retries lists and watches of an unreachable server now instead of after their back-off. */
  retryNow(): void {
    this.#nodes.retryNow()
    this.#services.retryNow()
    this.#runtimeClasses.retryNow()
    this.#objects.retryNow()
    this.sources.retryNow()
  }
}
