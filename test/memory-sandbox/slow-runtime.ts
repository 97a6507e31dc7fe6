import { aroundCalls } from '../../src/main/kubelet/around-calls.ts'
import type { Clock, ImageService, RuntimeService } from '../../src/main/kubelet/ports.ts'
import { PowerClock } from '../../src/main/runtimes/simulated/power-clock.ts'
import type { RuntimeCall } from '../../src/main/runtimes/simulated/runtime-faults.ts'

/**
 * A runtime that takes its time when it is told to: the next calls of a kind are not begun before so many ms have
 * passed. `service` answers as the one behind it.
 */
export class SlowRuntime {
  readonly service: RuntimeService & ImageService
  readonly #clock: PowerClock
  readonly #waiting = new Map<string, number[]>()

  constructor(deps: { readonly runtime: RuntimeService & ImageService; readonly clock: Clock }) {
    this.#clock = new PowerClock(deps.clock)
    this.service = aroundCalls(
      deps.runtime,
      (call, make) => this.#after(call, make),
      (call) => (this.#waiting.get(call) ?? []).length === 0,
    )
  }

  /** Delays `times` calls of a kind, after the calls that are delayed already. */
  delayNext(call: RuntimeCall, delayMs: number, times = 1): void {
    const waiting = this.#waiting.get(call) ?? []
    for (let count = 0; count < times; count++) waiting.push(delayMs)
    this.#waiting.set(call, waiting)
  }

  /** Clears all delays that no call has used yet. */
  clear(): void {
    this.#waiting.clear()
  }

  /** A power failure: waiting calls never start. The runtime behind this one has its own `cutPower`. */
  cutPower(): void {
    this.clear()
    this.#clock.cut()
  }

  async #after(call: string, make: () => unknown): Promise<unknown> {
    const delayMs = this.#waiting.get(call)?.shift()
    if (delayMs !== undefined)
      await new Promise<void>((resolve) => {
        this.#clock.after(delayMs, resolve)
      })
    return await make()
  }
}
