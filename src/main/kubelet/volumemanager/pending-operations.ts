import type { Clock } from '../ports.ts'

const initialDelayMs = 500
const maxDelayMs = 122_000

export type VolumeOperation = 'attach' | 'mount' | 'unmount'

interface Operation {
  readonly kind: VolumeOperation
  readonly isPending: boolean
  /** 0: it has not failed. */
  readonly delayMs: number
  readonly failedAt: number
}

/**
 * One operation at a time for each volume of a pod. One that failed is not tried again before a delay, which doubles from
 * 500 ms to 2 min 2 s; another kind of operation starts without it.
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

  /** The last time at which the operation may not start yet; undefined: it may. */
  blockedUntil(key: string, kind: VolumeOperation): number | undefined {
    const last = this.#operations.get(key)
    if (last === undefined || last.kind !== kind) return undefined
    const until = last.failedAt + last.delayMs
    return this.#clock.now() <= until ? until : undefined
  }

  /** Runs it; it answers whether it succeeded. `blockedUntil` and `isPending` must allow it. */
  async run(key: string, kind: VolumeOperation, work: () => Promise<boolean>): Promise<void> {
    const last = this.#operations.get(key)
    const delayMs = last?.kind === kind ? last.delayMs : 0
    this.#operations.set(key, { kind, isPending: true, delayMs, failedAt: -Infinity })
    if (await work()) {
      this.#operations.delete(key)
      return
    }
    const next = delayMs === 0 ? initialDelayMs : Math.min(2 * delayMs, maxDelayMs)
    const failedAt = this.#clock.now()
    this.#operations.set(key, { kind, isPending: false, delayMs: next, failedAt })
  }
}
