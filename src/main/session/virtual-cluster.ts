import type { KubeObject, Pod } from '../../shared/kubernetes/objects.ts'
import type { HttpMethod, KubeRequest, KubeResponse } from '../../shared/kubernetes/request.ts'
import { nodeClockHost } from '../clock/node-clock-host.ts'
import { seededRandom } from '../clock/seeded-random.ts'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { podNamespace } from '../kubelet/pod/identity.ts'
import type { Log } from '../kubelet/ports.ts'
import { ClusterTrace } from '../kubelet/trace.ts'
import { SandboxApiServer } from '../sandbox/api-server.ts'
import type { Caller } from '../sandbox/api-server.ts'
import { startControlPlane } from '../sandbox/control-plane.ts'
import type { ControlPlane } from '../sandbox/control-plane.ts'
import { inProcessTransport } from '../sandbox/in-process-transport.ts'
import { MemoryFolder } from '../sources/memory-folder.ts'
import { VirtualNode } from './virtual-node.ts'
import type { NodeSize } from './virtual-node.ts'

const admin: Caller = {
  user: 'nodescope-admin',
  groups: ['system:masters', 'system:authenticated'],
  client: 'nodescope',
}

/** Large enough for whatever a test or a measurement puts on it. */
const roomyNode: NodeSize = {
  cpu: '1000',
  memory: '4Ti',
  'ephemeral-storage': '4Ti',
  pods: '10000',
}

const json = { 'content-type': 'application/json', accept: 'application/json' } as const

export interface VirtualClusterOptions {
  readonly seed: number
  /** ms since 1970 at which the cluster's time begins. */
  readonly startAt: number
  /** One or more, each another. */
  readonly nodeNames: readonly string[]
  readonly log: Log
  /** Of every node; default: room for anything. */
  readonly nodeSize?: NodeSize
  /** Each node reads its manifests from a folder in memory. Default: they are given by `setStaticPods`. */
  readonly hasFolders?: boolean
}

/**
 * A whole sandbox without the machine it runs on: API server, control plane and nodes on a virtual clock that stands
 * until it is advanced; no file, no socket, no wall time. The same options and the same calls at the same
 * times give the same trace. For simulations, tests and measurements.
 */
export class VirtualCluster {
  readonly clock: VirtualClock
  readonly trace: ClusterTrace
  readonly nodes: readonly VirtualNode[]
  readonly #server: SandboxApiServer
  readonly #controlPlane: ControlPlane

  constructor(options: VirtualClusterOptions) {
    const { log, nodeNames } = options
    const onError = (error: unknown): void => {
      log.error('the cluster broke', { error: String(error) })
    }
    const random = seededRandom(options.seed)
    const clock = new VirtualClock(nodeClockHost, { startAt: options.startAt, onError })
    const trace = new ClusterTrace({ cluster: 'sandbox', clock, onError })
    const server = new SandboxApiServer({
      clock,
      random: random.fork('api server'),
      trace: trace.forNode(''),
      log,
    })
    this.clock = clock
    this.trace = trace
    this.#server = server
    this.#controlPlane = startControlPlane({
      server,
      clock,
      random: random.fork('control plane'),
      log,
    })
    this.nodes = nodeNames.map((nodeName) => {
      const own = random.fork(`node ${nodeName}`)
      return new VirtualNode({
        nodeName,
        transport: inProcessTransport({
          server,
          clock,
          random: own.fork('transport'),
          caller: {
            user: `system:node:${nodeName}`,
            groups: ['system:nodes', 'system:authenticated'],
            client: 'kubelet',
          },
        }),
        clock,
        random: own,
        trace: trace.forNode(nodeName),
        log,
        size: options.nodeSize ?? roomyNode,
        folder:
          options.hasFolders === true
            ? new MemoryFolder({ path: `/${nodeName}/manifests`, clock })
            : undefined,
      })
    })
  }

  /** The node of that name; the first where none is named. Throws for one that there is not. */
  node(nodeName?: string): VirtualNode {
    const found = this.nodes.find((node) => nodeName === undefined || node.nodeName === nodeName)
    if (found === undefined) throw new Error(`there is no node ${nodeName ?? ''}`)
    return found
  }

  /** The cluster's disruption budgets, as its controllers know them. */
  readonly budgets: ControlPlane['budgets'] = () => this.#controlPlane.budgets()

  /** The pods that its API server has. */
  get pods(): SandboxApiServer['pods'] {
    return this.#server.pods
  }

  /** Starts the agents of all nodes. */
  start(): void {
    for (const node of this.nodes) node.start()
  }

  stop(): void {
    for (const node of this.nodes) node.stop()
    this.#controlPlane.stop()
  }

  createPod(manifest: Pod): Promise<KubeResponse> {
    const path = `/api/v1/namespaces/${podNamespace(manifest)}/pods`
    // A Pod is an object of the API; its type has no index signature.
    return this.request('POST', path, manifest as unknown as KubeObject)
  }

  /** A request of the person at the dashboard: it is answered at once, without a network between. */
  request(method: HttpMethod, path: string, body?: KubeObject): Promise<KubeResponse> {
    const headers = json
    return this.send({ method, path, headers, ...(body === undefined ? {} : { body }) })
  }

  /** The same for a request of any form, a watch too. */
  send(request: KubeRequest): Promise<KubeResponse> {
    return this.#server.handle(request, admin)
  }
}
