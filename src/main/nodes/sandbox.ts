import type { JsonObject } from '../../shared/json.ts'
import type { Taint } from '../../shared/kubernetes/objects.ts'
import { resourceAmount } from '../../shared/kubernetes/pod-requests.ts'
import type { KubeRequest, KubeResponse, Transport } from '../../shared/kubernetes/request.ts'
import { seededRandom } from '../clock/seeded-random.ts'
import type { VirtualClock } from '../clock/virtual-clock.ts'
import { OutageSwitch } from '../cluster/transport/outage-switch.ts'
import type { WithKubeletSettings } from '../kubelet/kubelet-settings.ts'
import type { KubeletServer } from '../kubelet/server/kubelet-server.ts'
import { StreamUrls } from '../cri/streaming/stream-urls.ts'
import type { ImageService, Log, Random, RuntimeService } from '../kubelet/ports.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { ClusterTrace } from '../kubelet/trace.ts'
import type { ParseText } from '../parsing/kubernetes-text.ts'
import { SimulatedNetwork } from '../runtimes/simulated/network/simulated-network.ts'
import type { MachineSize } from '../runtimes/simulated/machine-figures.ts'
import { SimulatedRuntime } from '../runtimes/simulated/simulated-runtime.ts'
import { SandboxApiServer } from '../sandbox/api-server.ts'
import type { Caller } from '../sandbox/auth/caller.ts'
import type { CertificateAuthority } from '../sandbox/certificates/certificate-authority.ts'
import { startControlPlane } from '../sandbox/control-plane.ts'
import type { ControlPlane } from '../sandbox/control-plane.ts'
import type { ControlledObject } from '../sandbox/control/control-requests.ts'
import { standardClass } from '../sandbox/control-plane/volume-claims/storage-provisioner.ts'
import type { KeptObjects } from '../sandbox/object-store.ts'
import { newUid } from '../sandbox/object-identity.ts'
import { inProcessTransport } from '../sandbox/in-process-transport.ts'
import type { ManifestUrlConfig } from '../sources/manifest-url.ts'
import { recallContainers } from './kept-containers.ts'
import { describeNode } from './node-description.ts'
import { ClockControl } from './control/clock-control.ts'
import { FaultControl } from './control/fault-control.ts'
import { RequestFaults } from './control/request-faults.ts'
import { SkewedClock } from './control/skewed-clock.ts'
import { externalServer } from './external-server.ts'
import type { ExternalServer, WrittenState } from './external-server.ts'
import type { Machine, NodeShape } from './node-description.ts'
import { storedOnlyWarnings } from '../../shared/not-simulated/kinds.ts'
import { notSimulatedOf, sandboxPodWarnings } from './not-simulated-pods.ts'
import type { ManifestFolder } from './pod-sources.ts'
import { SandboxServices } from './sandbox-services.ts'
import { simulatedHost } from './simulated-host.ts'
import { SimulatedNode } from './simulated-node.ts'

/** The user of kubectl and of the page. */
export const sandboxAdmin: Caller = {
  user: 'nodescope-admin',
  groups: ['system:masters', 'system:authenticated'],
  client: 'nodescope',
}

interface SandboxNode extends NodeShape {
  readonly name: string
  readonly manifests: ManifestFolder
  /** Of its kubelet's own server; absent: none listens. */
  readonly kubeletPort?: number | undefined
}

/** A cluster that outlives the process: its objects and manifests. Every start is a boot of its machines. */
export interface KeptSandbox extends KeptObjects, WrittenState {
  /** Counts the processes, from 1: each draws other random numbers, so that no UID is given twice. */
  readonly starts: number
}

export interface SandboxDeps extends WithKubeletSettings {
  readonly clock: VirtualClock
  readonly trace: ClusterTrace
  readonly log: Log
  readonly seed: number
  /** The CA that signs requests for certificates. Absent: nothing is signed. */
  readonly authority?: CertificateAuthority | undefined
  /** Signs the tokens of service accounts, in PEM; default: a new one. */
  readonly tokenKeyPem?: string | undefined
  /** Of an earlier process; absent: the cluster is new and ends with this one. */
  readonly kept?: KeptSandbox | undefined
  /** Enforces the stored roles and bindings; default false: users who are not nodes may do everything. */
  readonly enforcesRbac?: boolean
  /** One or more, each with another name and another folder. */
  readonly nodes: readonly SandboxNode[]
  /** What the /configz of every kubelet shows; default: a kubelet's without a file. */
  readonly configuration?: JsonObject | undefined
  /** Of every node, as a kubelet's maxPods. */
  readonly maxPods?: number | undefined
  /** Of every node: registerWithTaints. */
  readonly registerWithTaints?: readonly Taint[]
  /** Of every kubelet. Null or absent: no manifest URL. */
  readonly manifestUrl?: ManifestUrlConfig | null
  /** Of manifests; default: on the calling thread. */
  readonly parse?: ParseText | undefined
  /** Of every node; default: this machine. */
  readonly machine?: Machine | undefined
  /** The runtime as the kubelet calls it. Default: the runtime itself. */
  readonly runtimeServiceOf?: (
    nodeName: string,
    runtime: SimulatedRuntime,
  ) => RuntimeService & ImageService
}

function sizeOf({ size }: Machine): MachineSize {
  const bytes = (resource: string): number => Number(resourceAmount(resource, size[resource]))
  return { memoryBytes: bytes('memory'), diskBytes: bytes('ephemeral-storage') }
}

/** Second number of the first node's pod addresses; each further node takes the one below. */
const firstPodNetwork = 244

/**
 * A cluster in one object: API server, control plane and nodes on a virtual clock, which the caller advances. It opens no
 * socket, and with manifest folders in memory it reads no file: then the same options and the same calls at the same
 * times give the same trace.
 */
export class Sandbox {
  readonly server: SandboxApiServer
  /** The same for clients outside of this process. */
  readonly external: ExternalServer
  readonly clockControl: ClockControl
  readonly faultControl: FaultControl
  readonly controlPlane: ControlPlane
  /** Of exec, attach and port-forward. */
  readonly streams = new StreamUrls(() => 'stream:')
  readonly #deps: SandboxDeps
  readonly #network: SimulatedNetwork
  readonly #nodes = new Map<string, SimulatedNode>()
  readonly #outages = new Map<string, OutageSwitch>()
  readonly #clocks = new Map<string, SkewedClock>()
  /** The server as all clients reach it. */
  readonly #requests: RequestFaults

  constructor(deps: SandboxDeps) {
    this.#deps = deps
    const { clock, trace, log, enforcesRbac = false } = deps
    const seeded = seededRandom(deps.seed)
    const { starts = 1 } = deps.kept ?? {}
    const random = starts === 1 ? seeded : seeded.fork(`start ${starts}`)
    this.clockControl = new ClockControl({ clock, trace, server: () => this.server })
    this.server = new SandboxApiServer({
      control: { clocks: this.clockControl, faultplans: this.#faultPlan() },
      clock,
      random: random.fork('api server'),
      trace: trace.forNode(''),
      log,
      tokenKeyPem: deps.tokenKeyPem,
      kept: deps.kept,
      podWarnings: sandboxPodWarnings,
      kindWarnings: (kind) => storedOnlyWarnings(kind, enforcesRbac),
      enforcesRbac,
      firstObjects: [['StorageClass', standardClass]],
      reachKubelet: (name) => this.#reachKubelet(name),
    })
    this.#requests = new RequestFaults({
      server: this.server,
      clock,
      random: random.fork('faults'),
    })
    this.external = externalServer(this.server, this.#requests, deps.kept)
    this.controlPlane = startControlPlane({
      server: this.#requests,
      clock,
      random: random.fork('control plane'),
      log,
      authority: deps.authority,
      tokens: this.server.tokenIssuer,
      enforcesRbac,
    })
    this.#network = new SimulatedNetwork({ services: new SandboxServices(this.server) })
    for (const [index, node] of deps.nodes.entries()) {
      const { name } = node
      const outage = new OutageSwitch({ transport: this.#nodeTransport(name, random) })
      this.#outages.set(name, outage)
      this.#clocks.set(name, new SkewedClock(clock))
      this.#nodes.set(name, this.#makeNode({ ...node, index, outage }, random))
    }
    this.faultControl = new FaultControl({
      clock,
      trace,
      requests: this.#requests,
      nodes: this.#nodes,
      outages: this.#outages,
      clocks: this.#clocks,
    })
  }

  /** By name, in the order of the options. */
  get nodes(): ReadonlyMap<string, SimulatedNode> {
    return this.#nodes
  }

  /** Cuts and restores the connection of a node to the API server, by the name of the node. */
  get outages(): ReadonlyMap<string, OutageSwitch> {
    return this.#outages
  }

  /** As the user of the page: answers at once, even while the clock is paused, at the time of arrival. */
  readonly adminTransport: Transport = {
    send: (request: KubeRequest): Promise<KubeResponse> => {
      this.#deps.clock.catchUp()
      return this.external.handle(request, sandboxAdmin)
    },
  }

  /** Starts the kubelets of all nodes. */
  start(): void {
    for (const node of this.nodes.values()) node.startKubelet()
  }

  stop(): void {
    for (const node of this.nodes.values()) node.stopKubelet()
    this.controlPlane.stop()
    this.streams.clear()
  }

  /** The server exists before the nodes that the plan is about. */
  #faultPlan(): ControlledObject {
    return {
      read: () => this.faultControl.read(),
      write: (spec) => this.faultControl.write(spec),
    }
  }

  /** As the API server, whose requests reach a kubelet that runs and is not cut off. */
  #reachKubelet(name: string): Result<KubeletServer, string> {
    const node = this.#nodes.get(name)
    if (node === undefined || !node.isOn || this.#outages.get(name)?.isCut === true)
      return err('i/o timeout')
    return node.isRunning ? ok(node.kubelet.server) : err('connect: connection refused')
  }

  /** As the node itself, with the latency of a network, on the cluster's clock. */
  #nodeTransport(name: string, random: Random): Transport {
    return inProcessTransport({
      server: this.#requests,
      clock: this.#deps.clock,
      random: random.fork(`transport ${name}`),
      caller: {
        user: `system:node:${name}`,
        groups: ['system:nodes', 'system:authenticated'],
        client: 'kubelet',
      },
    })
  }

  #makeNode(
    node: SandboxNode & { readonly index: number; readonly outage: OutageSwitch },
    clusterRandom: Random,
  ): SimulatedNode {
    const { name, manifests, kubeletPort, index, outage } = node
    const { log, maxPods, registerWithTaints = [], machine, runtimeServiceOf } = this.#deps
    const { labels, capacity, taints = [] } = node
    const clock = this.#clocks.get(name) ?? this.#deps.clock
    const trace = this.#deps.trace.forNode(name)
    const random = clusterRandom.fork(`node ${name}`)
    const runtime = new SimulatedRuntime({
      clock,
      // The first node has the same random numbers whether or not there are others.
      random: (index === 0 ? clusterRandom : random).fork('runtime'),
      trace,
      log,
      // Pods of different nodes have different addresses.
      options: {
        podCidr: `10.${firstPodNetwork - index}.0.0/16`,
        network: this.#network,
        streaming: this.streams,
        ...(machine === undefined ? {} : { size: sizeOf(machine) }),
      },
    })
    const containerHost = simulatedHost(runtime)
    const ownPods = [...this.server.pods.list()].filter(({ spec }) => spec.nodeName === name)
    recallContainers(ownPods, runtime)
    return new SimulatedNode({
      nodeName: name,
      description: describeNode({
        nodeName: name,
        runtime,
        isTainted: false,
        maxPods,
        registerWithTaints: [...registerWithTaints, ...taints],
        labels,
        capacity,
        machine,
        kubeletPort,
        bootId: this.#deps.kept && newUid(random.fork('boot')),
      }),
      settings: this.#deps.settings,
      configuration: this.#deps.configuration,
      transport: outage,
      clock,
      random,
      trace,
      log,
      runtime,
      containerHost,
      runtimeService: runtimeServiceOf?.(name, runtime),
      manifests,
      manifestUrl: this.#deps.manifestUrl ?? null,
      parse: this.#deps.parse,
      notSimulated: (pod) => notSimulatedOf(pod, true),
    })
  }
}
