import type { Clock } from '../ports.ts'
import type { VolumeOperation } from './pending-operations.ts'

/** An operation of a volume that has failed, and not succeeded since. */
export interface OperationFailure {
  readonly operation: VolumeOperation
  readonly firstAt: number
  readonly lastAt: number
  readonly count: number
  /** Of the last one. */
  readonly message: string
}

/** How often the operation of each volume has failed in a row, and since when. */
export class OperationFailures {
  readonly #clock: Pick<Clock, 'now'>
  readonly #failures = new Map<string, OperationFailure>()

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  get(key: string): OperationFailure | undefined {
    return this.#failures.get(key)
  }

  failed(key: string, operation: VolumeOperation, message: string): void {
    const now = this.#clock.now()
    const before = this.#failures.get(key)
    const first = before?.operation === operation ? before : { firstAt: now, count: 0 }
    const { firstAt, count } = first
    this.#failures.set(key, { operation, firstAt, lastAt: now, count: count + 1, message })
  }

  /** It has succeeded, or the volume is gone. */
  forget(key: string): void {
    this.#failures.delete(key)
  }
}
