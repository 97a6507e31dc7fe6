import type { CancelTimer, Clock } from '../../kubelet/ports.ts'

/**
 * The clock of a machine that can lose power: its timers from before the power failure never fire. The cluster's time
 * goes on.
 */
export class PowerClock implements Clock {
  readonly #clock: Clock
  #boots = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  readonly now = (): number => this.#clock.now()

  readonly after = (delayMs: number, fn: () => void): CancelTimer => {
    const boots = this.#boots
    return this.#clock.after(delayMs, () => {
      if (boots === this.#boots) fn()
    })
  }

  /** All pending timers never fire. */
  cut(): void {
    this.#boots++
  }
}
