import type { Twin, TwinContext } from './twin-context.ts'

/** Faults of both, one at a time: a program that starts while its server is away ends with a sentence, a kubelet waits. */
export class FaultyTwins {
  readonly context: TwinContext
  /** Until the last fault has ended. */
  #ending: Promise<unknown> = Promise.resolve()
  #isUnderWay = false

  constructor(context: TwinContext) {
    this.context = context
  }

  /** Begins a fault of both and ends it after a delay; false: another one is under way. */
  async fault(
    ms: number,
    begin: (twin: Twin) => Promise<void>,
    end: (twin: Twin) => Promise<void>,
  ): Promise<boolean> {
    if (this.#isUnderWay) return false
    this.#isUnderWay = true
    await Promise.all(this.context.twins.map(begin))
    this.context.later('fault', ms, () => {
      this.#ending = Promise.all(this.context.twins.map(end)).then(() => {
        this.#isUnderWay = false
      })
    })
    return true
  }

  /** Ends all faults now. Rejects where a kubelet does not start. */
  async heal(): Promise<void> {
    this.context.endAll()
    for (const { machine } of this.context.twins) machine.runtime.faults.clear()
    await this.#ending
  }
}
