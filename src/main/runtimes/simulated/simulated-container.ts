import { withFields } from '../../../shared/json.ts'
import type { TraceCauses, TraceSeq } from '../../../shared/model/trace-event.ts'
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
import type { ValuePool } from '../../../shared/value-pool.ts'
import { portsAnnotation } from '../../kubelet/kuberuntime/container-labels.ts'
import type {
  ContainerLogCursor,
  ContainerLogLine,
} from '../../kubelet/host/container-log-reader.ts'
import type { ContainerLog, ContainerLogs } from './container-log.ts'
import { containerFiles, hostnameOf, mountedNodes } from './files/container-root.ts'
import type { FileTree } from './files/file-tree.ts'
import { WorkingFolder } from './files/working-folder.ts'
import { ContainerBehavior } from './container-behavior.ts'
import { ContainerNetwork } from './network/container-network.ts'
import { declaredPortsOf, serversOf } from './network/known-servers.ts'
import type { ServerContext } from './network/server-context.ts'
import type { SimulatedNetwork } from './network/simulated-network.ts'
import type { StoredImage } from './image-store.ts'
import { LogTail } from './log-tail.ts'
import { executedProgram, readCommand } from './shell/command-line.ts'
import { withScriptFile } from './shell/script-file.ts'
import { startErrorText, whyNotExecuted } from './process/image-programs.ts'
import { askedLogBytes, coreNanoSecondsUntil } from './simulated-stats.ts'
import type { UsedBefore, UsingContainer } from './simulated-stats.ts'
import type { ProcessExit, ProcessOwner } from './process/container-process.ts'
import { ContainerProcess } from './process/container-process.ts'
import { usageOfCommand } from './process/program-usage.ts'
import { ProcessConsole } from './process/process-console.ts'
import type { OutputStreams } from './process/running.ts'
import type { Signal } from './process/signals.ts'
import type { SimulatedSandbox } from './simulated-sandbox.ts'
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
  /** Called when its status has changed. */
  readonly onChange: () => void
}

/** CRI's limit for the output of a command; the rest is dropped. */
const maxExecOutput = 16 * 1024 * 1024

/** The parts of a new container. */
interface ContainerParts {
  readonly id: string
  readonly config: ContainerConfig
  readonly image: StoredImage
  readonly sandbox: SimulatedSandbox
  /** Makes equal parts of containers the same objects. */
  readonly pool: ValuePool
  readonly behavior: SimulatedBehavior
  /** Absolute; undefined: no log. */
  readonly logPath: string | undefined
}

/** Groups in the image are not known: only the primary one is. */
function containerUser(
  { uid }: StoredImage,
  {
    runAsUser = uid ?? 0,
    runAsGroup = 0,
    supplementalGroups = [],
  }: LinuxContainerSecurityContext = {},
): LinuxContainerUser {
  const groups = [...new Set([runAsGroup, ...supplementalGroups])].toSorted((a, b) => a - b)
  return { uid: runAsUser, gid: runAsGroup, supplementalGroups: groups }
}

interface AttachedClient {
  readonly streams: OutputStreams
  readonly end: () => void
}

const noCauses: TraceCauses = []
const noSignals: Readonly<Record<'SIGTERM' | 'SIGKILL', TraceSeq>> = { SIGTERM: 0, SIGKILL: 0 }

/** containerd's unknownExitCode and unknownExitReason (internal/cri/server/helpers.go). */
const unknownExit = { exitCode: 255, reason: 'Unknown' } as const

/** What a container needs of its configuration while it runs. */
interface RunConfig extends Pick<ContainerConfig, 'command' | 'args' | 'envs'> {
  readonly workingDir: string
  readonly stdin: boolean
  readonly stdinOnce: boolean
  readonly tty: boolean
}

function runConfigOf(config: ContainerConfig, pool: ValuePool): RunConfig {
  const { workingDir = '' } = config
  const command = pool.share(config.command)
  const args = pool.share(config.args)
  // All pods of a namespace have the variables of its Services.
  const envs = config.envs.map((pair) => pool.share(pair))
  const { stdin = false, stdinOnce = false, tty = false } = config
  return { command, args, envs, workingDir, stdin, stdinOnce, tty }
}

/** What annotations ask for, and else what the command takes. */
function withUsage(
  image: string,
  { command, args }: Pick<ContainerConfig, 'command' | 'args'>,
  asked: SimulatedBehavior,
): SimulatedBehavior {
  return { ...usageOfCommand(image, command, args), ...asked }
}

/** Of a container that has exited. */
const ended: RunConfig = {
  command: [],
  args: [],
  envs: [],
  workingDir: '',
  stdin: false,
  stdinOnce: false,
  tty: false,
}

/** One container: created, running after its start, exited after its main process ends. */
export class SimulatedContainer implements ProcessOwner, ServerContext {
  readonly #deps: SimulatedContainerDeps
  readonly #sandbox: SimulatedSandbox
  #config: RunConfig
  /** Undefined unless the container runs. */
  #mounted: ReturnType<typeof mountedNodes> | undefined
  /** Undefined until a process uses one, as most containers use none. */
  #files: FileTree | undefined
  /** Of the main process. Undefined until something uses it. */
  #console: ProcessConsole | undefined
  #log: ContainerLog | undefined
  /** Undefined if there is a log file, and until something is printed. */
  #tail: LogTail | undefined
  /** Undefined while no client is attached, to save memory. */
  #attached: Set<AttachedClient> | undefined
  #status: RuntimeContainerStatus
  #usedBefore: UsedBefore | undefined
  #lostPowerAt: number | undefined
  #process: ContainerProcess | undefined
  /** Whether the script is readable; it may still turn out unreadable later. */
  #isCommandRead = false
  /** A number instead of a list, to save memory. */
  #cause: TraceSeq
  /** The events that can cause the exit: its start, and signals. */
  #startedBy: TraceSeq = 0
  #signalledBy = noSignals
  #stopping: Promise<void> | undefined
  /** When the stop under way sends SIGKILL. */
  #killAt = 0
  /** Of a later call that made SIGKILL come sooner. */
  #killCauses: TraceCauses = noCauses
  readonly #behavior: ContainerBehavior
  #cancelOutOfMemory: CancelTimer | undefined
  #isOutOfMemory = false
  #whenExited: readonly (() => void)[] | undefined
  /** Set between SIGKILL and the exit. */
  #finishDying: (() => void) | undefined

  constructor(deps: SimulatedContainerDeps, parts: ContainerParts, causes: TraceCauses) {
    const { id, config, image, sandbox, pool, behavior, logPath } = parts
    const { mounts, linux } = config
    const { subject } = sandbox
    this.#deps = deps
    this.#sandbox = sandbox
    this.#config = runConfigOf(config, pool)
    const { chance } = deps
    const asked = pool.share(withUsage(image.name, config, behavior))
    this.#behavior = new ContainerBehavior({ asked, container: this, chance })
    this.#status = {
      id,
      podSandboxId: sandbox.view.id,
      name: config.name,
      attempt: config.attempt,
      state: 'created',
      image: image.name,
      imageRef: image.id,
      createdAt: deps.clock.now(),
      labels: config.labels,
      annotations: pool.share(config.annotations),
      startedAt: 0,
      finishedAt: 0,
      exitCode: 0,
      reason: '',
      message: '',
      ...(logPath === undefined ? {} : { logPath }),
      ...(mounts === undefined ? {} : { mounts }),
      ...(linux?.resources === undefined ? {} : { resources: pool.share(linux.resources) }),
      user: pool.share(containerUser(image, linux?.securityContext)),
    }
    const data = { container: config.name, containerId: id, attempt: config.attempt }
    this.#cause = deps.trace.emit({ kind: 'container.created', subject, causes, data })
  }

  /** A new object after each change. */
  get status(): RuntimeContainerStatus {
    return this.#status
  }

  #become(changes: Partial<RuntimeContainerStatus>): void {
    this.#status = { ...this.#status, ...changes }
    this.#deps.onChange()
  }

  get causes(): TraceCauses {
    return [this.#cause]
  }

  /** The variables of its config; undefined unless it runs. */
  get envs(): ContainerConfig['envs'] | undefined {
    return this.isRunning ? this.#config.envs : undefined
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

  /** Since its start. */
  get ageMs(): number {
    return this.#deps.clock.now() - this.#status.startedAt
  }

  /** Runs the command, which may end at once. The state must be `created`. Returns why it cannot be started. */
  start(causes: TraceCauses): string | undefined {
    if (this.#status.state !== 'created') throw new Error('a container is started once')
    const { clock, trace, hostFiles } = this.#deps
    const { subject } = this.#sandbox
    const { image, mounts = [], user } = this.#status
    this.#mounted = mountedNodes(mounts, hostFiles)
    const failure = this.#startFailure()
    if (failure !== undefined) {
      this.#notStarted(failure, causes)
      return failure
    }
    this.#become({ state: 'running', startedAt: clock.now() })
    const data = this.#names
    this.#startedBy = trace.emit({ kind: 'container.started', subject, causes, data })
    this.#cause = this.#startedBy
    const line = withFields(this.#config, { image, environment: this.#environment, user })
    const read = readCommand(withScriptFile(line, () => this.#workingFolder))
    const command = this.#behavior.commandInstead() ?? read
    const isScript = command.kind === 'script'
    this.#isCommandRead = isScript
    const streams = isScript ? this.#openConsole().streams : undefined
    this.#process = new ContainerProcess({ clock, owner: this, streams })
    if (command !== read && read.kind === 'unreadable') this.#sandbox.ports.openLater(this)
    this.#process.start(command, command === read)
    this.#scheduleOutOfMemory()
    return undefined
  }

  get commandLine(): string {
    const { command, args } = this.#config
    return [...command, ...(command.length === 0 ? [] : args)].join(' ')
  }

  get #workingFolder(): WorkingFolder {
    return new WorkingFolder(() => this.files(), this.folder === '' ? '/' : this.folder)
  }

  /** As containerd words it, if the program of the container is not there. */
  #startFailure(): string | undefined {
    const { image } = this.#status
    const program = executedProgram(withFields(this.#config, { image }))
    if (program === undefined || this.#behavior.commandInstead() !== undefined) return undefined
    const why = whyNotExecuted(image, program, this.#workingFolder)
    if (why === undefined) return undefined
    return `failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: ${startErrorText(program, why)}`
  }

  /** Exited, as containerd has a container whose start failed (internal/cri/server/container_start.go). */
  #notStarted(message: string, causes: TraceCauses): void {
    const { clock, trace } = this.#deps
    const { subject } = this.#sandbox
    this.#log?.close(clock.now())
    this.#log = undefined
    this.#mounted = undefined
    this.#files = undefined
    this.#config = ended
    const [exitCode, reason] = [128, 'StartError']
    this.#become({ state: 'exited', finishedAt: clock.now(), exitCode, reason, message })
    const data = withFields(this.#names, { exitCode, reason })
    this.#cause = trace.emit({ kind: 'container.exited', subject, causes, data })
  }

  /** As containerd words it, if the program is not there. */
  #execFailure(program: string): string | undefined {
    const why = whyNotExecuted(this.#status.image, program, this.#workingFolder)
    if (why === undefined) return undefined
    return `failed to start exec "${this.#deps.execId()}": OCI runtime exec failed: exec failed: ${startErrorText(program, why)}`
  }

  get #environment(): ReadonlyMap<string, string> {
    const environment = new Map(this.#config.envs.map(({ key, value }) => [key, value]))
    const { hostname } = this.#sandbox
    // containerd sets it before the config's variables, which replace it.
    if (hostname !== undefined && !environment.has('HOSTNAME'))
      environment.set('HOSTNAME', hostname)
    return environment
  }

  #openConsole(): ProcessConsole {
    const { clock } = this.#deps
    this.#console ??= new ProcessConsole({
      streams: this.#streams(),
      hasInput: this.#config.stdin,
      isTerminal: this.#config.tty,
      now: () => clock.now(),
      onInput: () => {
        this.#process?.catchUp()
      },
      interrupt: () => {
        this.#process?.interrupt()
      },
    })
    return this.#console
  }

  /** For its process. */
  files(): FileTree {
    const { image, mounts = [] } = this.#status
    const [mounted, sandbox, { clock }] = [this.#mounted, this.#sandbox, this.#deps]
    const { folder } = this
    if (mounted === undefined) throw new Error('only a running container has files')
    this.#files ??= containerFiles({ image, folder, sandbox, mounts, mounted, clock })
    return this.#files
  }

  /** For its process. */
  network(): ContainerNetwork {
    return new ContainerNetwork({
      place: this.#sandbox,
      namespace: this.#sandbox.view.metadata.namespace,
      owner: this.#behavior,
    })
  }

  /** For its process. */
  get folder(): string {
    return this.#config.workingDir
  }

  /** Opens the ports of a command that is not read. */
  openPorts(): void {
    if (!this.isRunning) return
    for (const [port, listener] of serversOf(this))
      this.#sandbox.ports.open(port, listener, this.#behavior)
  }

  get image(): string {
    return this.#status.image
  }

  get words(): readonly string[] {
    return [...this.#config.command, ...this.#config.args]
  }

  get declaredPorts(): readonly number[] {
    return declaredPortsOf(this.#status.annotations[portsAnnotation])
  }

  get hostname(): string {
    return hostnameOf(this.#sandbox)
  }

  /** For its servers. */
  log(text: string): void {
    this.#openConsole().streams.stdout?.(text, this.now())
  }

  now(): number {
    return this.#deps.clock.now()
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
    if (!this.isRunning || process === undefined) {
      const message = execFailure(`container is in ${this.#criState} state`)
      return notRunning(err({ kind: 'failed', message }))
    }
    const why = this.#execFailure(command[0] ?? '')
    if (why !== undefined) return notRunning(err({ kind: 'failed', message: execFailure(why) }))
    const { image, user } = this.#status
    const line = { image, environment: this.#environment, user, command, args: [] }
    const read = readCommand(withScriptFile(line, () => this.#workingFolder))
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
        if (stdin && this.#config.stdinOnce) this.#input?.end()
      },
      input: (stdin ? this.#input : undefined) ?? noReceiver,
    }
  }

  /** Undefined unless the container runs and reads input. */
  get #input(): InputReceiver | undefined {
    return this.isRunning && this.#config.stdin ? this.#openConsole().input : undefined
  }

  /** As a log file would be; without what is printed and not yet looked at. */
  get logBytes(): number {
    const printed = this.#tail?.writtenBytes ?? 0
    return printed + askedLogBytes(this.usage, this.#deps.clock.now())
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
    const at = this.#deps.clock.now()
    if (this.isRunning)
      this.#usedBefore = { at, coreNanoSeconds: coreNanoSecondsUntil(this.usage, at) }
    this.#become({ resources: { ...this.#status.resources, ...resources } })
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

  get #criState(): string {
    return `CONTAINER_${this.#status.state.toUpperCase()}`
  }

  /** What its statistics are made of. */
  get usage(): UsingContainer {
    const { finishedAt, state } = this.#status
    const usedUntil = this.#lostPowerAt ?? (state === 'exited' ? finishedAt : Infinity)
    const { asked } = this.#behavior
    return { status: this.#status, asked, usedBefore: this.#usedBefore, usedUntil }
  }

  /** The pod has changed, and perhaps its annotations. What was used before stays as it was. */
  changeBehavior(asked: SimulatedBehavior): void {
    const whole = withUsage(this.#status.image, this.#config, asked)
    const change = this.#behavior.changeFor(whole)
    if (this.#status.state === 'exited' || change === undefined) return
    const at = this.#deps.clock.now()
    if (this.isRunning)
      this.#usedBefore = { at, coreNanoSeconds: coreNanoSecondsUntil(this.usage, at) }
    this.#behavior.change(change)
    this.#scheduleOutOfMemory()
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
      this.#signalled('SIGKILL', [this.#startedBy])
      this.#isOutOfMemory = true
      this.#process?.kill()
    })
  }

  /** For its process. */
  onUnreadable(): void {
    // Without the command, in which variables are expanded. That of an image is not read at all.
    const { command, args } = this.#config
    if (command.length > 0 || args.length > 0)
      this.#deps.log.info('unreadable command: the container runs until SIGTERM', this.#names)
    this.#sandbox.ports.openLater(this)
    // Commands that are unreadable from the start are listed with the pod.
    if (!this.#isCommandRead) return
    this.#deps.trace.emit({
      kind: 'container.notSimulated',
      subject: this.#sandbox.subject,
      causes: [this.#startedBy],
      data: this.#names,
    })
  }

  /**
   * Sends SIGTERM, and SIGKILL after the timeout; with a timeout of 0, SIGKILL at once. A call during another one
   * sends no second SIGTERM; SIGKILL comes when the first of the timeouts is over (containerd stopContainer). A kubelet
   * makes no such call: it never interrupts its own (termination#cancellation).
   */
  stop(timeoutSeconds: number, causes: TraceCauses): Promise<void> {
    const killAt = this.#deps.clock.now() + Math.max(0, timeoutSeconds) * 1000
    if (this.#stopping === undefined) {
      this.#killAt = killAt
      this.#stopping = this.#stop(timeoutSeconds, causes)
    } else if (killAt < this.#killAt) {
      this.#killAt = killAt
      this.#killSooner(timeoutSeconds, causes)
    }
    return this.#stopping
  }

  /** Ends the wait of the stop under way. */
  #killSooner(timeoutSeconds: number, causes: TraceCauses): void {
    const [cancel, resolve] = this.#whenExited ?? []
    if (cancel === undefined || resolve === undefined) return
    cancel()
    const killNow = (): void => {
      this.#killCauses = causes
      resolve()
    }
    if (timeoutSeconds <= 0) killNow()
    else this.#whenExited = [this.#deps.clock.after(timeoutSeconds * 1000, killNow), resolve]
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
  recover(lostPowerAt: number): void {
    this.#process = undefined
    this.#stopping = undefined
    this.#whenExited = undefined
    this.#finishDying = undefined
    if (!this.isRunning) return
    this.#lostPowerAt = lostPowerAt
    this.#exited({ exitCode: unknownExit.exitCode, bySignal: undefined }, unknownExit.reason)
  }

  /** For a container of a boot: it has exited as `end` says, or for an unknown reason when the machine lost power. */
  recall(startedAt: number, end: Partial<RuntimeContainerStatus> | undefined): void {
    this.#config = ended
    const finishedAt = this.#deps.clock.now()
    this.#become({ state: 'exited', startedAt, finishedAt, ...unknownExit, ...end })
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
    await this.#killAndWait([this.#signalledBy.SIGTERM, ...this.#killCauses])
  }

  #signalled(signal: 'SIGTERM' | 'SIGKILL', causes: TraceCauses): void {
    const { subject } = this.#sandbox
    const data = { ...this.#names, signal }
    const { trace } = this.#deps
    this.#cause = trace.emit({ kind: 'container.signalled', subject, causes, data })
    this.#signalledBy = { ...this.#signalledBy, [signal]: this.#cause }
  }

  #exited(
    { exitCode, bySignal }: ProcessExit,
    reason = this.#isOutOfMemory ? 'OOMKilled' : exitCode === 0 ? 'Completed' : 'Error',
  ): void {
    const { clock, trace } = this.#deps
    const { subject } = this.#sandbox
    const finishedAt = clock.now()
    this.#log?.close(finishedAt)
    this.#tail?.close(finishedAt)
    this.#log = undefined
    this.#config = ended
    this.#process = undefined
    this.#mounted = undefined
    this.#files = undefined
    this.#console = undefined
    this.#cancelOutOfMemory?.()
    this.#cancelOutOfMemory = undefined
    this.#sandbox.ports.closeAllOf(this.#behavior)
    for (const { end } of this.#attached ?? []) end()
    this.#attached = undefined
    this.#become({ state: 'exited', finishedAt, exitCode, reason })
    const data = withFields(this.#names, { exitCode, reason })
    const causes = [bySignal === undefined ? this.#startedBy : this.#signalledBy[bySignal]]
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
