import type { TraceCauses, TraceSeq, TraceSubject } from '../../../shared/model/trace-event.ts'
import type { SimulatedBehavior } from '../../../shared/simulated-behavior.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type {
  ExecSyncResponse,
  LinuxContainerResources,
  LinuxContainerSecurityContext,
  LinuxContainerUser,
} from '../../kubelet/cri-types.ts'
import type {
  CancelTimer,
  Clock,
  ContainerConfig,
  Log,
  RuntimeContainerStatus,
  RuntimeError,
  Trace,
} from '../../kubelet/ports.ts'
import { portsAnnotation } from '../../kubelet/kuberuntime/container-labels.ts'
import type {
  ContainerLogCursor,
  ContainerLogLine,
} from '../../kubelet/host/container-log-reader.ts'
import type { ContainerLog, ContainerLogs } from './container-log.ts'
import { containerFiles, mountedNodes } from './files/container-root.ts'
import type { FileTree } from './files/file-tree.ts'
import { ContainerBehavior } from './container-behavior.ts'
import { ContainerNetwork } from './network/container-network.ts'
import { declaredPortsOf, serversOf } from './network/known-servers.ts'
import type { OpenPorts } from './network/listener.ts'
import type { SimulatedNetwork } from './network/simulated-network.ts'
import type { StoredImage } from './image-store.ts'
import { LogTail } from './log-tail.ts'
import { readCommand } from './shell/command-line.ts'
import type { ProcessExit, ProcessOwner } from './process/container-process.ts'
import { ContainerProcess } from './process/container-process.ts'
import { missingProgram } from './process/missing-programs.ts'
import { ProcessConsole } from './process/process-console.ts'
import type { OutputStreams } from './process/running.ts'
import type { Signal } from './process/signals.ts'
import type { InputReceiver } from './process/terminal.ts'
import type { OutputStream } from './shell/syntax/syntax.ts'
import type { RunningCommand, StreamRequest } from './streams.ts'

/** Shared by all containers of a runtime. */
export interface SimulatedContainerDeps {
  readonly clock: Clock
  /** Draws the time from SIGKILL to the exited container, in ms. */
  readonly dyingMs: () => number
  /** A new id for an exec. */
  readonly execId: () => string
  readonly trace: Trace
  readonly log: Log
  /** The node's files. */
  readonly hostFiles: FileTree
  readonly network: SimulatedNetwork
  /** Draws a number from 0 to 1. */
  readonly chance: () => number
  /** Undefined: logs are kept in memory. */
  readonly logs: ContainerLogs | undefined
}

/** CRI's limit for the output of a command; the rest is dropped. */
const maxExecOutput = 16 * 1024 * 1024

/** The parts of a new container. */
interface ContainerParts {
  readonly id: string
  readonly podSandboxId: string
  readonly config: ContainerConfig
  readonly image: StoredImage
  /** The pod, for the trace. */
  readonly subject: TraceSubject
  /** `HOSTNAME` in the container; undefined if it is the node's. */
  readonly hostname: string | undefined
  /** Its /etc/resolv.conf. */
  readonly resolvConf: string
  /** Undefined with the node's network. */
  readonly ip: string | undefined
  /** Those of its sandbox. */
  readonly ports: OpenPorts
  readonly namespace: string
  readonly behavior: SimulatedBehavior
  /** Absolute; undefined: no log. */
  readonly logPath: string | undefined
}

/** One object for most containers, to save memory. */
const root: LinuxContainerUser = { uid: 0, gid: 0, supplementalGroups: [0] }

/** Groups in the image are not known: only the primary one is. */
function containerUser(
  { uid }: StoredImage,
  {
    runAsUser = uid ?? 0,
    runAsGroup = 0,
    supplementalGroups = [],
  }: LinuxContainerSecurityContext = {},
): LinuxContainerUser {
  if (runAsUser === 0 && runAsGroup === 0 && supplementalGroups.length === 0) return root
  const groups = [...new Set([runAsGroup, ...supplementalGroups])].toSorted((a, b) => a - b)
  return { uid: runAsUser, gid: runAsGroup, supplementalGroups: groups }
}

interface AttachedClient {
  readonly streams: OutputStreams
  readonly end: () => void
}

/** containerd's unknownExitCode and unknownExitReason (internal/cri/server/helpers.go). */
const unknownExit = { exitCode: 255, reason: 'Unknown' } as const

/** One container: created, running after its start, exited after its main process ends. */
export class SimulatedContainer implements ProcessOwner {
  readonly #deps: SimulatedContainerDeps
  readonly #subject: TraceSubject
  /** Undefined after the start, which is the last to need it. */
  #parts: ContainerParts | undefined
  /** What an exec needs; undefined unless the container runs. */
  #execContext: ExecContext | undefined
  /** Undefined until a process uses a file. */
  #files: FileTree | undefined
  #log: ContainerLog | undefined
  /** Undefined if there is a log file, and until something is printed. */
  #tail: LogTail | undefined
  /** Undefined while no client is attached, to save memory. */
  #attached: Set<AttachedClient> | undefined
  #status: RuntimeContainerStatus
  #process: ContainerProcess | undefined
  /** Whether the script is readable; it may still turn out unreadable later. */
  #isCommandRead = false
  /** A number instead of a list, to save memory. */
  #cause: TraceSeq
  /** The events that can cause the exit. */
  readonly #caused: Record<'started' | 'SIGTERM' | 'SIGKILL', TraceSeq> = {
    started: 0,
    SIGTERM: 0,
    SIGKILL: 0,
  }
  #stopping: Promise<void> | undefined
  /** Opens the ports of a command that is not read. */
  #serve: (() => void) | undefined
  #openPorts: OpenPorts | undefined
  readonly #behavior: ContainerBehavior
  #cancelOutOfMemory: CancelTimer | undefined
  #isOutOfMemory = false
  /** Undefined unless the container reads input. */
  #input: InputReceiver | undefined
  /** Whether the input ends with the first client that attaches. */
  #endsInput = false
  #network: ContainerNetwork | undefined
  #whenExited: readonly (() => void)[] | undefined
  /** Set between SIGKILL and the exit. */
  #finishDying: (() => void) | undefined

  constructor(deps: SimulatedContainerDeps, parts: ContainerParts, causes: TraceCauses) {
    const { id, podSandboxId, config, image, subject, logPath } = parts
    const { mounts, linux } = config
    this.#deps = deps
    this.#subject = subject
    this.#parts = parts
    const { clock, chance } = deps
    const ageMs = (): number => clock.now() - this.#status.startedAt
    this.#behavior = new ContainerBehavior({ asked: parts.behavior, ageMs, chance })
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
      user: containerUser(image, linux?.securityContext),
    }
    const data = { container: config.name, containerId: id, attempt: config.attempt }
    this.#cause = deps.trace.emit({ kind: 'container.created', subject, causes, data })
  }

  /** A new object after each change. */
  get status(): RuntimeContainerStatus {
    return this.#status
  }

  get causes(): TraceCauses {
    return [this.#cause]
  }

  get isRunning(): boolean {
    return this.#status.state === 'running'
  }

  /** Opens the log, if the container has one. Returns why it cannot be opened. */
  openLog(): string | undefined {
    const { logPath } = this.#status
    if (logPath === undefined) return undefined
    const opened = this.#deps.logs?.open(logPath)
    if (opened?.ok === false) return opened.error
    this.#log = opened?.value
    return undefined
  }

  /** Runs the command, which may end at once. The state must be `created`. */
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
    const read = readCommand({ ...config, image: image.name, environment })
    const command = this.#behavior.commandInstead() ?? read
    this.#isCommandRead = command.kind === 'script'
    const mounts = mountedNodes(config.mounts ?? [], this.#deps.hostFiles)
    const { hostname = 'node', resolvConf, ip, ports } = parts
    const files = (): FileTree => {
      const now = (): number => clock.now()
      this.#files ??= containerFiles({ image: image.name, hostname, resolvConf, ip, mounts, now })
      return this.#files
    }
    this.#execContext = { image: image.name, environment, files }
    const console = new ProcessConsole({
      streams: this.#streams(),
      hasInput: config.stdin === true,
      isTerminal: config.tty === true,
      now: () => clock.now(),
      onInput: () => {
        this.#process?.catchUp()
      },
      interrupt: () => {
        this.#process?.interrupt()
      },
    })
    const { streams } = console
    this.#input = config.stdin === true ? console.input : undefined
    this.#endsInput = config.stdinOnce === true
    const place = { network: this.#deps.network, ports, address: ip }
    const network = new ContainerNetwork({
      place,
      namespace: parts.namespace,
      listenerOf: (listener) => this.#behavior.listenerOf(listener),
    })
    this.#serve = () => {
      const servers = serversOf({
        image: image.name,
        words: [...config.command, ...config.args],
        declaredPorts: declaredPortsOf(config.annotations[portsAnnotation]),
        hostname,
        files,
        log: (text) => streams.stdout?.(text, clock.now()),
        now: () => clock.now(),
        ageMs: () => clock.now() - this.#status.startedAt,
      })
      for (const [port, listener] of servers) network.open(port, listener)
    }
    this.#openPorts = ports
    this.#network = network
    this.#process = new ContainerProcess({
      clock,
      command,
      owner: this,
      streams,
      files,
      network,
      folder: config.workingDir === '' ? undefined : config.workingDir,
    })
    if (command !== read && read.kind === 'unreadable') ports.openLater(() => this.#serve?.())
    this.#process.start()
    this.#scheduleOutOfMemory()
  }

  /** Runs a command if it is readable. SIGKILL ends it after the timeout (0: none), or when the container ends. */
  async execSync(
    command: readonly string[],
    timeoutSeconds: number,
  ): Promise<Result<ExecSyncResponse, RuntimeError>> {
    // Only probes and hooks run commands this way.
    if (this.isRunning && this.#behavior.isFailing())
      return ok({ stdout: '', stderr: '', exitCode: 1 })
    const output = { stdout: '', stderr: '' }
    const append = (stream: OutputStream) => (text: string) => {
      output[stream] = (output[stream] + text).slice(0, maxExecOutput)
    }
    const running = this.exec(command, { stdout: append('stdout'), stderr: append('stderr') })
    const ended = running.ended.then((result) =>
      result.ok ? ok({ ...output, exitCode: result.value }) : result,
    )
    if (timeoutSeconds <= 0) return ended
    return new Promise((resolve) => {
      const cancel = this.#deps.clock.after(timeoutSeconds * 1000, () => {
        const why = `timeout ${timeoutSeconds}s exceeded: context deadline exceeded`
        resolve(err({ kind: 'deadline-exceeded', message: execFailure(why) }))
        running.kill()
      })
      void ended.then((result) => {
        cancel()
        resolve(result)
      })
    })
  }

  /** Runs a command if it is readable, until it or the container ends. */
  exec(
    command: readonly string[],
    streams: OutputStreams,
    { stdin, tty }: Pick<StreamRequest, 'stdin' | 'tty'> = noInput,
  ): RunningCommand {
    const process = this.#process
    const context = this.#execContext
    if (!this.isRunning || process === undefined || context === undefined) {
      const message = execFailure(`container is in ${this.#criState} state`)
      return notRunning(err({ kind: 'failed', message }))
    }
    const missing = missingProgram(context.image, command[0] ?? '', context.files)
    if (missing !== undefined) return notRunning(this.#notStarted(missing))
    const read = readCommand({ ...context, command, args: [] })
    if (read.kind === 'unreadable') return notRunning(cannotRun(read.why))
    let signal: (signal: Signal) => void = () => undefined
    const console = new ProcessConsole({
      streams,
      hasInput: stdin,
      isTerminal: tty,
      now: () => this.#deps.clock.now(),
      // After the start, so that the process is there.
      onInput: () => {
        process.catchUp()
      },
      interrupt: () => {
        signal('INT')
      },
    })
    const ended = new Promise<Result<number, RuntimeError>>((resolve) => {
      const session = {
        onExit: (exitCode: number) => {
          resolve(ok(exitCode))
        },
        onUnreadable: (why: string) => {
          resolve(cannotRun(why))
        },
      }
      signal = process.exec(read.script, session, console.streams)
    })
    return {
      ended,
      kill: () => {
        signal('KILL')
      },
      input: console.input,
    }
  }

  /** Receives the output that goes to the log, until the container ends, and sends input if the container reads any. */
  attach(
    streams: OutputStreams,
    { stdin }: Pick<StreamRequest, 'stdin'> = noInput,
  ): RunningCommand {
    if (!this.isRunning) {
      const message = `container is in ${this.#criState} state`
      return notRunning(err({ kind: 'failed', message }))
    }
    let detach = (): void => undefined
    const ended = new Promise<Result<number, RuntimeError>>((resolve) => {
      const attached = {
        streams,
        // The exit code is the container's; attaching itself succeeds.
        end: () => {
          resolve(ok(0))
        },
      }
      // A client receives what is printed from now on.
      this.#process?.catchUp()
      this.#attached ??= new Set()
      this.#attached.add(attached)
      detach = () => {
        this.#attached?.delete(attached)
        if (this.#attached?.size === 0) this.#attached = undefined
        attached.end()
      }
    })
    this.#process?.catchUp()
    return {
      ended,
      kill: () => {
        detach()
        if (stdin && this.#endsInput) this.#input?.end()
      },
      input: (stdin ? this.#input : undefined) ?? noReceiver,
    }
  }

  /** Empty if it has a log file. */
  lastLogLines(count: number): readonly ContainerLogLine[] {
    this.#process?.catchUp()
    return this.#tail?.last(count) ?? []
  }

  openLogCursor(count: number): ContainerLogCursor {
    this.#tail ??= new LogTail()
    if (this.#status.state === 'exited') this.#tail.close(this.#status.finishedAt)
    return this.#tail.cursor(count, () => {
      this.#process?.catchUp()
    })
  }

  /** Absent fields do not change. */
  updateResources(resources: LinuxContainerResources): void {
    this.#status = { ...this.#status, resources: { ...this.#status.resources, ...resources } }
    this.#scheduleOutOfMemory()
  }

  /** Continues the log, if there is one, in a new file. Returns why it cannot be opened. */
  reopenLog(): string | undefined {
    return this.#log?.reopen()
  }

  /** With a log file output is needed as it happens, as someone may read the file at any time. */
  #streams(): OutputStreams {
    const log = this.#log
    const writer = (stream: OutputStream) => (text: string, at: number) => {
      if (log === undefined) this.#tail ??= new LogTail()
      log?.write(stream, text, at)
      this.#tail?.write(stream, text, at)
      for (const { streams } of this.#attached ?? []) streams[stream]?.(text, at)
    }
    const isWatched = (): boolean =>
      log !== undefined || this.#attached !== undefined || this.#tail?.isAwaited === true
    return { stdout: writer('stdout'), stderr: writer('stderr'), isWatched }
  }

  /** As containerd says what runc said. */
  #notStarted(why: string): Result<never, RuntimeError> {
    const runc = `exec failed: unable to start container process: ${why}`
    const id = JSON.stringify(this.#deps.execId())
    const message = execFailure(
      `failed to start exec ${id}: OCI runtime exec failed: ${runc}: unknown`,
    )
    return err({ kind: 'failed', message })
  }

  get #criState(): string {
    return `CONTAINER_${this.#status.state.toUpperCase()}`
  }

  /** Its statistics by the annotations of the pod. */
  get usage(): SimulatedBehavior {
    return this.#behavior.asked
  }

  /** For its process. */
  onExit(exit: ProcessExit): void {
    if (this.#finishDying === undefined) this.#exited(exit)
  }

  /** The kernel kills it when its memory reaches the limit, or when an annotation says so. */
  #scheduleOutOfMemory(): void {
    this.#cancelOutOfMemory?.()
    this.#cancelOutOfMemory = undefined
    const ageMs = this.#behavior.outOfMemoryAge(this.#status.resources?.memoryLimitInBytes ?? 0)
    if (ageMs === undefined || !this.isRunning) return
    const { clock } = this.#deps
    const delayMs = Math.max(0, this.#status.startedAt + ageMs - clock.now())
    this.#cancelOutOfMemory = clock.after(delayMs, () => {
      if (!this.isRunning || this.#finishDying !== undefined) return
      this.#signalled('SIGKILL', [this.#caused.started])
      this.#isOutOfMemory = true
      this.#process?.kill()
    })
  }

  /** For its process. */
  onUnreadable(): void {
    // Without the command, in which variables are expanded.
    const message = 'unreadable command: the container runs until SIGTERM'
    this.#deps.log.info(message, this.#names)
    this.#openPorts?.openLater(() => this.#serve?.())
    // Commands that are unreadable from the start are listed with the pod.
    if (!this.#isCommandRead) return
    this.#deps.trace.emit({
      kind: 'container.notSimulated',
      subject: this.#subject,
      causes: [this.#caused.started],
      data: this.#names,
    })
  }

  /**
   * Sends SIGTERM, and SIGKILL after the timeout; with a timeout of 0, SIGKILL at once. A call during another one
   * joins it: its shorter timeout has no effect and no second SIGTERM is sent, because the kubelet never interrupts its
   * calls (termination#cancellation).
   */
  stop(timeoutSeconds: number, causes: TraceCauses): Promise<void> {
    this.#stopping ??= this.#stop(timeoutSeconds, causes)
    return this.#stopping
  }

  /** SIGKILL; the container exits at once. No effect unless it runs. */
  kill(causes: TraceCauses): void {
    if (!this.isRunning) return
    if (this.#finishDying !== undefined) {
      this.#finishDying()
      return
    }
    this.#signalled('SIGKILL', causes)
    this.#process?.kill()
  }

  /** After a power failure: a container that ran has exited for an unknown reason. */
  recover(): void {
    this.#process = undefined
    this.#stopping = undefined
    this.#whenExited = undefined
    this.#finishDying = undefined
    if (!this.isRunning) return
    this.#exited({ exitCode: unknownExit.exitCode, bySignal: undefined }, unknownExit.reason)
  }

  /** SIGKILL; the container is listed as running for a moment longer. */
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
    reason = this.#isOutOfMemory ? 'OOMKilled' : exitCode === 0 ? 'Completed' : 'Error',
  ): void {
    const { clock, trace } = this.#deps
    const subject = this.#subject
    const finishedAt = clock.now()
    this.#log?.close(finishedAt)
    this.#tail?.close(finishedAt)
    this.#log = undefined
    this.#execContext = undefined
    this.#serve = undefined
    this.#input = undefined
    this.#cancelOutOfMemory?.()
    this.#cancelOutOfMemory = undefined
    this.#network?.close()
    this.#network = undefined
    for (const { end } of this.#attached ?? []) end()
    this.#attached = undefined
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

const noInput = { stdin: false, tty: false }

const noReceiver: InputReceiver = { receive: () => undefined, end: () => undefined }

function execFailure(why: string): string {
  return `failed to exec in container: ${why}`
}

function notRunning(result: Result<never, RuntimeError>): RunningCommand {
  return { ended: Promise.resolve(result), kill: () => undefined, input: noReceiver }
}

function cannotRun(why: string): Result<never, RuntimeError> {
  const message = execFailure(`the simulated runtime does not run this command: ${why}`)
  return err({ kind: 'unimplemented', message })
}

type Environment = ReadonlyMap<string, string>

interface ExecContext {
  readonly image: string
  readonly environment: Environment
  readonly files: () => FileTree
}

function environmentOf({ config, hostname }: ContainerParts): Environment {
  const environment = new Map(config.envs.map(({ key, value }) => [key, value]))
  if (hostname !== undefined) environment.set('HOSTNAME', hostname)
  return environment
}
