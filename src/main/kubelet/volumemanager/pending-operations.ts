import type { Clock } from '../ports.ts'

const initialDelayMs = 500
const maxDelayMs = 122_000

export type VolumeOperation = 'attach' | 'mount' | 'unmount'

interface Operation {
  /** Of the first that failed. */
  readonly kind: VolumeOperation
  readonly isPending: boolean
  readonly startedAt: number
  /** 0: it has not failed. */
  readonly delayMs: number
  readonly failedAt: number
}

/**
 * One operation at a time for each volume of a pod. One that failed is not tried again before a delay, which doubles from
 * 500 ms to 2 min 2 s. Another kind of operation that starts within the delay ends it; one that starts later goes on with the
 * delay, under the kind of the first.
 * Source: pkg/volume/util/nestedpendingoperations, pkg/util/goroutinemap/exponentialbackoff.
 */
export class PendingOperations {
  readonly #clock: Pick<Clock, 'now'>
  readonly #operations = new Map<string, Operation>()

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  isPending(key: string): boolean {
    return this.#operations.get(key)?.isPending === true
  }

  /** Since when the volume's operation is under way; undefined: none is. */
  pendingSince(key: string): number | undefined {
    const operation = this.#operations.get(key)
    return operation?.isPending === true ? operation.startedAt : undefined
  }

  /** The last time at which the operation may not start yet; undefined: it may. */
  blockedUntil(key: string, kind: VolumeOperation): number | undefined {
    const delayed = this.#delayed(key)
    return delayed?.kind === kind ? delayed.failedAt + delayed.delayMs : undefined
  }

  /** An operation of the volume that may start is left out: it would succeed at once. */
  succeeded(key: string): void {
    this.#operations.delete(key)
  }

  /** Runs it; it answers whether it succeeded. `blockedUntil` and `isPending` must allow it. */
  async run(key: string, kind: VolumeOperation, work: () => Promise<boolean>): Promise<void> {
    const first = this.#delayed(key) === undefined ? this.#operations.get(key) : undefined
    const startedAt = this.#clock.now()
    const delayed = { kind: first?.kind ?? kind, delayMs: first?.delayMs ?? 0, startedAt }
    this.#operations.set(key, { isPending: true, failedAt: -Infinity, ...delayed })
    if (await work()) {
      this.#operations.delete(key)
      return
    }
    const delayMs =
      delayed.delayMs === 0 ? initialDelayMs : Math.min(2 * delayed.delayMs, maxDelayMs)
    const failedAt = this.#clock.now()
    this.#operations.set(key, { ...delayed, isPending: false, delayMs, failedAt })
  }

  /** The volume's operation, within its delay. */
  #delayed(key: string): Operation | undefined {
    const last = this.#operations.get(key)
    return last !== undefined && this.#clock.now() <= last.failedAt + last.delayMs
      ? last
      : undefined
  }
}
