import type { CancelTimer, Clock } from '../../kubelet/ports.ts'

/**
 * The clock of a machine that can lose its power: what was begun before the cut never goes on after it. Time
 * itself is the cluster's and does not stop.
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

  /** Everything that waits on this clock waits for ever. */
  cut(): void {
    this.#boots++
  }
}
