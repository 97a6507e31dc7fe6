import type { Clock, Log } from '../../kubelet/ports.ts'

type Causes = readonly number[]

/**
 * The queue of one controller: keys are handled one after the other, a key that is added again while
 * it waits only once, with the causes of all its additions. A handler that throws is logged; the rest goes on.
 */
export class ControlQueue {
  readonly #handle: (key: string, causes: Causes) => Promise<void>
  readonly #log: Log
  readonly #waiting = new Map<string, Causes>()
  #isRunning = false
  #isStopped = false

  constructor(deps: {
    readonly handle: (key: string, causes: Causes) => Promise<void>
    readonly log: Log
  }) {
    this.#handle = deps.handle
    this.#log = deps.log
  }

  add(key: string, causes: Causes): void {
    if (this.#isStopped) return
    const before = this.#waiting.get(key) ?? []
    this.#waiting.set(key, [...new Set([...before, ...causes])])
    if (!this.#isRunning) void this.#run()
  }

  stop(): void {
    this.#isStopped = true
    this.#waiting.clear()
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    for (;;) {
      const next = this.#waiting.entries().next()
      if (next.done === true) break
      const [key, causes] = next.value
      this.#waiting.delete(key)
      try {
        await this.#handle(key, causes)
      } catch (error) {
        this.#log.error('a controller failed', { key, error })
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
