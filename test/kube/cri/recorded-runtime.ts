import { dirname } from 'node:path'
import { seededRandom } from '../../../src/main/clock/seeded-random.ts'
import { systemClock } from '../../../src/main/clock/system-clock.ts'
import { criLogFiles } from '../../../src/main/cri/cri-log-file.ts'
import { CriServer } from '../../../src/main/cri/cri-server.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import type { ContainerConfig, PodSandboxConfig } from '../../../src/main/kubelet/ports.ts'
import { SimulatedRuntime } from '../../../src/main/runtimes/simulated/simulated-runtime.ts'

/** A call of CRI that changes something, as its runtime got it. */
export interface RuntimeCall {
  readonly namespace: string
  readonly pod: string
  /** `StopContainer c, 30 s`. */
  readonly call: string
  /** The configuration of what is made. */
  readonly config?: PodSandboxConfig | ContainerConfig
}

/** A simulated runtime on the system clock that keeps what it is asked to change. */
export class RecordedRuntime extends SimulatedRuntime {
  readonly calls: RuntimeCall[] = []
  readonly #pods = new Map<string, Pick<RuntimeCall, 'namespace' | 'pod'>>()
  readonly #containers = new Map<string, { readonly sandbox: string; readonly name: string }>()

  constructor(stateFolder: string) {
    super({
      clock: systemClock,
      random: seededRandom(1),
      trace: { emit: () => 0 },
      log: new FakeLog(),
      options: { logs: criLogFiles, stateFolder },
    })
  }

  override async runPodSandbox(
    ...args: Parameters<SimulatedRuntime['runPodSandbox']>
  ): ReturnType<SimulatedRuntime['runPodSandbox']> {
    const made = await super.runPodSandbox(...args)
    const [config] = args
    const { namespace, name: pod } = config.metadata
    if (made.ok) this.#pods.set(made.value, { namespace, pod })
    this.calls.push({ namespace, pod, call: 'RunPodSandbox', config })
    return made
  }

  override async createContainer(
    ...args: Parameters<SimulatedRuntime['createContainer']>
  ): ReturnType<SimulatedRuntime['createContainer']> {
    const made = await super.createContainer(...args)
    const [sandbox, config] = args
    const { name } = config
    if (made.ok) this.#containers.set(made.value, { sandbox, name })
    this.#keep(sandbox, `CreateContainer ${name}, attempt ${config.attempt}`, config)
    return made
  }

  override startContainer(
    ...args: Parameters<SimulatedRuntime['startContainer']>
  ): ReturnType<SimulatedRuntime['startContainer']> {
    this.#keepOfContainer('StartContainer', args[0])
    return super.startContainer(...args)
  }

  override stopContainer(
    ...args: Parameters<SimulatedRuntime['stopContainer']>
  ): ReturnType<SimulatedRuntime['stopContainer']> {
    this.#keepOfContainer('StopContainer', args[0], `, ${args[1]} s`)
    return super.stopContainer(...args)
  }

  override stopPodSandbox(
    ...args: Parameters<SimulatedRuntime['stopPodSandbox']>
  ): ReturnType<SimulatedRuntime['stopPodSandbox']> {
    this.#keep(args[0], 'StopPodSandbox')
    return super.stopPodSandbox(...args)
  }

  #keepOfContainer(call: string, id: string, more = ''): void {
    const { sandbox = '', name = id } = this.#containers.get(id) ?? {}
    this.#keep(sandbox, `${call} ${name}${more}`)
  }

  #keep(sandbox: string, call: string, config?: ContainerConfig): void {
    const about = this.#pods.get(sandbox) ?? { namespace: '', pod: sandbox }
    this.calls.push({ ...about, call, ...(config === undefined ? {} : { config }) })
  }
}

/** Serves a recorded runtime as CRI v1. */
export async function serveRecordedRuntime(
  socketPath: string,
): Promise<{ readonly runtime: RecordedRuntime; readonly stop: () => void }> {
  const runtime = new RecordedRuntime(dirname(socketPath))
  const server = new CriServer({ runtime, log: new FakeLog() })
  const listening = await server.listen(socketPath)
  if (!listening.ok) throw new Error(listening.error)
  return {
    runtime,
    stop: () => {
      server.stop()
    },
  }
}
