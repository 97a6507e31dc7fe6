import type { PodKey, PodRow } from '../../../shared/model/pod-row.ts'
import { RowCounts } from './row-counts.ts'

/** What one patch changed. `all`: a snapshot took the place of everything. */
export type RowChange =
  | { readonly kind: 'all' }
  | {
      readonly kind: 'some'
      readonly upserts: readonly PodRow[]
      readonly removed: readonly PodKey[]
    }

/** Rows that have left are kept this long back, so that a row held under the pointer can still be drawn. */
const rememberedRows = 256

/**
 * The rows as main last told them: one mutable map, so that 1,000 updates a second cost one call for
 * each row on the screen and nothing for the others. Rows themselves are frozen facts, replaced whole.
 */
export class RowTable {
  readonly counts = new RowCounts()
  readonly #rows = new Map<PodKey, PodRow>()
  readonly #gone = new Map<PodKey, PodRow>()
  readonly #rowListeners = new Map<PodKey, Set<() => void>>()
  readonly #listeners = new Set<(change: RowChange) => void>()

  get(key: PodKey): PodRow | undefined {
    return this.#rows.get(key)
  }

  /** The row, or what it was when it left. */
  lastKnown(key: PodKey): PodRow | undefined {
    return this.#rows.get(key) ?? this.#gone.get(key)
  }

  values(): IterableIterator<PodRow> {
    return this.#rows.values()
  }

  replaceAll(rows: readonly PodRow[]): void {
    const left = new Map(this.#rows)
    for (const row of left.values()) this.counts.change(row, undefined)
    this.#rows.clear()
    for (const row of rows) {
      this.counts.change(this.#rows.get(row.key), row)
      this.#rows.set(row.key, row)
      left.delete(row.key)
    }
    for (const row of left.values()) this.#remember(row)
    for (const key of this.#rowListeners.keys()) this.#notifyRow(key)
    this.#notify({ kind: 'all' })
  }

  apply(upserts: readonly PodRow[], removed: readonly PodKey[]): void {
    if (upserts.length === 0 && removed.length === 0) return
    for (const row of upserts) {
      this.counts.change(this.#rows.get(row.key), row)
      this.#rows.set(row.key, row)
      this.#gone.delete(row.key)
    }
    for (const key of removed) {
      const row = this.#rows.get(key)
      if (row === undefined) continue
      this.counts.change(row, undefined)
      this.#remember(row)
      this.#rows.delete(key)
    }
    for (const row of upserts) this.#notifyRow(row.key)
    for (const key of removed) this.#notifyRow(key)
    this.#notify({ kind: 'some', upserts, removed })
  }

  /** The rows of a cluster that is not open any more go with it. */
  closeCluster(id: string): void {
    const left = [...this.#rows.values()].filter(({ cluster }) => cluster === id)
    this.apply(
      [],
      left.map(({ key }) => key),
    )
  }

  subscribeRow(key: PodKey, listener: () => void): () => void {
    const listeners = this.#rowListeners.get(key) ?? new Set()
    this.#rowListeners.set(key, listeners)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#rowListeners.get(key) === listeners)
        this.#rowListeners.delete(key)
    }
  }

  subscribe(listener: (change: RowChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #notifyRow(key: PodKey): void {
    for (const listener of this.#rowListeners.get(key) ?? []) listener()
  }

  #notify(change: RowChange): void {
    for (const listener of this.#listeners) listener(change)
  }

  #remember(row: PodRow): void {
    this.#gone.set(row.key, row)
    if (this.#gone.size <= rememberedRows) return
    const oldest = this.#gone.keys().next()
    if (oldest.done !== true) this.#gone.delete(oldest.value)
  }
}
