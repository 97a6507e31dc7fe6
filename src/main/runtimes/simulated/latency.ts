import type { Clock, Random } from '../../kubelet/ports.ts'

/** Minimum and maximum duration of the runtime's work, in ms. */
const rangesMs = {
  startSandbox: [30, 120],
  stopSandbox: [20, 60],
  createContainer: [10, 40],
  startContainer: [20, 80],
  /** From SIGKILL to the exited container. */
  killContainer: [5, 40],
  removeContainer: [2, 10],
  removeSandbox: [2, 10],
  pullImage: [400, 2000],
  /** For a present image, only the registry is checked. */
  checkImage: [80, 250],
} as const

export type Work = keyof typeof rangesMs

/** Durations of work. Each kind of work has its own random stream. */
export class Latency {
  readonly #clock: Clock
  readonly #random: Random
  readonly #streams = new Map<Work, Random>()

  constructor(deps: { readonly clock: Clock; readonly random: Random }) {
    this.#clock = deps.clock
    this.#random = deps.random
  }

  /** Draws the duration of the next work of that kind, in whole ms. */
  draw(work: Work): number {
    let stream = this.#streams.get(work)
    if (stream === undefined) {
      stream = this.#random.fork(work)
      this.#streams.set(work, stream)
    }
    return within(work, stream)
  }

  /** The duration of work on something with a name, in whole ms; the same for the same seed and name. */
  drawFor(work: Work, name: string): number {
    return within(work, this.#random.fork(work).fork(name))
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.after(ms, resolve)
    })
  }

  /** Waits for a drawn duration. */
  take(work: Work): Promise<void> {
    return this.wait(this.draw(work))
  }
}

function within(work: Work, random: Random): number {
  const [least, most] = rangesMs[work]
  return Math.round(least + random.next() * (most - least))
}
