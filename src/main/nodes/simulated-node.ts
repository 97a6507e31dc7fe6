import type { NodeView } from '../../shared/model/cluster-view.ts'
import type { TraceCauses } from '../../shared/model/trace-event.ts'
import type { Kubelet } from '../kubelet/kubelet.ts'
import type { ImageService, RuntimeService } from '../kubelet/ports.ts'
import type { SimulatedRuntime } from '../runtimes/simulated/simulated-runtime.ts'
import { KubeletProcess } from './kubelet-process.ts'
import type { KubeletProcessDeps } from './kubelet-process.ts'
import { nodeView } from './node-view.ts'
import type { PodSources } from './pod-sources.ts'

export interface SimulatedNodeDeps extends Omit<KubeletProcessDeps, 'runtime' | 'onChange'> {
  /** The containers of the machine; they outlive the kubelet. */
  readonly runtime: SimulatedRuntime
  /** The runtime as the kubelet reaches it. Default: `runtime`. */
  readonly runtimeService?: (RuntimeService & ImageService) | undefined
}

/** What a node tells of itself. */
export interface NodeListener {
  /** Something of its view changed. */
  readonly viewChanged: () => void
  /** Its kubelet started or stopped. `previous`: the kubelet before, which may be the same one. */
  readonly kubeletChanged: (previous: Kubelet) => void
}

/**
 * A node: a machine with a container runtime, on which a kubelet runs, stops and is started again, and which can lose
 * its power. Each kubelet knows nothing of the one before; while none runs, the last one still shows what it knew.
 */
export class SimulatedNode {
  readonly nodeName: string
  readonly runtime: SimulatedRuntime
  readonly #deps: SimulatedNodeDeps
  readonly #listeners: NodeListener[] = []
  #process: KubeletProcess
  #starts = 0
  #isRunning = false
  #isOn = true
  #isLeaving = false

  constructor(deps: SimulatedNodeDeps) {
    this.#deps = deps
    this.nodeName = deps.nodeName
    this.runtime = deps.runtime
    this.#process = this.#newProcess(1)
  }

  /** The kubelet that runs; the last one, or the one to start, where none does. */
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

  /** Whether the program is ending: no more is started here. */
  get isLeaving(): boolean {
    return this.#isLeaving
  }

  /** How many kubelets were started. */
  get starts(): number {
    return this.#starts
  }

  listen(listener: NodeListener): void {
    this.#listeners.push(listener)
  }

  /** `server`: what its API server is called. */
  view(server: string): Omit<NodeView, 'isCutOff'> {
    return nodeView(this, server)
  }

  /** See `KubeletProcess.retryNow`. */
  retryNow(): void {
    if (this.#isRunning) this.#process.retryNow()
  }

  /** What the Node is told before the end of the program, where that was asked for. Without a kubelet it is told nothing. */
  leave(): Promise<void> {
    this.#isLeaving = true
    return this.#isRunning ? this.kubelet.leave() : Promise.resolve()
  }

  /** Starts the first kubelet, or a new one. Running already, or the machine off: nothing. */
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

  /** As the death of the process: it writes nothing when it stops, and containers run on. Not running: nothing. */
  stopKubelet(causes: TraceCauses = []): void {
    if (!this.#isRunning) return
    this.#isRunning = false
    this.#process.stop()
    this.#emit('agent.stopped', causes)
    this.#kubeletChanged(this.kubelet)
  }

  /** Kubelet and containers are gone at once. Off already: nothing. */
  powerOff(causes: TraceCauses = []): void {
    if (!this.#isOn) return
    this.stopKubelet(causes)
    this.#isOn = false
    this.runtime.cutPower()
    this.#emitMachine(causes)
  }

  /** The machine comes up, and a kubelet with it. On already: nothing. */
  boot(causes: TraceCauses = []): void {
    if (this.#isOn) return
    this.#isOn = true
    this.runtime.boot()
    this.startKubelet(this.#emitMachine(causes))
  }

  #newProcess(start: number): KubeletProcess {
    const { random, runtime, runtimeService = runtime } = this.#deps
    return new KubeletProcess({
      ...this.#deps,
      runtime: runtimeService,
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
