import type { QueuedTimer } from '../../../shared/timer-queue.ts'
import type { ProbeTimer, Ticking } from './probe-timer.ts'

/**
 * The loop of a probe worker (pkg/kubelet/prober/worker.go run): probes at once, then with every tick of the period, and
 * out of turn when triggered, which moves the ticks. As with Go's ticker, ticks during a probe are one tick after it.
 */
export abstract class ProbeTicker implements Ticking {
  readonly #timer: ProbeTimer
  #state: 'probing' | 'waiting' | 'ended' = 'probing'
  #isStopped = false
  #isTriggered = false
  /** 0 until the first probe. */
  #nextTick = 0
  #waitsFor: QueuedTimer<Ticking> | undefined

  /** `delayMs`: before the first probe. */
  constructor(timer: ProbeTimer, delayMs: number) {
    this.#timer = timer
    this.#waitsFor = timer.add(timer.now() + delayMs, this)
  }

  protected abstract get periodMs(): number

  /** Whether to go on. */
  protected abstract doProbe(): boolean | Promise<boolean>

  /** Called once, when the ticker has ended; not when it was halted. */
  protected abstract end(): void

  /** When it next probes unless triggered, ms; null while it probes and after its end. */
  get nextTick(): number | null {
    return this.#state === 'waiting' ? this.#nextTick : null
  }

  /** Ends it, after the probe in progress. Twice: the same. */
  stop(): void {
    this.#isStopped = true
    this.#look()
  }

  /** Probes now, or as soon as the probe in progress is over. */
  trigger(): void {
    this.#isTriggered = true
    this.#look()
  }

  /** Ends it without a word: the kubelet has exited. */
  halt(): void {
    this.#cancel()
    this.#state = 'ended'
  }

  /** Called by the timer. */
  tick(): void {
    this.#waitsFor = undefined
    if (this.#nextTick > 0) this.#look()
    else {
      this.#nextTick = this.#timer.now() + this.periodMs
      this.#probe()
    }
  }

  #cancel(): void {
    if (this.#waitsFor !== undefined) this.#timer.cancel(this.#waitsFor)
    this.#waitsFor = undefined
  }

  #probe(): void {
    this.#cancel()
    this.#state = 'probing'
    const goesOn = this.doProbe()
    if (typeof goesOn === 'boolean') this.#wait(goesOn)
    else {
      void goesOn.then((value) => {
        this.#wait(value)
      })
    }
  }

  #wait(goesOn: boolean): void {
    if (this.#state === 'ended') return
    if (!goesOn) {
      this.#end()
      return
    }
    this.#state = 'waiting'
    this.#look()
  }

  /** While it waits: ends, probes, or waits for the next tick. */
  #look(): void {
    if (this.#state !== 'waiting') return
    const now = this.#timer.now()
    const { periodMs } = this
    if (this.#isStopped) this.#end()
    else if (this.#isTriggered) {
      this.#isTriggered = false
      this.#nextTick = now + periodMs
      this.#probe()
    } else if (now >= this.#nextTick) {
      this.#nextTick += periodMs * (Math.floor((now - this.#nextTick) / periodMs) + 1)
      this.#probe()
    } else this.#waitsFor ??= this.#timer.add(this.#nextTick, this)
  }

  #end(): void {
    this.halt()
    this.end()
  }
}
