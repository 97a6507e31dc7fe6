import type { NodeView } from '../../shared/model/cluster-view.ts'
import type { TraceCauses } from '../../shared/model/trace-event.ts'
import type { Result } from '../../shared/result.ts'
import { err } from '../../shared/result.ts'
import type { Trace } from '../kubelet/ports.ts'
import type { SimulatedRuntime } from '../runtimes/simulated/simulated-runtime.ts'
import type { FolderManifestDeskDeps } from './folder-manifest-desk.ts'
import type { KubeletAgent } from './kubelet-agent.ts'
import type { NodeAgent } from './node-agent.ts'

export interface NodeSeatDeps {
  readonly nodeName: string
  readonly trace: Trace
  readonly runtime: Pick<SimulatedRuntime, 'cutPower' | 'boot'>
  /** A kubelet with nothing in memory over the same runtime; `life` counts from 1. */
  readonly makeAgent: (life: number) => KubeletAgent
  /** Runs `change` and tells the pages of all that it changed: pods that the next kubelet does not know as well. */
  readonly onChange: (change: () => void) => void
}

const nobody = 'The kubelet of this node is stopped.'

/**
 * A node of the cluster, whatever becomes of its kubelet: the kubelet can end and a new one can take its
 * place over the same runtime, as after a restart of the process or a boot of the machine. While none
 * runs, what the last one knew is still there to be looked at.
 */
export class NodeSeat implements NodeAgent {
  readonly nodeName: string
  readonly #deps: NodeSeatDeps
  #agent: KubeletAgent
  #life = 1
  #isRunning = false
  #isOn = true
  #isLeaving = false

  constructor(deps: NodeSeatDeps) {
    this.#deps = deps
    this.nodeName = deps.nodeName
    this.#agent = deps.makeAgent(1)
  }

  get isRunning(): boolean {
    return this.#isRunning
  }

  get isOn(): boolean {
    return this.#isOn
  }

  get podManager(): NodeAgent['podManager'] {
    return this.#agent.podManager
  }

  get podWorkers(): NodeAgent['podWorkers'] {
    return this.#agent.podWorkers
  }

  get statusManager(): NodeAgent['statusManager'] {
    return this.#agent.statusManager
  }

  get podCache(): NodeAgent['podCache'] {
    return this.#agent.podCache
  }

  /** The folder as the kubelet of the moment reads it. */
  readonly manifests: FolderManifestDeskDeps['source'] = {
    situation: () => this.#agent.manifests.situation(),
    files: () => this.#agent.manifests.files(),
    readNow: (names) => this.#agent.manifests.readNow(names),
  }

  readonly urlView: KubeletAgent['urlView'] = () => this.#agent.urlView()

  readonly mirrorTrouble = (uid: string): string | undefined => this.#agent.mirrorTrouble(uid)

  readonly retryNow = (): void => {
    if (this.#isRunning) this.#agent.retryNow()
  }

  readonly loopIterations = (): number => this.#agent.loopIterations()

  readonly pleg: NodeAgent['pleg'] = () => this.#agent.pleg()

  readonly nodeView: NodeAgent['nodeView'] = () => ({
    ...this.#agent.nodeView(),
    agent: this.#isRunning ? 'running' : 'stopped',
    machine: this.#isOn ? 'on' : 'off',
  })

  readonly kill: NodeAgent['kill'] = (uid, gracePeriodSeconds, causes) =>
    this.#whileRunning((agent) => agent.kill(uid, gracePeriodSeconds, causes))

  readonly evict: NodeAgent['evict'] = (uid, causes) =>
    this.#whileRunning((agent) => agent.evict(uid, causes))

  get shutdownPhase(): NodeView['shutdown']['phase'] {
    return this.#isRunning ? this.#agent.nodeView().shutdown.phase : 'off'
  }

  readonly shutDown: NodeAgent['shutDown'] = (config, causes) =>
    this.#isRunning ? this.#agent.shutDown(config, causes) : err(nobody)

  readonly cancelShutDown: NodeAgent['cancelShutDown'] = (causes) =>
    this.#isRunning ? this.#agent.cancelShutDown(causes) : err(nobody)

  /** Whether the program is ending: nothing more is begun here. */
  get isLeaving(): boolean {
    return this.#isLeaving
  }

  /** What the Node is told before the end of the program, where that was asked for. Without a kubelet nobody tells it. */
  readonly leave = (): Promise<void> => {
    this.#isLeaving = true
    return this.#isRunning ? this.#agent.leave() : Promise.resolve()
  }

  /** Starts the first kubelet, or one in the place of the last. Running already, or the machine off: nothing. */
  startAgent(causes: TraceCauses): void {
    if (this.#isRunning || !this.#isOn) return
    this.#deps.onChange(() => {
      if (this.#life > 1) this.#agent = this.#deps.makeAgent(this.#life)
      this.#life++
      this.#isRunning = true
      this.#emit('agent.started', causes)
      this.#agent.start()
    })
  }

  /** As the death of the process: nothing is written on the way out. Not running: nothing. */
  stopAgent(causes: TraceCauses): void {
    if (!this.#isRunning) return
    this.#deps.onChange(() => {
      this.#isRunning = false
      this.#agent.stop()
      this.#emit('agent.stopped', causes)
    })
  }

  /** Kubelet and containers are gone at once. Off already: nothing. */
  powerOff(causes: TraceCauses): void {
    if (!this.#isOn) return
    this.stopAgent(causes)
    this.#isOn = false
    this.#deps.runtime.cutPower()
    this.#emitMachine(causes)
  }

  /** The machine comes up, and a kubelet with it. On already: nothing. */
  boot(causes: TraceCauses): void {
    if (this.#isOn) return
    this.#isOn = true
    this.#deps.runtime.boot()
    this.startAgent(this.#emitMachine(causes))
  }

  #whileRunning(
    act: (agent: KubeletAgent) => Promise<Result<undefined, string>>,
  ): Promise<Result<undefined, string>> {
    return this.#isRunning ? act(this.#agent) : Promise.resolve(err(nobody))
  }

  #emit(kind: 'agent.started' | 'agent.stopped', causes: TraceCauses): void {
    this.#deps.trace.emit({ kind, subject: { kind: 'node' }, causes, data: {} })
  }

  #emitMachine(causes: TraceCauses): TraceCauses {
    const { trace } = this.#deps
    const data = { on: this.#isOn }
    return [trace.emit({ kind: 'machine.switched', subject: { kind: 'node' }, causes, data })]
  }
}
