import type { TraceCauses, TraceSeq, TraceSubject } from '../../../shared/model/trace-event.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { ExecSyncResponse, LinuxContainerResources } from '../../kubelet/cri-types.ts'
import type {
  CancelTimer,
  Clock,
  ContainerConfig,
  Log,
  RuntimeContainerStatus,
  RuntimeError,
  Trace,
} from '../../kubelet/ports.ts'
import type { ContainerLog, ContainerLogs } from './container-log.ts'
import type { StoredImage } from './image-store.ts'
import { readCommand } from './shell/command-line.ts'
import type { ProcessExit, ProcessOwner } from './process/container-process.ts'
import { ContainerProcess } from './process/container-process.ts'
import type { OutputStreams } from './process/running.ts'

/** What all containers of a runtime share. */
export interface SimulatedContainerDeps {
  readonly clock: Clock
  /** How long the kernel and the runtime take from SIGKILL to an exited container, in ms. */
  readonly dyingMs: () => number
  readonly trace: Trace
  readonly log: Log
  /** Absent: no container keeps a log. */
  readonly logs: ContainerLogs | undefined
}

/** CRI's limit for what a command prints; the rest is dropped. */
const maxExecOutput = 16 * 1024 * 1024

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
  /** Absolute; undefined where no log is asked for. */
  readonly logPath: string | undefined
}

/** containerd's unknownExitCode and unknownExitReason (internal/cri/server/helpers.go). */
const unknownExit = { exitCode: 255, reason: 'Unknown' } as const

/** One container: created, running once started, exited when its main process has ended. */
export class SimulatedContainer implements ProcessOwner {
  readonly #deps: SimulatedContainerDeps
  readonly #subject: TraceSubject
  /** Until it is started; nothing asks for its command after that. */
  #parts: ContainerParts | undefined
  /** What an exec starts with. */
  #execContext: { readonly image: string; readonly environment: Environment } | undefined
  #log: ContainerLog | undefined
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
    const { id, podSandboxId, config, image, subject, logPath } = parts
    const { mounts, linux } = config
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
      ...(logPath === undefined ? {} : { logPath }),
      ...(mounts === undefined ? {} : { mounts }),
      ...(linux?.resources === undefined ? {} : { resources: linux.resources }),
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

  /** Why the log that was asked for cannot be written; undefined when it can, or when there is none. */
  openLog(): string | undefined {
    const { logPath } = this.#status
    if (logPath === undefined) return undefined
    const opened = this.#deps.logs?.open(logPath)
    if (opened?.ok === false) return opened.error
    this.#log = opened?.value
    return undefined
  }

  /** Runs its command, which may end at once. Its state must be `created`, and its log be open. */
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
    this.#execContext = { image: image.name, environment }
    const streams = this.#log === undefined ? undefined : this.#streamsTo(this.#log)
    this.#process = new ContainerProcess({ clock, command, owner: this, streams })
    this.#process.start()
  }

  /**
   * Runs a command, which must be one that can be read. It ends by SIGKILL after the timeout (0: none), or when the
   * container ends.
   */
  async execSync(
    command: readonly string[],
    timeoutSeconds: number,
  ): Promise<Result<ExecSyncResponse, RuntimeError>> {
    const { clock } = this.#deps
    const context = this.#execContext
    if (!this.isRunning || this.#process === undefined || context === undefined)
      return err({
        kind: 'failed',
        message: execFailure(`container is in ${this.#criState} state`),
      })
    const read = readCommand({ ...context, command, args: [] })
    if (read.kind === 'unreadable') return cannotRun(read.why)
    const output = { stdout: '', stderr: '' }
    const streams = {
      stdout: (text: string) => {
        output.stdout = (output.stdout + text).slice(0, maxExecOutput)
      },
      stderr: (text: string) => {
        output.stderr = (output.stderr + text).slice(0, maxExecOutput)
      },
    }
    const process = this.#process
    return new Promise((resolve) => {
      let cancelTimer: CancelTimer = () => undefined
      const session = {
        onExit: (exitCode: number) => {
          cancelTimer()
          resolve(ok({ ...output, exitCode }))
        },
        onUnreadable: (why: string) => {
          cancelTimer()
          resolve(cannotRun(why))
        },
      }
      const kill = process.exec(read.script, session, streams)
      if (timeoutSeconds <= 0) return
      cancelTimer = clock.after(timeoutSeconds * 1000, () => {
        const message = execFailure(
          `timeout ${timeoutSeconds}s exceeded: context deadline exceeded`,
        )
        resolve(err({ kind: 'deadline-exceeded', message }))
        kill()
      })
    })
  }

  /** Fields that are absent stay as they were. */
  updateResources(resources: LinuxContainerResources): void {
    this.#status = { ...this.#status, resources: { ...this.#status.resources, ...resources } }
  }

  /** Why the log cannot be written on in a new file; undefined when it is, or when there is none. */
  reopenLog(): string | undefined {
    return this.#log?.reopen()
  }

  #streamsTo(log: ContainerLog): OutputStreams {
    const { clock } = this.#deps
    return {
      stdout: (text) => {
        log.write('stdout', text, clock.now())
      },
      stderr: (text) => {
        log.write('stderr', text, clock.now())
      },
    }
  }

  get #criState(): string {
    return `CONTAINER_${this.#status.state.toUpperCase()}`
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
    this.#log?.close(finishedAt)
    this.#log = undefined
    this.#execContext = undefined
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

function execFailure(why: string): string {
  return `failed to exec in container: ${why}`
}

function cannotRun(why: string): Result<never, RuntimeError> {
  const message = execFailure(`the simulated runtime does not run this command: ${why}`)
  return err({ kind: 'unimplemented', message })
}

type Environment = ReadonlyMap<string, string>

function environmentOf({ config, hostname }: ContainerParts): Environment {
  const environment = new Map(config.envs.map(({ key, value }) => [key, value]))
  if (hostname !== undefined) environment.set('HOSTNAME', hostname)
  return environment
}
