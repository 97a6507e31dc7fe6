import type { ProcessBody, Running, ShellHost, Wait } from './running.ts'
import type { Signal } from './signals.ts'
import { statusOf } from './signals.ts'
import { Unreadable } from '../shell/unreadable.ts'

const mainPid = 1

/** More live processes than this, or more starts without time going by, are a fork bomb. */
const maxProcesses = 2000
const maxStartsAtOnce = 1000
/** Ended processes whose status is still known; real shells forget as well. */
const maxRemembered = 1000
/** Times closer than this are the same: sums of fractions of a millisecond are not exact. */
const toleranceMs = 1e-4

/** A command that is run in the container from outside (exec). One of the two is called once. */
export interface ExecSession {
  readonly onExit: (status: number) => void
  readonly onUnreadable: (why: string) => void
}

interface Process {
  readonly pid: number
  /** The exec that it comes from; undefined where PID 1 does. */
  readonly session: Session | undefined
  readonly body: ProcessBody
  running: Running<number>
  /** Undefined before its first run. */
  wait: Wait | undefined
}

/** An exec and the process whose end is its end. */
interface Session {
  readonly listener: ExecSession
  pid: number
}

/**
 * The processes of one container, in virtual time and without timers: told to advance, it does all
 * that happens until then, each thing at its own time. PID 1 is treated as Linux treats it (man 7
 * pid_namespaces): a signal without a handler does not reach it, and all others die with it.
 */
export class ProcessTable implements ShellHost {
  readonly #processes = new Map<number, Process>()
  readonly #statuses = new Map<number, number>()
  #now: number
  #nextPid = mainPid
  #startsAtOnce = 0
  /** The process that runs now: what it starts belongs to its session. */
  #running: Process | undefined
  /** SIGTERM has reached a handler of PID 1. */
  #hasReacted = false

  constructor(deps: { readonly now: number }) {
    this.#now = deps.now
  }

  now(): number {
    return this.#now
  }

  /** The exit status of PID 1, once it has one. */
  get mainStatus(): number | undefined {
    return this.#statuses.get(mainPid)
  }

  /** Whether PID 1 has handled a signal: what happens then is no longer of its own accord. */
  get hasReacted(): boolean {
    return this.#hasReacted
  }

  /** When something will happen by itself: ms since the epoch, Infinity for never. */
  get nextWake(): number {
    let next = Number.POSITIVE_INFINITY
    for (const { wait } of this.#processes.values()) next = Math.min(next, wait?.until ?? this.#now)
    return next
  }

  start(body: ProcessBody): number {
    return this.#start(body, this.#running?.session)
  }

  /** Runs a command beside PID 1. It ends by SIGKILL when PID 1 ends, and does nothing before `advance`. */
  exec(body: ProcessBody, listener: ExecSession): number {
    const session: Session = { listener, pid: 0 }
    session.pid = this.#start(body, session)
    return session.pid
  }

  /** Ends every exec as unreadable, when what PID 1 does is not known any more. */
  abandon(why: string): void {
    const sessions = new Set([...this.#processes.values()].map(({ session }) => session))
    this.#processes.clear()
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

  /** Does everything that happens until then, and stands at that time. Throws Unreadable. */
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

  #moveTo(time: number): void {
    if (time <= this.#now) return
    this.#now = time
    this.#startsAtOnce = 0
  }

  /** New processes first: a child runs while its parent is still busy with the fork. */
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
    // A process that sends itself a signal may have been ended, or led elsewhere, meanwhile.
    if (process.running !== running || !this.#processes.has(process.pid)) return
    if (step.done === true) this.#end(process, step.value)
    else process.wait = step.value
  }

  /** Undefined when an exec turned out unreadable, which ends that alone. */
  #next(process: Process): IteratorResult<Wait, number> | undefined {
    this.#running = process
    try {
      return process.running.next()
    } catch (error) {
      const { session } = process
      if (!(error instanceof Unreadable) || session === undefined) throw error
      for (const { pid, session: other } of this.#processes.values())
        if (other === session) this.#processes.delete(pid)
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
    for (const { pid, session } of rest)
      if (session?.pid === pid) session.listener.onExit(statusOf('KILL'))
  }
}
