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
import type { SandboxDeps } from '../../src/main/nodes/sandbox.ts'
import type { SimulatedNode } from '../../src/main/nodes/simulated-node.ts'
import { MemoryFolder } from './memory-folder.ts'
import { SlowRuntime } from './slow-runtime.ts'

/** Large enough for every test and measurement. */
const roomySize = { cpu: '1000', memory: '4Ti', 'ephemeral-storage': '4Ti' } as const
const roomyPods = 10_000

const json = { 'content-type': 'application/json', accept: 'application/json' } as const

export interface MemorySandboxOptions extends Pick<SandboxDeps, 'settings' | 'registerWithTaints'> {
  readonly seed: number
  /** ms since 1970 at which the cluster's time begins. */
  readonly startAt: number
  /** At least one; the names are unique. */
  readonly nodeNames: readonly string[]
  readonly log: Log
  /** Of every node; default: room for anything. */
  readonly size?: Machine['size']
  /** Of every node; default: 10,000. */
  readonly maxPods?: number
}

/**
 * The shipped sandbox on a clock that stands until it is advanced, with the manifests of its nodes in memory: no files, no
 * sockets, no real time. Its runtimes can be slowed down. For simulations, tests and measurements.
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
      settings: options.settings,
      registerWithTaints: options.registerWithTaints ?? [],
      nodes: nodeNames.map((name) => ({ name, manifests: this.folder(name).manifests })),
      maxPods,
      // Independent of this machine's processor and kernel, so that a run can be repeated elsewhere.
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

  /** The node with this name, by default the first. This and the methods below throw for an unknown node. */
  node(name?: string): SimulatedNode {
    return one(this.sandbox.nodes, name)
  }

  /** The manifests of a node. */
  folder(name?: string): MemoryFolder {
    return one(this.#folders, name)
  }

  /** The connection of a node to the API server. */
  outage(name?: string): OutageSwitch {
    return one(this.sandbox.outages, name)
  }

  /** The runtime of a node, as its kubelet calls it. */
  slowRuntime(name?: string): SlowRuntime {
    return one(this.#slowRuntimes, name)
  }

  /** Replaces the manifests of a node. */
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

  /** A power failure of a node: pending calls to its runtime are dropped. */
  powerOff(name?: string): void {
    this.node(name).powerOff()
    this.slowRuntime(name).cutPower()
  }

  /** Boots a node if it is off, and starts its kubelet. */
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

  /** A request of the dashboard's user, answered without latency. */
  request(method: HttpMethod, path: string, body?: KubeObject): Promise<KubeResponse> {
    const headers = json
    return this.send({ method, path, headers, ...(body === undefined ? {} : { body }) })
  }

  /** The same for any request, including watches. */
  send(request: KubeRequest): Promise<KubeResponse> {
    return this.sandbox.adminTransport.send(request)
  }
}

function one<T>(all: ReadonlyMap<string, T>, name: string | undefined): T {
  const found = name === undefined ? [...all.values()][0] : all.get(name)
  if (found === undefined) throw new Error(`there is no node ${name ?? ''}`)
  return found
}
