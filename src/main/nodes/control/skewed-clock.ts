import type { HoldableClock } from '../../kubelet/ports.ts'

/** The clock of one machine: that of the cluster, but wrong by some time. Timers take as long as on the cluster's clock. */
export class SkewedClock implements HoldableClock {
  readonly #clock: HoldableClock
  /** Ahead of the cluster's clock if positive. */
  skewMs = 0

  constructor(clock: HoldableClock) {
    this.#clock = clock
  }

  readonly now = (): number => this.#clock.now() + this.skewMs
  readonly after: HoldableClock['after'] = (delayMs, fn) => this.#clock.after(delayMs, fn)
  readonly hold: HoldableClock['hold'] = () => this.#clock.hold()
}
