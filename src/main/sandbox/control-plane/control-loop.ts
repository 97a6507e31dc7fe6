import type { Clock, Log } from '../../kubelet/ports.ts'

type Causes = readonly number[]

interface ControlQueueDeps {
  readonly handle: (key: string, causes: Causes) => Promise<void>
  readonly clock: Clock
  readonly log: Log
  /** Of `addRateLimited`: doubles from `baseMs` to `maxMs`. Default: client-go's ItemExponentialFailureRateLimiter. */
  readonly backOff?: { readonly baseMs: number; readonly maxMs: number }
}

const defaultBackOff = { baseMs: 5, maxMs: 1_000_000 } as const

/**
 * The work queue of one controller (client-go util/workqueue): keys are handled one after the other, a key that is added
 * again while it waits only once, with the causes of all its additions. A handler that throws is logged; the rest goes on.
 */
export class ControlQueue {
  readonly #deps: ControlQueueDeps
  readonly #waiting = new Map<string, Causes>()
  /** By key: cancels its later addition. */
  readonly #later = new Map<string, () => void>()
  readonly #failures = new Map<string, number>()
  #isRunning = false
  #isStopped = false

  constructor(deps: ControlQueueDeps) {
    this.#deps = deps
  }

  add(key: string, causes: Causes): void {
    if (this.#isStopped) return
    const before = this.#waiting.get(key) ?? []
    this.#waiting.set(key, [...new Set([...before, ...causes])])
    if (!this.#isRunning) void this.#run()
  }

  /** Adds a key after so many ms, unless it is handled before; another call for the key replaces this one. */
  addAfter(key: string, causes: Causes, delayMs: number): void {
    if (this.#isStopped) return
    this.#cancelLater(key)
    const cancel = this.#deps.clock.after(delayMs, () => {
      this.#later.delete(key)
      this.add(key, causes)
    })
    this.#later.set(key, cancel)
  }

  /** Adds a key that failed, each time later, until `forget`. */
  addRateLimited(key: string, causes: Causes): void {
    const { baseMs, maxMs } = this.#deps.backOff ?? defaultBackOff
    const failures = this.#failures.get(key) ?? 0
    this.#failures.set(key, failures + 1)
    this.addAfter(key, causes, Math.min(maxMs, baseMs * 2 ** Math.min(failures, 30)))
  }

  /** Whether a key is to be added later. */
  isLater(key: string): boolean {
    return this.#later.has(key)
  }

  /** The key has succeeded, or is gone. */
  forget(key: string): void {
    this.#failures.delete(key)
  }

  stop(): void {
    this.#isStopped = true
    this.#waiting.clear()
    for (const key of this.#later.keys()) this.#cancelLater(key)
  }

  #cancelLater(key: string): void {
    this.#later.get(key)?.()
    this.#later.delete(key)
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    for (;;) {
      const next = this.#waiting.entries().next()
      if (next.done === true) break
      const [key, causes] = next.value
      this.#waiting.delete(key)
      this.#cancelLater(key)
      try {
        await this.#deps.handle(key, causes)
      } catch (error) {
        this.#deps.log.error('a controller failed', { key, error })
      }
    }
    this.#isRunning = false
  }
}

/** Calls `act` every `periodMs` of the clock, the next time after the last has ended. Returns the stop. */
export function repeat(
  clock: Clock,
  periodMs: number,
  act: () => Promise<void>,
  log: Log,
): () => void {
  let cancel: () => void = () => undefined
  let isStopped = false
  const round = async (): Promise<void> => {
    try {
      await act()
    } catch (error) {
      log.error('a controller failed', { error })
    }
    if (!isStopped) cancel = clock.after(periodMs, () => void round())
  }
  cancel = clock.after(periodMs, () => void round())
  return () => {
    isStopped = true
    cancel()
  }
}
