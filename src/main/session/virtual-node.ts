import type { Pod } from '../../shared/kubernetes/objects.ts'
import type { Transport } from '../../shared/kubernetes/request.ts'
import { defaultPod } from '../../shared/kubernetes/pod-defaults.ts'
import { nodeHash } from '../clock/node-hash.ts'
import { TransportApiClient } from '../cluster/api-client.ts'
import { nodeReflector, reflectorNodeLister } from '../cluster/node-lister.ts'
import { OutageSwitch } from '../cluster/outage-switch.ts'
import { RetryAfterTransport } from '../cluster/retry-after-transport.ts'
import type { SourcePod } from '../kubelet/config/pod-config.ts'
import { Kubelet } from '../kubelet/kubelet.ts'
import type { NodeDescription } from '../kubelet/node/node-status.ts'
import { applyStaticDefaults } from '../kubelet/pod/static-pod.ts'
import type { HoldableClock, Log, Random, Trace } from '../kubelet/ports.ts'
import { SimulatedRuntime } from '../runtimes/simulated/simulated-runtime.ts'
import { SlowRuntime } from '../runtimes/simulated/slow-runtime.ts'
import { ApiPodSource } from '../sources/api-pods.ts'
import { ManifestFolderSource } from '../sources/manifest-folder.ts'
import type { MemoryFolder } from '../sources/memory-folder.ts'
import { describeNode } from './node-description.ts'

/** What a node has to give; values are quantities. */
export type NodeSize = Readonly<Record<string, string>>

export interface VirtualNodeDeps {
  readonly nodeName: string
  /** Answers as the node. */
  readonly transport: Transport
  readonly clock: HoldableClock
  readonly random: Random
  readonly trace: Trace
  readonly log: Log
  readonly size: NodeSize
  /** Where its manifests lie; without one they are given by `setStaticPods`. */
  readonly folder?: MemoryFolder | undefined
}

/** From one start of the agent to its stop: all that a process that dies takes with it. */
interface AgentLife {
  readonly kubelet: Kubelet
  readonly parts: readonly { readonly start: () => void; readonly stop: () => void }[]
}

const idle = (): void => undefined

/**
 * One node of a `VirtualCluster`: a machine with its container runtime, its way to the API server, its manifests, and an
 * agent, which can be stopped and started again. Nothing of the agent outlives its stop; containers run on.
 */
export class VirtualNode {
  readonly nodeName: string
  /** The machine's containers, with the failures of its calls to come. */
  readonly runtime: SimulatedRuntime
  /** The runtime as the agent reaches it: with delays. */
  readonly slowRuntime: SlowRuntime
  /** The way to the API server. */
  readonly outage: OutageSwitch
  readonly folder: MemoryFolder | undefined
  readonly #deps: VirtualNodeDeps
  #staticPods: readonly SourcePod[] = []
  #life: AgentLife | undefined
  #isRunning = false
  #isOn = true
  #starts = 0

  constructor(deps: VirtualNodeDeps) {
    const { clock, transport } = deps
    this.#deps = deps
    this.nodeName = deps.nodeName
    this.folder = deps.folder
    this.runtime = new SimulatedRuntime({ ...deps, random: deps.random.fork('runtime') })
    this.slowRuntime = new SlowRuntime({ runtime: this.runtime, clock })
    this.outage = new OutageSwitch({ transport })
  }

  /** The agent's, or that of the last one where none runs. Throws before the first start. */
  get kubelet(): Kubelet {
    if (this.#life === undefined) throw new Error(`the agent of ${this.nodeName} was not started`)
    return this.#life.kubelet
  }

  get isRunning(): boolean {
    return this.#isRunning
  }

  /** How often its agent was started. */
  get starts(): number {
    return this.#starts
  }

  /** A new agent, which knows nothing; a machine without power boots first. Running already: nothing. */
  start(): void {
    if (this.#isRunning) return
    if (!this.#isOn) this.runtime.boot()
    this.#isOn = true
    this.#isRunning = true
    this.#starts++
    this.#life = this.#newLife(this.#deps.random.fork(`start ${this.#starts}`))
    for (const part of this.#life.parts) part.start()
  }

  /** The agent ends as a process that dies. Twice is fine. */
  stop(): void {
    if (!this.#isRunning) return
    this.#isRunning = false
    for (const part of this.#life?.parts.toReversed() ?? []) part.stop()
  }

  /** Agent and containers are gone at once, until the next `start`. */
  cutPower(): void {
    this.stop()
    this.#isOn = false
    this.runtime.cutPower()
    this.slowRuntime.cutPower()
  }

  /** What a folder of these manifests would bring. Throws for one that can be no static pod. Not for a node with a folder. */
  setStaticPods(manifests: readonly Pod[]): void {
    this.#staticPods = manifests.map((manifest) => {
      const pod = applyStaticDefaults(defaultPod(manifest), {
        source: 'file',
        nodeName: this.nodeName,
        location: `/manifests/${manifest.metadata.name}.yaml`,
        hash: nodeHash,
      })
      if (!pod.ok) throw new Error(pod.error.join('; '))
      return { pod: pod.value }
    })
    if (this.#isRunning) this.kubelet.setPods('file', this.#staticPods, [])
  }

  #newLife(random: Random): AgentLife {
    const { nodeName, clock, trace, log } = this.#deps
    const transport = this.outage
    const nodes = nodeReflector({
      nodeName,
      transport,
      clock,
      log,
      random: random.fork('node reflector'),
      onChange: idle,
    })
    const nodeLister = reflectorNodeLister(nodes, nodeName)
    const calls = new RetryAfterTransport({ clock, transport })
    const kubelet = new Kubelet({
      nodeName,
      description: this.#description(),
      clock,
      random: random.fork('kubelet'),
      hash: nodeHash,
      trace,
      log,
      api: new TransportApiClient({ transport: calls }),
      nodeLister,
      runtimeService: this.slowRuntime,
      imageService: this.slowRuntime,
      sources: ['file', 'api'],
    })
    const apiPods = new ApiPodSource({
      nodeName,
      transport,
      nodeLister,
      clock,
      trace,
      log,
      random: random.fork('pod reflector'),
      onPods: (pods, causes) => {
        kubelet.setPods('api', pods, causes)
      },
    })
    const retries = { start: idle, stop: () => calls.stop() }
    return { kubelet, parts: [retries, nodes, kubelet, this.#files(kubelet), apiPods] }
  }

  #files(kubelet: Kubelet): AgentLife['parts'][number] {
    const { folder } = this
    if (folder === undefined)
      return {
        // Before anybody set them nobody knows that there are none.
        start: () => {
          if (this.#starts > 1) kubelet.setPods('file', this.#staticPods, [])
        },
        stop: idle,
      }
    return new ManifestFolderSource({
      ...this.#deps,
      path: folder.path,
      hash: nodeHash,
      watchFolder: folder.watchFolder,
      files: folder,
      onPods: (pods, causes) => {
        kubelet.setPods('file', pods, causes)
      },
      onProblems: idle,
    })
  }

  /** Neither the machine's processor nor its kernel belongs into a run that can be repeated elsewhere. */
  #description(): NodeDescription {
    const { nodeName, size } = this.#deps
    const description = describeNode({ nodeName, runtime: this.runtime, isTainted: false })
    return {
      ...description,
      capacity: size,
      allocatable: size,
      nodeInfo: { ...description.nodeInfo, architecture: 'amd64', kernelVersion: '' },
      labels: { ...description.labels, 'kubernetes.io/arch': 'amd64' },
    }
  }
}
