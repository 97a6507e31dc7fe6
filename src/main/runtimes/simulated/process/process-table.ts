import type { FileContent } from '../files/file-node.ts'
import type { FileTree } from '../files/file-tree.ts'
import type { ContainerNetwork } from '../network/container-network.ts'
import type { ProcessBody, Running, ShellHost, ShownProcess, Wait } from './running.ts'
import type { Signal } from './signals.ts'
import { statusOf } from './signals.ts'
import { Unreadable } from '../shell/unreadable.ts'

export const mainPid = 1

/** More live processes, or more starts at one time, count as a fork bomb. */
const maxProcesses = 2000
const maxStartsAtOnce = 3000
/** How many statuses of ended processes are kept; real shells drop old ones too. */
const maxRemembered = 1000
/** Times closer than this count as equal, because sums of fractions are not exact. */
const toleranceMs = 1e-4

/** The listener of an exec. Exactly one of the two is called, once. */
export interface ExecSession {
  readonly onExit: (status: number) => void
  readonly onUnreadable: (why: string) => void
}

/** What processes share in a container. */
export interface ContainerWorld {
  /** Made at the first call, as most containers use none. */
  readonly files: () => FileTree
  readonly folder: string
  readonly wakeOnChange: (file: FileContent) => void
  readonly network: ContainerNetwork
  readonly wake: () => void
  /** What PID 1 is shown as, where something stands in for its command; its children are not known then. */
  readonly mainCommand?: string
}

interface Process {
  readonly pid: number
  /** The exec that started it; undefined for PID 1 and its children. */
  readonly session: Session | undefined
  readonly body: ProcessBody
  running: Running<number>
  /** Undefined until it first runs. */
  wait: Wait | undefined
}

/** An exec with its first process; the exec ends when that process ends. */
interface Session {
  readonly listener: ExecSession
  pid: number
}

/**
 * The processes of one container, without timers: `advance` runs everything that is due until a time, in order.
 * PID 1 behaves as on Linux (man 7 pid_namespaces): it ignores signals without a handler, and all other processes die
 * with it.
 */
export class ProcessTable implements ShellHost {
  readonly #processes = new Map<number, Process>()
  readonly #statuses = new Map<number, number>()
  #now: number
  #nextPid = mainPid
  #startsAtOnce = 0
  /** The process that is running; its children belong to its session. */
  #running: Process | undefined
  /** Whether a handler of PID 1 has received a signal. */
  #hasReacted = false

  readonly #container: ContainerWorld

  constructor(deps: { readonly now: number; readonly container: ContainerWorld }) {
    this.#now = deps.now
    this.#container = deps.container
  }

  get files(): FileTree {
    return this.#container.files()
  }

  get folder(): string {
    return this.#container.folder
  }

  wakeOnChange(file: FileContent): void {
    this.#container.wakeOnChange(file)
  }

  get network(): ContainerNetwork {
    return this.#container.network
  }

  wake(): void {
    this.#container.wake()
  }

  now(): number {
    return this.#now
  }

  /** The exit status of PID 1; undefined while it runs. */
  get mainStatus(): number | undefined {
    return this.#statuses.get(mainPid)
  }

  /** Whether a handler of PID 1 has received a signal, which may be why it exits. */
  get hasReacted(): boolean {
    return this.#hasReacted
  }

  /** The next time at which a process continues, in ms since the epoch; Infinity for never. */
  get nextWake(): number {
    let next = Number.POSITIVE_INFINITY
    for (const { wait } of this.#processes.values()) next = Math.min(next, wait?.until ?? this.#now)
    return next
  }

  start(body: ProcessBody): number {
    return this.#start(body, this.#running?.session)
  }

  /** Adds a command that runs until it or PID 1 ends. It starts at the next `advance`. */
  exec(body: ProcessBody, listener: ExecSession): number {
    const session: Session = { listener, pid: 0 }
    session.pid = this.#start(body, session)
    return session.pid
  }

  /** Ends every exec as unreadable, because PID 1 turned out unreadable. */
  abandon(why: string): void {
    const processes = [...this.#processes.values()]
    this.#processes.clear()
    for (const process of processes) dispose(process)
    const sessions = new Set(processes.map(({ session }) => session))
    for (const session of sessions) session?.listener.onUnreadable(why)
  }

  #start(body: ProcessBody, session: Session | undefined): number {
    if (this.#processes.size >= maxProcesses || ++this.#startsAtOnce > maxStartsAtOnce) {
      throw new Unreadable('too many processes')
    }
    const pid = this.#nextPid++
    this.#processes.set(pid, { pid, session, body, running: body.run(), wait: undefined })
    return pid
  }

  statusOf(pid: number): number | undefined {
    return this.#statuses.get(pid)
  }

  isAlive(pid: number): boolean {
    return this.#processes.has(pid)
  }

  processes(asking: string | undefined): readonly ShownProcess[] {
    const { mainCommand } = this.#container
    const shown = [...this.#processes.values()].flatMap(({ pid, session, body }) => {
      if (mainCommand === undefined || session !== undefined)
        return [{ pid, command: body.commandLine }]
      return pid === mainPid ? [{ pid, command: mainCommand }] : []
    })
    return asking === undefined ? shown : [...shown, { pid: this.#nextPid, command: asking }]
  }

  signal(pid: number, signal: Signal): void {
    const process = this.#processes.get(pid)
    if (process === undefined) return
    if (signal === 'KILL') return this.#endUnlessMain(process, signal)
    const disposition = process.body.dispositionOf(signal)
    if (disposition === 'ignored') return
    if (disposition === 'default') return this.#endUnlessMain(process, signal)
    if (pid === mainPid) this.#hasReacted = true
    if (disposition === 'handled') return process.body.deliver(signal)
    process.running = process.body.leaveBy(signal)
    process.wait = undefined
  }

  /** Runs everything that is due until that time. Throws Unreadable. */
  advance(until: number): void {
    while (this.mainStatus === undefined) {
      const ready = this.#firstReady()
      if (ready !== undefined) {
        this.#resume(ready)
        continue
      }
      const next = this.nextWake
      if (next > until + toleranceMs) break
      this.#moveTo(next)
    }
    this.#moveTo(until)
  }

  /** Produces all output until now. Call `advance` first. */
  catchUp(): void {
    for (const { wait } of this.#processes.values()) wait?.catchUp?.()
  }

  #moveTo(time: number): void {
    if (time <= this.#now) return
    this.#now = time
    this.#startsAtOnce = 0
  }

  /** New processes first: a child runs before its parent continues. */
  #firstReady(): Process | undefined {
    if (this.#startsAtOnce > 0) {
      for (const process of this.#processes.values()) if (process.wait === undefined) return process
    }
    for (const process of this.#processes.values()) if (this.#isReady(process)) return process
    return undefined
  }

  #isReady({ wait }: Process): boolean {
    if (wait === undefined || wait.until <= this.#now + toleranceMs) return true
    if (wait.isInterrupted?.() === true) return true
    return wait.jobs !== undefined && !wait.jobs.some((pid) => this.isAlive(pid))
  }

  #resume(process: Process): void {
    const { running } = process
    const step = this.#next(process)
    if (step === undefined) return
    // A process that signals itself may have ended or switched to its exit trap.
    if (process.running !== running || !this.#processes.has(process.pid)) {
      running.return(0)
      return
    }
    if (step.done === true) this.#end(process, step.value)
    else process.wait = step.value
  }

  /** Undefined if an exec turned out unreadable; only that exec ends. */
  #next(process: Process): IteratorResult<Wait, number> | undefined {
    this.#running = process
    try {
      return process.running.next()
    } catch (error) {
      const { session } = process
      if (!(error instanceof Unreadable) || session === undefined) throw error
      for (const other of this.#processes.values()) {
        if (other.session !== session) continue
        this.#processes.delete(other.pid)
        dispose(other)
      }
      session.listener.onUnreadable(error.message)
      return undefined
    } finally {
      this.#running = undefined
    }
  }

  #endUnlessMain(process: Process, signal: Signal): void {
    if (process.pid !== mainPid) this.#end(process, statusOf(signal))
  }

  #end(process: Process, status: number): void {
    this.#processes.delete(process.pid)
    if (process !== this.#running) dispose(process)
    this.#statuses.set(process.pid, status)
    if (process.pid === mainPid) this.endAll()
    if (process.session?.pid === process.pid) process.session.listener.onExit(status)
    const [oldest] = this.#statuses.keys()
    if (this.#statuses.size > maxRemembered && oldest !== undefined) this.#statuses.delete(oldest)
  }

  /** Ends every process by SIGKILL, and the execs with it. */
  endAll(): void {
    const rest = [...this.#processes.values()]
    this.#processes.clear()
    for (const process of rest) if (process !== this.#running) dispose(process)
    for (const { pid, session } of rest)
      if (session?.pid === pid) session.listener.onExit(statusOf('KILL'))
  }
}

/** Lets the code of a process that has ended close what it opened. */
function dispose({ running }: Process): void {
  running.return(0)
}
