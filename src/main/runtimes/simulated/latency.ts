import type { Clock, Random } from '../../kubelet/ports.ts'

/** How long the runtime's own work takes, in ms: at least, at most. */
const rangesMs = {
  startSandbox: [30, 120],
  stopSandbox: [20, 60],
  createContainer: [10, 40],
  startContainer: [20, 80],
  /** From SIGKILL to an exited container. */
  killContainer: [5, 40],
  removeContainer: [2, 10],
  removeSandbox: [2, 10],
  pullImage: [400, 2000],
  /** An image that is there is only looked up at its registry. */
  checkImage: [80, 250],
} as const

export type Work = keyof typeof rangesMs

/** Lets work take time on the clock; each kind draws from a stream of its own. */
export class Latency {
  readonly #clock: Clock
  readonly #random: Random
  readonly #streams = new Map<Work, Random>()

  constructor(deps: { readonly clock: Clock; readonly random: Random }) {
    this.#clock = deps.clock
    this.#random = deps.random
  }

  /** Whole ms drawn for the next piece of that work. */
  draw(work: Work): number {
    let stream = this.#streams.get(work)
    if (stream === undefined) {
      stream = this.#random.fork(work)
      this.#streams.set(work, stream)
    }
    return within(work, stream)
  }

  /** Whole ms for work on something with a name: always the same for the same seed and name. */
  drawFor(work: Work, name: string): number {
    return within(work, this.#random.fork(work).fork(name))
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.after(ms, resolve)
    })
  }

  /** Draws and waits. */
  take(work: Work): Promise<void> {
    return this.wait(this.draw(work))
  }
}

function within(work: Work, random: Random): number {
  const [least, most] = rangesMs[work]
  return Math.round(least + random.next() * (most - least))
}
