import type { Log } from '../kubelet/ports.ts'
import { errorFields } from './uncaught-errors.ts'

type StopStep = () => void | Promise<void>

/** The program exits after this time, even if a step still waits. */
const usualLimitMs = 1_500
/** The writes of the kubelet on exit take up to three seconds. */
const exitWritesLimitMs = 4_500

/**
 * Stops the program's parts one after the other, the last started first. A step that throws or hangs does not prevent the
 * others.
 */
export class Shutdown {
  readonly #log: Log
  readonly #steps: StopStep[] = []
  readonly #limitMs: number
  #run: Promise<void> | undefined

  /** `writesOnExit`: the kubelet writes to its cluster before the program ends. */
  constructor(log: Log, { writesOnExit = false } = {}) {
    this.#log = log
    this.#limitMs = writesOnExit ? exitWritesLimitMs : usualLimitMs
  }

  /** Call it after each part has started. */
  add(step: StopStep): void {
    this.#steps.push(step)
  }

  /** Resolves after all steps, or at their common time limit. Idempotent. */
  run(): Promise<void> {
    this.#run ??= this.#runSteps()
    return this.#run
  }

  async #runSteps(): Promise<void> {
    const limit = new Promise<void>((resolve) => {
      setTimeout(resolve, this.#limitMs).unref()
    })
    for (const step of this.#steps.toReversed()) {
      try {
        await Promise.race([step(), limit])
      } catch (error) {
        this.#log.error('stop failed', errorFields(error))
      }
    }
  }
}
