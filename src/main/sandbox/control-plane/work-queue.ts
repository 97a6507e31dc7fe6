import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import type { Clock, Log } from '../../kubelet/ports.ts'

/** The delay of `addRateLimited` doubles from `baseMs` to `maxMs`. */
export interface BackOff {
  readonly baseMs: number
  readonly maxMs: number
}

interface WorkQueueDeps {
  readonly handle: (key: string, causes: TraceCauses) => Promise<void>
  readonly clock: Clock
  readonly log: Log
  readonly backOff?: BackOff
}

interface Later {
  /** ms of the clock. */
  readonly due: number
  readonly cancel: () => void
}

/** client-go's ItemExponentialFailureRateLimiter. */
export const defaultBackOff: BackOff = { baseMs: 5, maxMs: 1_000_000 }

/**
 * The work queue of one controller (client-go util/workqueue). It handles one key after the other. A key that is added
 * again while it waits is handled once, with the causes of all its additions. If a handler throws, the queue logs the error
 * and continues.
 */
export class WorkQueue {
  readonly #deps: WorkQueueDeps
  readonly #waiting = new Map<string, TraceCauses>()
  /** By key: its later addition. */
  readonly #later = new Map<string, Later>()
  readonly #failures = new Map<string, number>()
  #isRunning = false
  #isStopped = false

  constructor(deps: WorkQueueDeps) {
    this.#deps = deps
  }

  add(key: string, causes: TraceCauses): void {
    if (this.#isStopped) return
    const before = this.#waiting.get(key) ?? []
    this.#waiting.set(key, [...new Set([...before, ...causes])])
    if (!this.#isRunning) void this.#run()
  }

  /** Adds a key after `delayMs`, unless it is handled before. Of several calls for a key, the soonest counts. */
  addAfter(key: string, causes: TraceCauses, delayMs: number): void {
    if (this.#isStopped) return
    const due = this.#deps.clock.now() + delayMs
    const before = this.#later.get(key)
    if (before !== undefined && before.due <= due) return
    this.#cancelLater(key)
    const cancel = this.#deps.clock.after(delayMs, () => {
      this.#later.delete(key)
      this.add(key, causes)
    })
    this.#later.set(key, { due, cancel })
  }

  /** Adds a key that failed, after a delay that grows with each failure until `forget`. */
  addRateLimited(key: string, causes: TraceCauses): void {
    const { baseMs, maxMs } = this.#deps.backOff ?? defaultBackOff
    const failures = this.#failures.get(key) ?? 0
    this.#failures.set(key, failures + 1)
    this.addAfter(key, causes, Math.min(maxMs, baseMs * 2 ** Math.min(failures, 30)))
  }

  /** True while a key waits for its later addition. */
  isLater(key: string): boolean {
    return this.#later.has(key)
  }

  /** How often in a row a key has failed (NumRequeues). */
  failuresOf(key: string): number {
    return this.#failures.get(key) ?? 0
  }

  /** Resets the delay of a key that succeeded or no longer exists. */
  forget(key: string): void {
    this.#failures.delete(key)
  }

  stop(): void {
    this.#isStopped = true
    this.#waiting.clear()
    for (const key of this.#later.keys()) this.#cancelLater(key)
  }

  #cancelLater(key: string): void {
    this.#later.get(key)?.cancel()
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

/** Calls `act` every `periodMs`, counted from the end of the previous call. Returns a function that stops it. */
export function repeat(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  periodMs: number,
  act: () => Promise<void>,
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
