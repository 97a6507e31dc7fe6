import type { KubeObject, Pod } from '../../shared/kubernetes/objects.ts'
import type { HttpMethod, KubeResponse } from '../../shared/kubernetes/request.ts'
import { defaultPod } from '../../shared/kubernetes/pod-defaults.ts'
import { nodeHash } from '../clock/node-hash.ts'
import { nodeClockHost } from '../clock/node-clock-host.ts'
import { seededRandom } from '../clock/seeded-random.ts'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { TransportApiClient } from '../cluster/api-client.ts'
import { nodeReflector, reflectorNodeLister } from '../cluster/node-lister.ts'
import type { Reflector } from '../cluster/reflector.ts'
import { Kubelet } from '../kubelet/kubelet.ts'
import { podNamespace } from '../kubelet/pod/identity.ts'
import { applyStaticDefaults } from '../kubelet/pod/static-pod.ts'
import type { Log, Random } from '../kubelet/ports.ts'
import { ClusterTrace } from '../kubelet/trace.ts'
import { SimulatedRuntime } from '../runtimes/simulated/simulated-runtime.ts'
import { SandboxApiServer } from '../sandbox/api-server.ts'
import type { Caller } from '../sandbox/api-server.ts'
import { startControlPlane } from '../sandbox/control-plane.ts'
import { inProcessTransport } from '../sandbox/in-process-transport.ts'
import { ApiPodSource } from '../sources/api-pods.ts'
import { describeNode } from './node-description.ts'

const admin: Caller = {
  user: 'nodescope-admin',
  groups: ['system:masters', 'system:authenticated'],
  client: 'nodescope',
}

/** Large enough for whatever a test or a measurement puts on it. */
const size = { cpu: '1000', memory: '4Ti', 'ephemeral-storage': '4Ti', pods: '10000' } as const

export interface VirtualNodeOptions {
  readonly seed: number
  /** ms since 1970 at which the cluster's time begins. */
  readonly startAt: number
  readonly nodeName: string
  readonly log: Log
}

/**
 * A whole sandbox without the machine it runs on: API server, control plane, kubelet and simulated
 * runtime on a virtual clock that stands until it is advanced; no file, no socket, no wall time. The
 * same options and the same calls at the same times give the same trace. For tests and measurements.
 */
export class VirtualNode {
  readonly nodeName: string
  readonly clock: VirtualClock
  readonly trace: ClusterTrace
  readonly kubelet: Kubelet
  readonly #server: SandboxApiServer
  readonly #controlPlane: { readonly stop: () => void }
  readonly #nodes: Reflector<'nodes'>
  readonly #apiPods: ApiPodSource

  constructor(options: VirtualNodeOptions) {
    const { nodeName, log } = options
    const onError = (error: unknown): void => {
      log.error('the cluster broke', { error: String(error) })
    }
    const random = seededRandom(options.seed)
    const clock = new VirtualClock(nodeClockHost, { startAt: options.startAt, onError })
    this.nodeName = nodeName
    this.clock = clock
    this.trace = new ClusterTrace({ cluster: 'sandbox', clock, onError })
    this.#server = new SandboxApiServer({
      clock,
      random: random.fork('api server'),
      trace: this.trace.forNode(''),
      log,
    })
    this.#controlPlane = startControlPlane({
      server: this.#server,
      clock,
      random: random.fork('control plane'),
      log,
    })
    const parts = this.#nodeParts(random, log)
    this.#nodes = parts.nodes
    this.kubelet = parts.kubelet
    this.#apiPods = parts.apiPods
  }

  start(): void {
    this.#nodes.start()
    this.kubelet.start()
    this.#apiPods.start()
  }

  stop(): void {
    this.#apiPods.stop()
    this.kubelet.stop()
    this.#nodes.stop()
    this.#controlPlane.stop()
  }

  /** What a folder of these manifests would bring. Throws for one that can be no static pod. */
  setStaticPods(manifests: readonly Pod[]): void {
    const pods = manifests.map((manifest) => {
      const pod = applyStaticDefaults(defaultPod(manifest), {
        source: 'file',
        nodeName: this.nodeName,
        location: `/manifests/${manifest.metadata.name}.yaml`,
        hash: nodeHash,
      })
      if (!pod.ok) throw new Error(pod.error.join('; '))
      return { pod: pod.value }
    })
    this.kubelet.setPods('file', pods, [])
  }

  createPod(manifest: Pod): Promise<KubeResponse> {
    const path = `/api/v1/namespaces/${podNamespace(manifest)}/pods`
    // A Pod is an object of the API; its type has no index signature.
    return this.request('POST', path, manifest as unknown as KubeObject)
  }

  /** A request of the person at the dashboard: it is answered at once, without a network between. */
  async request(method: HttpMethod, path: string, body?: KubeObject): Promise<KubeResponse> {
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    return this.#server.handle(
      { method, path, headers, ...(body === undefined ? {} : { body }) },
      admin,
    )
  }

  #nodeParts(
    random: Random,
    log: Log,
  ): {
    readonly nodes: Reflector<'nodes'>
    readonly kubelet: Kubelet
    readonly apiPods: ApiPodSource
  } {
    const { nodeName, clock } = this
    const trace = this.trace.forNode(nodeName)
    const transport = inProcessTransport({
      server: this.#server,
      clock,
      random: random.fork(`transport ${nodeName}`),
      caller: {
        user: `system:node:${nodeName}`,
        groups: ['system:nodes', 'system:authenticated'],
        client: 'kubelet',
      },
    })
    const shared = { nodeName, transport, clock, trace, log }
    const nodes = nodeReflector({
      ...shared,
      random: random.fork('node reflector'),
      onChange: () => undefined,
    })
    const nodeLister = reflectorNodeLister(nodes, nodeName)
    const runtime = new SimulatedRuntime({ ...shared, random: random.fork('runtime') })
    const description = describeNode({ nodeName, runtime, isTainted: false })
    const kubelet = new Kubelet({
      ...shared,
      // Neither the machine's processor nor its kernel belongs into a run that can be repeated elsewhere.
      description: {
        ...description,
        capacity: size,
        allocatable: size,
        nodeInfo: { ...description.nodeInfo, architecture: 'amd64', kernelVersion: '' },
        labels: { ...description.labels, 'kubernetes.io/arch': 'amd64' },
      },
      random: random.fork(`node ${nodeName}`),
      hash: nodeHash,
      api: new TransportApiClient({ transport }),
      nodeLister,
      runtimeService: runtime,
      imageService: runtime,
      sources: ['file', 'api'],
    })
    const apiPods = new ApiPodSource({
      ...shared,
      nodeLister,
      random: random.fork('pod reflector'),
      onPods: (pods, causes) => {
        kubelet.setPods('api', pods, causes)
      },
    })
    return { nodes, kubelet, apiPods }
  }
}
