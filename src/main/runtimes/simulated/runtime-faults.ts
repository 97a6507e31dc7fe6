import type { ImageService, RuntimeError, RuntimeService } from '../../kubelet/ports.ts'

/** Every call that can be made to fail. */
export type RuntimeCall = Exclude<
  keyof RuntimeService | keyof ImageService,
  'name' | 'version' | 'causesOf'
>

/** Failures waiting for their call: the next one of that kind fails at once and does nothing. */
export class RuntimeFaults {
  readonly #waiting = new Map<RuntimeCall, RuntimeError[]>()

  /** Makes the next `times` calls of the kind fail, after those that were asked for before. */
  failNext(call: RuntimeCall, error: RuntimeError, times = 1): void {
    const waiting = this.#waiting.get(call) ?? []
    for (let count = 0; count < times; count++) waiting.push(error)
    this.#waiting.set(call, waiting)
  }

  /** The failure that this call must answer with, if one waits. */
  take(call: RuntimeCall): RuntimeError | undefined {
    return this.#waiting.get(call)?.shift()
  }

  /** Forgets all that wait. */
  clear(): void {
    this.#waiting.clear()
  }
}
