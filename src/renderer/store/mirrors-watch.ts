import type { Bridge } from '../../shared/ipc/contract.ts'
import type { MirrorMoment, PodObjects } from '../../shared/model/pod-objects.ts'
import type { PodKey } from '../../shared/model/pod-row.ts'
import type { RowTable } from './row-table.ts'

/** What main has told of the chosen pair. `gone`: it knows no such pod (any more). */
export type PairFacts =
  | { readonly kind: 'none' | 'loading' | 'gone' }
  | {
      readonly kind: 'known'
      readonly key: PodKey
      readonly objects: PodObjects
      /** Newest first. */
      readonly history: readonly MirrorMoment[]
    }

/**
 * Keeps objects and history of one pair as new as its row. One question is under way at a time; a row
 * that changes meanwhile is asked about once more after it.
 */
export class PairWatch {
  readonly #bridge: Bridge
  readonly #rows: RowTable
  readonly #publish: (facts: PairFacts) => void
  #wanted: PodKey | null = null
  #isAsking = false
  #isOld = false
  #leaveRow: (() => void) | undefined

  constructor(deps: {
    readonly bridge: Bridge
    readonly rows: RowTable
    readonly publish: (facts: PairFacts) => void
  }) {
    this.#bridge = deps.bridge
    this.#rows = deps.rows
    this.#publish = deps.publish
  }

  watch(key: PodKey | null): void {
    if (key === this.#wanted) return
    this.#wanted = key
    this.#leaveRow?.()
    this.#leaveRow = key === null ? undefined : this.#rows.subscribeRow(key, () => this.again())
    this.#publish({ kind: key === null ? 'none' : 'loading' })
    this.again()
  }

  /** What is known may be old. */
  again(): void {
    this.#isOld = true
    this.#ask()
  }

  stop(): void {
    this.#wanted = null
    this.#leaveRow?.()
  }

  #ask(): void {
    const key = this.#wanted
    if (key === null || this.#isAsking || !this.#isOld) return
    this.#isAsking = true
    this.#isOld = false
    Promise.all([
      this.#bridge.request('pod.objects', { key }),
      this.#bridge.request('mirror.history', { key }),
    ]).then(
      ([objects, history]) => {
        this.#isAsking = false
        if (key === this.#wanted)
          this.#publish(
            objects === null ? { kind: 'gone' } : { kind: 'known', key, objects, history },
          )
        this.#ask()
      },
      () => {
        // The connection is lost: the next snapshot tells every row anew, and this follows it.
        this.#isAsking = false
        this.#isOld = true
      },
    )
  }
}
