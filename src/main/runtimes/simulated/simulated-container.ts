import type { TraceCauses, TraceSeq, TraceSubject } from '../../../shared/model/trace-event.ts'
import type {
  Clock,
  ContainerConfig,
  Log,
  RuntimeContainerStatus,
  Trace,
} from '../../kubelet/ports.ts'
import type { StoredImage } from './image-store.ts'
import { readCommand } from './shell/command-line.ts'
import type { ProcessExit, ProcessOwner } from './process/container-process.ts'
import { ContainerProcess } from './process/container-process.ts'

/** What all containers of a runtime share. */
export interface SimulatedContainerDeps {
  readonly clock: Clock
  /** How long the kernel and the runtime take from SIGKILL to an exited container, in ms. */
  readonly dyingMs: () => number
  readonly trace: Trace
  readonly log: Log
}

/** What a container is made of. */
interface ContainerParts {
  readonly id: string
  readonly podSandboxId: string
  readonly config: ContainerConfig
  readonly image: StoredImage
  /** The pod, for the trace. */
  readonly subject: TraceSubject
  /** `HOSTNAME` in the container; undefined where it is the node's. */
  readonly hostname: string | undefined
}

/** containerd's unknownExitCode and unknownExitReason (internal/cri/server/helpers.go). */
const unknownExit = { exitCode: 255, reason: 'Unknown' } as const

/** One container: created, running once started, exited when its main process has ended. */
export class SimulatedContainer implements ProcessOwner {
  readonly #deps: SimulatedContainerDeps
  readonly #subject: TraceSubject
  /** Until it is started; nothing asks for its command after that. */
  #parts: ContainerParts | undefined
  #status: RuntimeContainerStatus
  #process: ContainerProcess | undefined
  /** Whether every command of its script is known; what comes out of one may not be. */
  #isCommandRead = false
  /** A number, not a list: one is kept for every container. */
  #cause: TraceSeq
  /** The events that an exit can come from. */
  readonly #caused: Record<'started' | 'SIGTERM' | 'SIGKILL', TraceSeq> = {
    started: 0,
    SIGTERM: 0,
    SIGKILL: 0,
  }
  #stopping: Promise<void> | undefined
  #whenExited: readonly (() => void)[] | undefined
  /** Set from SIGKILL to the exit, while the process does nothing any more. */
  #finishDying: (() => void) | undefined

  constructor(deps: SimulatedContainerDeps, parts: ContainerParts, causes: TraceCauses) {
    const { id, podSandboxId, config, image, subject } = parts
    this.#deps = deps
    this.#subject = subject
    this.#parts = parts
    this.#status = {
      id,
      podSandboxId,
      name: config.name,
      attempt: config.attempt,
      state: 'created',
      image: image.name,
      imageRef: image.id,
      createdAt: deps.clock.now(),
      labels: config.labels,
      annotations: config.annotations,
      startedAt: 0,
      finishedAt: 0,
      exitCode: 0,
      reason: '',
      message: '',
    }
    const data = { container: config.name, containerId: id, attempt: config.attempt }
    this.#cause = deps.trace.emit({ kind: 'container.created', subject, causes, data })
  }

  /** A new object after every change. */
  get status(): RuntimeContainerStatus {
    return this.#status
  }

  get causes(): TraceCauses {
    return [this.#cause]
  }

  get isRunning(): boolean {
    return this.#status.state === 'running'
  }

  /** Runs its command, which may end at once. Its state must be `created`. */
  start(causes: TraceCauses): void {
    const parts = this.#parts
    if (parts === undefined) throw new Error('a container is started once')
    this.#parts = undefined
    const { clock, trace } = this.#deps
    const { config, image, subject } = parts
    this.#status = { ...this.#status, state: 'running', startedAt: clock.now() }
    const data = this.#names
    this.#caused.started = trace.emit({ kind: 'container.started', subject, causes, data })
    this.#cause = this.#caused.started
    const environment = environmentOf(parts)
    const command = readCommand({ ...config, image: image.name, environment })
    this.#isCommandRead = command.kind === 'script'
    this.#process = new ContainerProcess({ clock, command, owner: this })
    this.#process.start()
  }

  /** For its process. */
  onExit(exit: ProcessExit): void {
    if (this.#finishDying === undefined) this.#exited(exit)
  }

  /** For its process. */
  onUnreadable(): void {
    // Not what of it: that quotes the command, in which variables are expanded.
    const message = 'command is not read; the container runs until it is told to stop'
    this.#deps.log.info(message, this.#names)
    // What cannot be read from the start is said of the pod; this is known only now.
    if (!this.#isCommandRead) return
    this.#deps.trace.emit({
      kind: 'container.notSimulated',
      subject: this.#subject,
      causes: [this.#caused.started],
      data: this.#names,
    })
  }

  /**
   * SIGTERM, then SIGKILL when it has not ended within the timeout; with none, SIGKILL at once. A call
   * that comes while another one waits joins it: neither its shorter timeout nor a second SIGTERM
   * reaches the process, since the kubelet's own calls are never interrupted (termination#cancellation).
   */
  stop(timeoutSeconds: number, causes: TraceCauses): Promise<void> {
    this.#stopping ??= this.#stop(timeoutSeconds, causes)
    return this.#stopping
  }

  /** SIGKILL, and exited at once. Nothing happens to one that does not run. */
  kill(causes: TraceCauses): void {
    if (!this.isRunning) return
    if (this.#finishDying !== undefined) {
      this.#finishDying()
      return
    }
    this.#signalled('SIGKILL', causes)
    this.#process?.kill()
  }

  /** After a loss of power: what ran has ended, nobody knows how. */
  recover(): void {
    this.#process = undefined
    this.#stopping = undefined
    this.#whenExited = undefined
    this.#finishDying = undefined
    if (!this.isRunning) return
    this.#exited({ exitCode: unknownExit.exitCode, bySignal: undefined }, unknownExit.reason)
  }

  /** SIGKILL, and gone a moment later: a kubelet that looks right now still sees it running. */
  async #killAndWait(causes: TraceCauses): Promise<void> {
    if (!this.isRunning) return
    this.#signalled('SIGKILL', causes)
    await new Promise<void>((resolve) => {
      const cancel = this.#deps.clock.after(this.#deps.dyingMs(), () => this.#finishDying?.())
      this.#finishDying = () => {
        cancel()
        this.#finishDying = undefined
        this.#exited({ exitCode: 137, bySignal: 'SIGKILL' })
        resolve()
      }
      this.#process?.kill()
    })
  }

  async #stop(timeoutSeconds: number, causes: TraceCauses): Promise<void> {
    if (timeoutSeconds <= 0) {
      await this.#killAndWait(causes)
      return
    }
    this.#signalled('SIGTERM', causes)
    this.#process?.terminate()
    if (!this.isRunning) return
    await new Promise<void>((resolve) => {
      const cancel = this.#deps.clock.after(timeoutSeconds * 1000, resolve)
      this.#whenExited = [cancel, resolve]
    })
    await this.#killAndWait([this.#caused.SIGTERM])
  }

  #signalled(signal: 'SIGTERM' | 'SIGKILL', causes: TraceCauses): void {
    const subject = this.#subject
    const data = { ...this.#names, signal }
    this.#caused[signal] = this.#deps.trace.emit({
      kind: 'container.signalled',
      subject,
      causes,
      data,
    })
    this.#cause = this.#caused[signal]
  }

  #exited(
    { exitCode, bySignal }: ProcessExit,
    reason = exitCode === 0 ? 'Completed' : 'Error',
  ): void {
    const { clock, trace } = this.#deps
    const subject = this.#subject
    const finishedAt = clock.now()
    this.#status = { ...this.#status, state: 'exited', finishedAt, exitCode, reason }
    const data = { ...this.#names, exitCode, reason }
    const causes = [this.#caused[bySignal ?? 'started']]
    this.#cause = trace.emit({ kind: 'container.exited', subject, causes, data })
    const whenExited = this.#whenExited ?? []
    this.#whenExited = undefined
    for (const resolve of whenExited) resolve()
  }

  get #names(): { readonly container: string; readonly containerId: string } {
    return { container: this.#status.name, containerId: this.#status.id }
  }
}

function environmentOf({ config, hostname }: ContainerParts): ReadonlyMap<string, string> {
  const environment = new Map(config.env.map(({ key, value }) => [key, value]))
  if (hostname !== undefined) environment.set('HOSTNAME', hostname)
  return environment
}
