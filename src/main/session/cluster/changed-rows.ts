import type { PodKey, PodRow } from '../../../shared/model/pod-row.ts'

/** With fewer keys, a search for those of vanished pods is not worth its time. */
const minLimit = 1000

/**
 * The keys of the rows that changed since the last patch to a page. Keys of pods that were created and removed in
 * between are dropped, so a page that is hidden for a day costs at most its own rows and those that exist now.
 */
export class ChangedRows {
  readonly #rowOf: (key: PodKey) => PodRow | undefined
  readonly #changed = new Set<PodKey>()
  /** Keys of the rows that the page has. */
  readonly #onPage = new Set<PodKey>()
  #limit = minLimit

  constructor(rowOf: (key: PodKey) => PodRow | undefined) {
    this.#rowOf = rowOf
  }

  get size(): number {
    return this.#changed.size
  }

  /** The page has exactly these rows, and nothing has changed since. */
  reset(rows: readonly PodRow[]): void {
    this.#changed.clear()
    this.#onPage.clear()
    for (const { key } of rows) this.#onPage.add(key)
  }

  mark(key: PodKey): void {
    this.#changed.add(key)
    if (this.#changed.size > this.#limit) this.#dropVanished(key)
  }

  /** The content of the next patch, in the rows' present state. */
  take(): { readonly upserts: readonly PodRow[]; readonly removed: readonly PodKey[] } {
    const upserts: PodRow[] = []
    const removed: PodKey[] = []
    for (const key of this.#changed) {
      const row = this.#rowOf(key)
      if (row === undefined) {
        removed.push(key)
        this.#onPage.delete(key)
      } else {
        upserts.push(row)
        this.#onPage.add(key)
      }
    }
    this.#changed.clear()
    this.#limit = minLimit
    return { upserts, removed }
  }

  /** Drops keys of pods that came and went, except `marked`, whose row may be about to appear. */
  #dropVanished(marked: PodKey): void {
    for (const key of this.#changed)
      if (key !== marked && !this.#onPage.has(key) && this.#rowOf(key) === undefined)
        this.#changed.delete(key)
    // Twice the rest, so that the search costs each mark the same on average.
    this.#limit = Math.max(minLimit, 2 * this.#changed.size)
  }
}
