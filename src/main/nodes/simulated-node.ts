import type { NodeView } from '../../shared/model/cluster-view.ts'
import type { RuntimeFact } from '../../shared/model/act.ts'
import type { TraceCauses } from '../../shared/model/trace-event.ts'
import { defaultKubeletSettings } from '../kubelet/kubelet-settings.ts'
import type { KubeletSettings } from '../kubelet/kubelet-settings.ts'
import { defaultKubeletConfiguration } from '../kubelet/server/default-configuration.ts'
import type { JsonObject } from '../../shared/json.ts'
import type { Kubelet } from '../kubelet/kubelet.ts'
import type { ImageService, RuntimeService } from '../kubelet/ports.ts'
import type { SimulatedRuntime } from '../runtimes/simulated/simulated-runtime.ts'
import { FaultSwitches } from './fault-switches.ts'
import { KubeletProcess } from './kubelet-process.ts'
import type { KubeletProcessDeps } from './kubelet-process.ts'
import { nodeView } from './node-view.ts'
import type { PodSources } from './pod-sources.ts'

/** Only a simulated runtime has faults, and a machine that can lose power. */
type NodeRuntime = RuntimeService &
  ImageService &
  Partial<
    Pick<
      SimulatedRuntime,
      | 'faults'
      | 'annotatePod'
      | 'cutPower'
      | 'boot'
      | 'fillDisk'
      | 'useOther'
      | 'otherUse'
      | 'lastLogLines'
      | 'podNetwork'
    >
  >

export interface SimulatedNodeDeps extends Omit<KubeletProcessDeps, 'runtime' | 'onChange'> {
  /** The machine's containers, which keep running when the kubelet stops. */
  readonly runtime: NodeRuntime
  /** The runtime as the kubelet calls it. Default: `runtime`. */
  readonly runtimeService?: (RuntimeService & ImageService) | undefined
}

export interface NodeListener {
  /** The node's view changed. */
  readonly viewChanged: () => void
  /** Its kubelet started or stopped. `previous`: the kubelet before, which may be the same one. */
  readonly kubeletChanged: (previous: Kubelet) => void
}

/**
 * A machine with a container runtime and a kubelet that stops and starts; the machine can lose power. Each kubelet is a
 * new process without the state of the previous one. While none runs, the last one still shows its last state.
 */
export class SimulatedNode {
  readonly nodeName: string
  readonly runtime: NodeRuntime
  /** What a user has made to fail. */
  readonly faults: FaultSwitches
  readonly #deps: SimulatedNodeDeps
  readonly #listeners: NodeListener[] = []
  #process: KubeletProcess
  #settings: KubeletSettings
  #configuration: JsonObject
  #starts = 0
  #isRunning = false
  #isOn = true
  #isLeaving = false

  constructor(deps: SimulatedNodeDeps) {
    this.#deps = deps
    this.nodeName = deps.nodeName
    this.runtime = deps.runtime
    this.#settings = deps.settings ?? defaultKubeletSettings
    this.#configuration = deps.configuration ?? defaultKubeletConfiguration
    const { runtime, runtimeService = runtime, clock } = deps
    const { fillDisk } = runtime
    this.faults = new FaultSwitches({ runtime: runtimeService, clock, fillDisk })
    this.#process = this.#newProcess(1)
  }

  /** The running kubelet; if none runs, the last one, or the first before it starts. */
  get kubelet(): Kubelet {
    return this.#process.kubelet
  }

  /** Of that kubelet. */
  get sources(): PodSources {
    return this.#process.sources
  }

  /** Whether a kubelet runs. */
  get isRunning(): boolean {
    return this.#isRunning
  }

  /** Whether the machine has power. */
  get isOn(): boolean {
    return this.#isOn
  }

  /** Whether the program is exiting: the node starts nothing any more. */
  get isLeaving(): boolean {
    return this.#isLeaving
  }

  /** How many kubelets were started. */
  get starts(): number {
    return this.#starts
  }

  /** Whether its runtime follows annotations of pods. */
  get isSimulated(): boolean {
    return this.runtime.annotatePod !== undefined
  }

  /** What its container runtime does with calls. */
  get runtimeState(): RuntimeFact {
    return this.#isOn ? this.faults.state.runtime : 'off'
  }

  listen(listener: NodeListener): void {
    this.#listeners.push(listener)
  }

  /** `server`: the API server's name or URL. */
  view(server: string): Omit<NodeView, 'isCutOff'> {
    return nodeView(this, server)
  }

  /** See `KubeletProcess.retryNow`. */
  retryNow(): void {
    if (this.#isRunning) this.#process.retryNow()
  }

  /** Before the program exits: updates the Node if that is configured and a kubelet runs. */
  leave(): Promise<void> {
    this.#isLeaving = true
    return this.#isRunning ? this.kubelet.leave() : Promise.resolve()
  }

  /** Starts the first kubelet, or a new one. Does nothing if one runs or the machine is off. */
  startKubelet(causes: TraceCauses = []): void {
    if (this.#isRunning || !this.#isOn) return
    const previous = this.kubelet
    this.#starts++
    if (this.#starts > 1) this.#process = this.#newProcess(this.#starts)
    this.#isRunning = true
    this.#emit('agent.started', causes)
    this.#process.start()
    this.#kubeletChanged(previous)
  }

  /** Of the kubelet that runs, and of those that start next. */
  get settings(): KubeletSettings {
    return this.#settings
  }

  /** What its /configz shows. */
  get configuration(): JsonObject {
    return this.#configuration
  }

  /** As after a change of the file for --config: takes effect with the next start of a kubelet. */
  reconfigure(settings: KubeletSettings, configuration: JsonObject): void {
    this.#settings = settings
    this.#configuration = configuration
  }

  /** Like SIGKILL of the process: it writes nothing, and containers keep running. Does nothing if none runs. */
  stopKubelet(causes: TraceCauses = []): void {
    if (!this.#isRunning) return
    this.#isRunning = false
    this.#process.stop()
    this.faults.forget()
    this.#emit('agent.stopped', causes)
    this.#kubeletChanged(this.kubelet)
  }

  /** Ends the kubelet and, where they are simulated, all containers at once. Does nothing if the machine is off. */
  powerOff(causes: TraceCauses = []): void {
    if (!this.#isOn) return
    this.stopKubelet(causes)
    this.#isOn = false
    this.faults.clear()
    this.runtime.cutPower?.()
    this.#emitMachine(causes)
  }

  /** Starts the machine and a kubelet. Does nothing if the machine is on. */
  boot(causes: TraceCauses = []): void {
    if (this.#isOn) return
    this.#isOn = true
    this.runtime.boot?.()
    this.startKubelet(this.#emitMachine(causes))
  }

  #newProcess(start: number): KubeletProcess {
    const { random, runtime, containerHost } = this.#deps
    const { beforeMount } = this.faults
    return new KubeletProcess({
      podNetwork: runtime.podNetwork,
      ...this.#deps,
      settings: this.#settings,
      configuration: this.#configuration,
      runtime: this.faults.runtime,
      containerHost: { ...containerHost, beforeMount },
      onPod: ({ metadata: { uid, annotations = {} } }) => runtime.annotatePod?.(uid, annotations),
      random: start === 1 ? random : random.fork(`life ${start}`),
      onChange: () => {
        for (const listener of this.#listeners) listener.viewChanged()
      },
    })
  }

  #kubeletChanged(previous: Kubelet): void {
    for (const listener of this.#listeners) listener.kubeletChanged(previous)
  }

  #emit(kind: 'agent.started' | 'agent.stopped', causes: TraceCauses): void {
    this.#deps.trace.emit({ kind, subject: { kind: 'node' }, causes, data: {} })
  }

  #emitMachine(causes: TraceCauses): TraceCauses {
    const data = { on: this.#isOn }
    const subject = { kind: 'node' } as const
    return [this.#deps.trace.emit({ kind: 'machine.switched', subject, causes, data })]
  }
}
