import type { PodKey, PodRow } from '../../../shared/model/pod-row.ts'
import { RowCounts } from './row-counts.ts'

/** What one patch changed. `all`: a snapshot replaced everything. */
export type RowChange =
  | { readonly kind: 'all' }
  | {
      readonly kind: 'some'
      readonly upserts: readonly PodRow[]
      readonly removed: readonly PodKey[]
    }

/** How many removed rows are kept, so that a row under the pointer can still be drawn. */
const rememberedRows = 256

/**
 * The rows as main last sent them: one mutable map, so that 1,000 updates a second cost one call for
 * each visible row and nothing for the others. Rows are immutable and replaced as a whole.
 */
export class RowTable {
  readonly counts = new RowCounts()
  readonly #rows = new Map<PodKey, PodRow>()
  readonly #removed = new Map<PodKey, PodRow>()
  readonly #rowListeners = new Map<PodKey, Set<() => void>>()
  readonly #listeners = new Set<(change: RowChange) => void>()

  get(key: PodKey): PodRow | undefined {
    return this.#rows.get(key)
  }

  /** The row, or its last version after its removal. */
  lastKnown(key: PodKey): PodRow | undefined {
    return this.#rows.get(key) ?? this.#removed.get(key)
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
      this.#removed.delete(row.key)
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

  /** Removes the rows of a closed cluster. */
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
    this.#removed.set(row.key, row)
    if (this.#removed.size <= rememberedRows) return
    const oldest = this.#removed.keys().next()
    if (oldest.done !== true) this.#removed.delete(oldest.value)
  }
}
