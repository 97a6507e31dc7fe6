import type { ImageService, RuntimeError, RuntimeService } from '../../kubelet/ports.ts'

/** The calls that can be made to fail. */
export type RuntimeCall = Exclude<
  keyof RuntimeService | keyof ImageService,
  'name' | 'version' | 'causesOf' | 'containerEnvironment'
>

/** Failures of future calls: the next call of a kind fails at once and has no effect. */
export class RuntimeFaults {
  readonly #waiting = new Map<RuntimeCall, RuntimeError[]>()

  /** Makes `times` more calls of the kind fail. */
  failNext(call: RuntimeCall, error: RuntimeError, times = 1): void {
    const waiting = this.#waiting.get(call) ?? []
    for (let count = 0; count < times; count++) waiting.push(error)
    this.#waiting.set(call, waiting)
  }

  /** The failure of this call, if it must fail. */
  take(call: RuntimeCall): RuntimeError | undefined {
    return this.#waiting.get(call)?.shift()
  }

  /** Drops all failures. */
  clear(): void {
    this.#waiting.clear()
  }
}
