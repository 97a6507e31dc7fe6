import type { CancelTimer, HoldableClock } from '../kubelet/ports.ts'
import { SpeedMeter } from './speed-meter.ts'
import { TimerQueue } from '../../shared/timer-queue.ts'

/** What the virtual clock needs of the machine it runs on. */
export interface ClockHost {
  /** Monotonic real time in ms. */
  readonly realNow: () => number
  /** Resolves when every microtask that can run now has run. */
  readonly drained: () => Promise<void>
  /** Resolves after the event loop has had a turn (I/O, clicks). */
  readonly turn: () => Promise<void>
  /** Calls `fn` after so many real ms. Returns the cancel. */
  readonly wakeAfter: (realMs: number, fn: () => void) => CancelTimer
}

/** The event loop gets a turn at least this often while timers fire back to back. */
const turnEveryMs = 8
/** So far behind, in real ms, the clock may catch up; after more (a machine that slept) it goes on from where it is. */
const catchUpLimitMs = 10_000

/**
 * A clock of its own for one cluster: it can be paused, stepped to the next timer, and run at 0.1x to
 * 1000x. The pump fires one due timer (by time, then by insertion), lets every promise that it
 * settled run on, waits for holds (real I/O), and only then looks at the next.
 */
export class VirtualClock implements HoldableClock {
  readonly #host: ClockHost
  readonly #timers = new TimerQueue<() => void>()
  readonly #meter = new SpeedMeter()
  #now: number
  #speed = 1
  #isRunning = false
  #anchorVirtual: number
  #anchorReal: number
  #holds = 0
  #whenReleased: (() => void)[] = []
  #isPumping = false
  #cancelWake: CancelTimer | undefined
  #lastTurn = 0
  #onIdleWaiters: (() => void)[] = []
  #onError: (error: unknown) => void

  constructor(
    host: ClockHost,
    options: { readonly startAt: number; readonly onError?: (error: unknown) => void },
  ) {
    this.#host = host
    this.#now = options.startAt
    this.#anchorVirtual = options.startAt
    this.#anchorReal = host.realNow()
    this.#onError =
      options.onError ??
      ((error) => {
        throw error
      })
  }

  readonly now = (): number => this.#now

  readonly after = (delayMs: number, fn: () => void): CancelTimer => {
    const delay = delayMs > 0 ? delayMs : 0
    const timer = this.#timers.add(this.#now + delay, fn)
    if (this.#isRunning && !this.#isPumping) this.#schedule()
    return () => {
      this.#timers.cancel(timer)
    }
  }

  readonly hold = (): (() => void) => {
    this.#holds++
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      this.#holds--
      if (this.#holds > 0) return
      for (const resolve of this.#whenReleased.splice(0)) resolve()
    }
  }

  get isPaused(): boolean {
    return !this.#isRunning
  }

  get speed(): number {
    return this.#speed
  }

  /** Virtual ms per real ms over the last second or so; null while it stands, and until there is something to measure. */
  get achievedSpeed(): number | null {
    return this.#isRunning
      ? this.#meter.read({ real: this.#host.realNow(), virtual: this.present })
      : null
  }

  /** Live timers, for tests and views. */
  get pendingTimers(): number {
    return this.#timers.size
  }

  /** When the next timer is due; undefined when none waits. */
  get nextDue(): number | undefined {
    return this.#timers.peek()?.due
  }

  /** Starts following real time at the present speed. Running already: nothing. */
  run(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    this.#anchor()
    this.#measureAnew()
    this.#schedule()
  }

  /** Stops time. A timer that is being fired finishes with what it settled. */
  pause(): void {
    if (!this.#isRunning) return
    this.catchUp()
    this.#isRunning = false
    this.#cancelWake?.()
    this.#cancelWake = undefined
  }

  /** Virtual ms per real ms, 0.1 to 1000; out of range it is clamped. */
  setSpeed(speed: number): void {
    if (!Number.isFinite(speed)) return
    this.catchUp()
    this.#speed = Math.min(1000, Math.max(0.1, speed))
    this.#anchor()
    this.#measureAnew()
    if (this.#isRunning && !this.#isPumping) this.#schedule()
  }

  /**
   * Moves `now` to where real time has brought it, at most to the next due timer. Called when
   * something comes from outside, so that it is stamped with the virtual time of its arrival.
   */
  catchUp(): number {
    this.#now = this.present
    return this.#now
  }

  /** Where real time has brought the clock, for views: `now` stays at the last timer until a caller needs it. */
  get present(): number {
    if (!this.#isRunning || this.#isPumping) return this.#now
    const due = this.nextDue ?? Number.POSITIVE_INFINITY
    return Math.max(this.#now, Math.min(this.#projected(), due))
  }

  /** Fires the earliest timer and lets all it settled run on. False when no timer waits. */
  async step(): Promise<boolean> {
    await this.#exclusive()
    try {
      if (!this.#fireNext(Number.POSITIVE_INFINITY)) return false
      await this.#settle()
      return true
    } finally {
      this.#release()
    }
  }

  /** Fires everything due until `now + ms` as fast as it goes, then stands at exactly that time. For tests and fast-forward. */
  async advance(ms: number): Promise<void> {
    await this.#exclusive()
    try {
      const until = this.#now + ms
      await this.#settle()
      while (this.#fireNext(until)) await this.#settle()
      this.#now = until
    } finally {
      this.#release()
    }
  }

  async #exclusive(): Promise<void> {
    while (this.#isPumping) {
      await new Promise<void>((resolve) => {
        this.#onIdleWaiters.push(resolve)
      })
    }
    this.#isPumping = true
  }

  #release(): void {
    this.#isPumping = false
    this.#anchor()
    this.#measureAnew()
    const next = this.#onIdleWaiters.shift()
    if (next !== undefined) next()
    else if (this.#isRunning) this.#schedule()
  }

  #anchor(): void {
    this.#anchorVirtual = this.#now
    this.#anchorReal = this.#host.realNow()
  }

  #measureAnew(): void {
    this.#meter.reset({ real: this.#anchorReal, virtual: this.#now })
  }

  #projected(): number {
    return this.#anchorVirtual + (this.#host.realNow() - this.#anchorReal) * this.#speed
  }

  #schedule(): void {
    this.#cancelWake?.()
    this.#cancelWake = undefined
    const due = this.nextDue
    if (due === undefined) return
    const waitMs = Math.max(0, (due - this.#projected()) / this.#speed)
    this.#cancelWake = this.#host.wakeAfter(waitMs, () => {
      this.#cancelWake = undefined
      void this.#pump()
    })
  }

  async #pump(): Promise<void> {
    if (this.#isPumping || !this.#isRunning) return
    this.#isPumping = true
    try {
      while (this.#isRunning && this.#fireNext(this.#projected())) await this.#settle()
    } finally {
      this.#isPumping = false
      // A machine that cannot keep up slows time down; it never skips a timer to catch up.
      if (this.#isRunning && this.#projected() - this.#now > catchUpLimitMs * this.#speed)
        this.#anchor()
      const next = this.#onIdleWaiters.shift()
      if (next !== undefined) next()
      else if (this.#isRunning) this.#schedule()
    }
  }

  /** The caller lets everything settle before the next. False when no timer is due until then. */
  #fireNext(until: number): boolean {
    const top = this.#timers.peek()
    if (top === undefined || top.due > until) return false
    const timer = this.#timers.take()
    if (timer === undefined) return false
    this.#now = Math.max(this.#now, timer.due)
    try {
      timer.value()
    } catch (error) {
      this.#onError(error)
    }
    return true
  }

  async #settle(): Promise<void> {
    await this.#host.drained()
    while (this.#holds > 0) {
      await new Promise<void>((resolve) => {
        this.#whenReleased.push(resolve)
      })
      await this.#host.drained()
    }
    const real = this.#host.realNow()
    this.#meter.note({ real, virtual: this.#now })
    if (real - this.#lastTurn >= turnEveryMs) {
      await this.#host.turn()
      this.#lastTurn = this.#host.realNow()
    }
  }
}
