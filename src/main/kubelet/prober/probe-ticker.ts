import type { CancelTimer, Clock } from '../ports.ts'

/** What a ticker drives. */
interface Probing {
  /** Whether to go on. */
  readonly doProbe: () => boolean | Promise<boolean>
  /** Called once, when the ticker has ended; not when it was halted. */
  readonly end: () => void
}

interface ProbeTickerOptions {
  readonly clock: Clock
  readonly periodMs: number
  /** Before the first probe. */
  readonly delayMs: number
}

/**
 * The loop of a probe worker (pkg/kubelet/prober/worker.go run): probes at once, then with every tick of the period, and
 * out of turn when triggered, which moves the ticks. As with Go's ticker, ticks during a probe are one tick after it.
 */
export class ProbeTicker {
  readonly #probing: Probing
  readonly #clock: Clock
  readonly #periodMs: number
  #state: 'probing' | 'waiting' | 'ended' = 'probing'
  #isStopped = false
  #isTriggered = false
  #nextTick = 0
  #cancel: CancelTimer | undefined

  constructor(probing: Probing, { clock, periodMs, delayMs }: ProbeTickerOptions) {
    this.#probing = probing
    this.#clock = clock
    this.#periodMs = periodMs
    this.#cancel = clock.after(delayMs, () => {
      this.#nextTick = clock.now() + periodMs
      this.#probe()
    })
  }

  /** When it next calls `doProbe` unless triggered, ms; null while it probes and after its end. */
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
    this.#cancel?.()
    this.#cancel = undefined
    this.#state = 'ended'
  }

  #probe(): void {
    this.#cancel?.()
    this.#cancel = undefined
    this.#state = 'probing'
    const goesOn = this.#probing.doProbe()
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
    const now = this.#clock.now()
    const periodMs = this.#periodMs
    if (this.#isStopped) this.#end()
    else if (this.#isTriggered) {
      this.#isTriggered = false
      this.#nextTick = now + periodMs
      this.#probe()
    } else if (now >= this.#nextTick) {
      this.#nextTick += periodMs * (Math.floor((now - this.#nextTick) / periodMs) + 1)
      this.#probe()
    } else {
      this.#cancel ??= this.#clock.after(this.#nextTick - now, () => {
        this.#cancel = undefined
        this.#look()
      })
    }
  }

  #end(): void {
    this.halt()
    this.#probing.end()
  }
}
