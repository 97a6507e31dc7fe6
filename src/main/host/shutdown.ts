import type { Log } from '../kubelet/ports.ts'
import { errorFields } from './last-net.ts'

type StopStep = () => void | Promise<void>

/** Whatever a step waits for, the program is gone after this long. */
const usualLimitMs = 1_500
/** An agent that says that it goes takes up to three seconds for that. */
const leavingLimitMs = 4_500

/**
 * Ends the program's parts one after the other, the last started first. A step that throws or hangs
 * does not keep the others from running.
 */
export class Shutdown {
  readonly #log: Log
  readonly #steps: StopStep[] = []
  readonly #limitMs: number
  #run: Promise<void> | undefined

  /** `isLeaving`: the agent has something to tell its cluster before it ends. */
  constructor(log: Log, { isLeaving = false } = {}) {
    this.#log = log
    this.#limitMs = isLeaving ? leavingLimitMs : usualLimitMs
  }

  /** Called as each part has started. */
  add(step: StopStep): void {
    this.#steps.push(step)
  }

  /** Resolves when all is stopped, or at the time limit that all steps share. Twice is once. */
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
