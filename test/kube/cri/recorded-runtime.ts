import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../../../src/main/clock/seeded-random.ts'
import { systemClock } from '../../../src/main/clock/system-clock.ts'
import { criLogFiles } from '../../../src/main/cri/cri-log-file.ts'
import { nodeFiles } from '../../../src/main/cri/node-files.ts'
import {
  reachablePods,
  type ReachablePods,
} from '../../../src/main/cri/pod-ports/reachable-pods.ts'
import { CriServer } from '../../../src/main/cri/cri-server.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import type {
  ContainerConfig,
  PodSandboxConfig,
  RuntimeError,
} from '../../../src/main/kubelet/ports.ts'
import { SimulatedRuntime } from '../../../src/main/runtimes/simulated/simulated-runtime.ts'
import type { TraceEvent, TraceInput, TraceSeq } from '../../../src/shared/model/trace-event.ts'
import { err } from '../../../src/shared/result.ts'

/** A call of CRI that changes something, as its runtime got it. */
export interface RuntimeCall {
  readonly namespace: string
  readonly pod: string
  /** Its id; empty where none was made. */
  readonly sandbox: string
  /** `StopContainer c, 30 s`. */
  readonly call: string
  /** The configuration of what is made. */
  readonly config?: PodSandboxConfig | ContainerConfig
}

/** The calls that can be made to fail for the pods of one namespace. */
export type FailingCall = 'RunPodSandbox' | 'CreateContainer' | 'StartContainer' | 'StopContainer'

const refusal: RuntimeError = { kind: 'failed', message: 'the test made this call fail' }

/** A simulated runtime on the system clock that keeps what it is asked to change. */
export class RecordedRuntime extends SimulatedRuntime {
  readonly calls: RuntimeCall[] = []
  /** What happened to its containers, in order. */
  readonly events: readonly TraceEvent[]
  /** How long the next pulls take in addition. */
  pullDelayMs = 0
  /** Images that no registry gives. */
  readonly missingImages = new Set<string>()
  /** When which image was asked for. */
  readonly pulls: { readonly image: string; readonly at: number }[] = []
  /** How many more calls fail, by the call and the namespace. */
  readonly #failing = new Map<string, number>()
  readonly #pods = new Map<string, Pick<RuntimeCall, 'namespace' | 'pod'>>()
  readonly #containers = new Map<string, { readonly sandbox: string; readonly name: string }>()

  /** `images` are there from the start. */
  constructor(
    stateFolder: string,
    images: readonly string[] | undefined,
    pods: ReachablePods['options'],
  ) {
    const events: TraceEvent[] = []
    const emit = (event: TraceInput): TraceSeq =>
      events.push({ ...event, seq: events.length + 1, at: Date.now(), cluster: '', node: '' })
    super({
      clock: systemClock,
      random: seededRandom(1),
      trace: { emit },
      log: new FakeLog(),
      options: {
        ...pods,
        logs: criLogFiles,
        stateFolder,
        machineFiles: nodeFiles,
        ...(images === undefined ? {} : { images }),
      },
    })
    this.events = events
  }

  /** Makes the next calls for the pods of a namespace fail without an effect. */
  failNext(call: FailingCall, namespace: string, times: number): void {
    this.#failing.set(`${call} ${namespace}`, times)
  }

  override async pullImage(
    ...args: Parameters<SimulatedRuntime['pullImage']>
  ): ReturnType<SimulatedRuntime['pullImage']> {
    const [image] = args
    this.pulls.push({ image, at: Date.now() })
    if (this.missingImages.has(image)) return err(refusal)
    await sleep(this.pullDelayMs)
    return super.pullImage(...args)
  }

  override async runPodSandbox(
    ...args: Parameters<SimulatedRuntime['runPodSandbox']>
  ): ReturnType<SimulatedRuntime['runPodSandbox']> {
    const [config] = args
    const { namespace, name: pod } = config.metadata
    if (this.#mustFail('RunPodSandbox', namespace)) {
      this.calls.push({ namespace, pod, sandbox: '', call: 'RunPodSandbox, fails', config })
      return err(refusal)
    }
    const made = await super.runPodSandbox(...args)
    if (made.ok) this.#pods.set(made.value, { namespace, pod })
    const sandbox = made.ok ? made.value : ''
    this.calls.push({ namespace, pod, sandbox, call: 'RunPodSandbox', config })
    return made
  }

  override async createContainer(
    ...args: Parameters<SimulatedRuntime['createContainer']>
  ): ReturnType<SimulatedRuntime['createContainer']> {
    const [sandbox, config] = args
    const { name } = config
    if (this.#mustFail('CreateContainer', this.#namespaceOf(sandbox))) {
      this.#keep(sandbox, `CreateContainer ${name}, attempt ${config.attempt}, fails`, config)
      return err(refusal)
    }
    const made = await super.createContainer(...args)
    if (made.ok) this.#containers.set(made.value, { sandbox, name })
    this.#keep(sandbox, `CreateContainer ${name}, attempt ${config.attempt}`, config)
    return made
  }

  override async startContainer(
    ...args: Parameters<SimulatedRuntime['startContainer']>
  ): ReturnType<SimulatedRuntime['startContainer']> {
    const isFailing = this.#keepOfContainer('StartContainer', args[0])
    return isFailing ? err(refusal) : super.startContainer(...args)
  }

  override async stopContainer(
    ...args: Parameters<SimulatedRuntime['stopContainer']>
  ): ReturnType<SimulatedRuntime['stopContainer']> {
    const isFailing = this.#keepOfContainer('StopContainer', args[0], `, ${args[1]} s`)
    return isFailing ? err(refusal) : super.stopContainer(...args)
  }

  override stopPodSandbox(
    ...args: Parameters<SimulatedRuntime['stopPodSandbox']>
  ): ReturnType<SimulatedRuntime['stopPodSandbox']> {
    this.#keep(args[0], 'StopPodSandbox')
    return super.stopPodSandbox(...args)
  }

  /** Whether the call must fail. */
  #keepOfContainer(call: FailingCall, id: string, more = ''): boolean {
    const { sandbox = '', name = id } = this.#containers.get(id) ?? {}
    const isFailing = this.#mustFail(call, this.#namespaceOf(sandbox))
    this.#keep(sandbox, `${call} ${name}${more}${isFailing ? ', fails' : ''}`)
    return isFailing
  }

  #namespaceOf(sandbox: string): string {
    return this.#pods.get(sandbox)?.namespace ?? ''
  }

  #mustFail(call: FailingCall, namespace: string): boolean {
    const key = `${call} ${namespace}`
    const left = this.#failing.get(key) ?? 0
    this.#failing.set(key, Math.max(0, left - 1))
    return left > 0
  }

  #keep(sandbox: string, call: string, config?: ContainerConfig): void {
    const about = this.#pods.get(sandbox) ?? { namespace: '', pod: sandbox }
    this.calls.push({ ...about, sandbox, call, ...(config === undefined ? {} : { config }) })
  }
}

/** A recorded runtime that is served as CRI v1. The server can stop and start again; the containers run on meanwhile. */
export class RecordedMachine {
  readonly runtime: RecordedRuntime
  readonly socketPath: string
  readonly #pods: ReachablePods
  #server: CriServer | undefined

  private constructor(
    socketPath: string,
    images: readonly string[] | undefined,
    pods: ReachablePods,
  ) {
    this.socketPath = socketPath
    this.#pods = pods
    this.runtime = new RecordedRuntime(dirname(socketPath), images, pods.options)
  }

  static async start(socketPath: string, images?: readonly string[]): Promise<RecordedMachine> {
    const pods = await reachablePods({ clock: systemClock, log: new FakeLog() })
    if (!pods.ok) throw new Error(pods.error)
    const machine = new RecordedMachine(socketPath, images, pods.value)
    await machine.serve()
    return machine
  }

  async serve(): Promise<void> {
    const server = new CriServer({ runtime: this.runtime, log: new FakeLog() })
    const listening = await server.listen(this.socketPath)
    if (!listening.ok) throw new Error(listening.error)
    this.#server = server
  }

  /** Ends the calls that are under way, and removes the socket. */
  stop(): void {
    this.#server?.stop()
    this.#server = undefined
  }

  /** Also closes the ports of its pods, for good. */
  end(): void {
    this.stop()
    this.#pods.stop()
  }
}
