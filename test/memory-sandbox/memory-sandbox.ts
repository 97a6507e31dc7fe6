import type { KubeObject, Pod } from '../../src/shared/kubernetes/objects.ts'
import type { HttpMethod, KubeRequest, KubeResponse } from '../../src/shared/kubernetes/request.ts'
import { nodeClockHost } from '../../src/main/clock/node-clock-host.ts'
import { VirtualClock } from '../../src/main/clock/virtual-clock.ts'
import type { OutageSwitch } from '../../src/main/cluster/transport/outage-switch.ts'
import { podNamespace } from '../../src/main/kubelet/pod/identity.ts'
import type { Log } from '../../src/main/kubelet/ports.ts'
import { ClusterTrace } from '../../src/main/kubelet/trace.ts'
import type { Machine } from '../../src/main/nodes/node-description.ts'
import { Sandbox } from '../../src/main/nodes/sandbox.ts'
import type { SimulatedNode } from '../../src/main/nodes/simulated-node.ts'
import { MemoryFolder } from './memory-folder.ts'
import { SlowRuntime } from './slow-runtime.ts'

/** Large enough for whatever a test or a measurement puts on it. */
const roomySize = { cpu: '1000', memory: '4Ti', 'ephemeral-storage': '4Ti' } as const
const roomyPods = 10_000

const json = { 'content-type': 'application/json', accept: 'application/json' } as const

export interface MemorySandboxOptions {
  readonly seed: number
  /** ms since 1970 at which the cluster's time begins. */
  readonly startAt: number
  /** One or more, each another. */
  readonly nodeNames: readonly string[]
  readonly log: Log
  /** Of every node; default: room for anything. */
  readonly size?: Machine['size']
  /** Of every node; default: 10,000. */
  readonly maxPods?: number
}

/**
 * The sandbox that ships, on a clock that stands until it is advanced, with the manifests of its nodes in memory: no file, no
 * socket, no wall time. Its runtimes can be slowed. For simulations, tests and measurements.
 */
export class MemorySandbox {
  readonly clock: VirtualClock
  readonly trace: ClusterTrace
  readonly sandbox: Sandbox
  readonly #folders: ReadonlyMap<string, MemoryFolder>
  readonly #slowRuntimes = new Map<string, SlowRuntime>()

  constructor(options: MemorySandboxOptions) {
    const { log, seed, startAt, nodeNames, size = roomySize, maxPods = roomyPods } = options
    const onError = (error: unknown): void => {
      log.error('the cluster broke', { error: String(error) })
    }
    const clock = new VirtualClock(nodeClockHost, { startAt, onError })
    this.clock = clock
    this.trace = new ClusterTrace({ cluster: 'sandbox', clock, onError })
    this.#folders = new Map(
      nodeNames.map((name) => [name, new MemoryFolder({ path: `/${name}/manifests`, clock })]),
    )
    this.sandbox = new Sandbox({
      clock,
      trace: this.trace,
      log,
      seed,
      nodes: nodeNames.map((name) => ({ name, manifests: this.folder(name).manifests })),
      maxPods,
      // Neither this machine's processor nor its kernel belongs into a run that can be repeated elsewhere.
      machine: { size, architecture: 'amd64', kernelVersion: '' },
      runtimeServiceOf: (name, runtime) => {
        const slow = new SlowRuntime({ runtime, clock })
        this.#slowRuntimes.set(name, slow)
        return slow.service
      },
    })
  }

  get nodes(): readonly SimulatedNode[] {
    return [...this.sandbox.nodes.values()]
  }

  /** The node of that name; the first where none is named. Throws for one that there is not; so do the others below. */
  node(name?: string): SimulatedNode {
    return one(this.sandbox.nodes, name)
  }

  /** The manifests of a node. */
  folder(name?: string): MemoryFolder {
    return one(this.#folders, name)
  }

  /** A node's way to the API server. */
  outage(name?: string): OutageSwitch {
    return one(this.sandbox.outages, name)
  }

  /** A node's runtime as its kubelet reaches it. */
  slowRuntime(name?: string): SlowRuntime {
    return one(this.#slowRuntimes, name)
  }

  /** Makes these the manifests of a node: others are removed. */
  putManifests(pods: readonly Pod[], nodeName?: string): void {
    const folder = this.folder(nodeName)
    const texts = new Map(
      pods.map((pod) => [
        `${pod.metadata.name}.json`,
        JSON.stringify({ apiVersion: 'v1', kind: 'Pod', ...pod }),
      ]),
    )
    for (const name of folder.names) if (!texts.has(name)) folder.remove(name)
    for (const [name, text] of texts) if (folder.textOf(name) !== text) folder.write(name, text)
  }

  /** Starts the kubelets of all nodes. */
  start(): void {
    this.sandbox.start()
  }

  stop(): void {
    this.sandbox.stop()
  }

  /** A node loses its power, and with it what its runtime was asked for. */
  powerOff(name?: string): void {
    this.node(name).powerOff()
    this.slowRuntime(name).cutPower()
  }

  /** A node whose kubelet does not run gets one, and power before that where it has none. */
  bringUp(name?: string): void {
    const node = this.node(name)
    node.boot()
    node.startKubelet()
  }

  createPod(manifest: Pod): Promise<KubeResponse> {
    const path = `/api/v1/namespaces/${podNamespace(manifest)}/pods`
    // A Pod is an object of the API; its type has no index signature.
    return this.request('POST', path, manifest as unknown as KubeObject)
  }

  /** A request of the dashboard's user: it is answered at once, without a network between. */
  request(method: HttpMethod, path: string, body?: KubeObject): Promise<KubeResponse> {
    const headers = json
    return this.send({ method, path, headers, ...(body === undefined ? {} : { body }) })
  }

  /** The same for a request of any form, a watch too. */
  send(request: KubeRequest): Promise<KubeResponse> {
    return this.sandbox.adminTransport.send(request)
  }
}

function one<T>(all: ReadonlyMap<string, T>, name: string | undefined): T {
  const found = name === undefined ? [...all.values()][0] : all.get(name)
  if (found === undefined) throw new Error(`there is no node ${name ?? ''}`)
  return found
}
