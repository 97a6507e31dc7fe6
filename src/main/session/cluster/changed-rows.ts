import type { PodKey, PodRow } from '../../../shared/model/pod-row.ts'

/** Fewer names than this are not worth going through. */
const leastLimit = 1000

/**
 * The names of the rows that changed since a page was last sent something. Pods that came and went in
 * between are forgotten again, so that a page which is hidden for a day costs no more than the rows that it
 * knows and those that are there, whatever ran meanwhile.
 */
export class ChangedRows {
  readonly #row: (key: PodKey) => PodRow | undefined
  readonly #changed = new Set<PodKey>()
  /** What the page has been sent and not been told to remove. */
  readonly #known = new Set<PodKey>()
  #limit = leastLimit

  constructor(deps: { readonly row: (key: PodKey) => PodRow | undefined }) {
    this.#row = deps.row
  }

  get size(): number {
    return this.#changed.size
  }

  /** The page was sent all of these, and nothing has changed since. */
  reset(rows: readonly PodRow[]): void {
    this.#changed.clear()
    this.#known.clear()
    for (const { key } of rows) this.#known.add(key)
  }

  mark(key: PodKey): void {
    this.#changed.add(key)
    if (this.#changed.size > this.#limit) this.#forgetPassing(key)
  }

  /** What the page is to be told now, as it is now. */
  take(): { readonly upserts: readonly PodRow[]; readonly removed: readonly PodKey[] } {
    const upserts: PodRow[] = []
    const removed: PodKey[] = []
    for (const key of this.#changed) {
      const row = this.#row(key)
      if (row === undefined) {
        removed.push(key)
        this.#known.delete(key)
      } else {
        upserts.push(row)
        this.#known.add(key)
      }
    }
    this.#changed.clear()
    this.#limit = leastLimit
    return { upserts, removed }
  }

  /** Not what is being marked: it may be about to appear. */
  #forgetPassing(marked: PodKey): void {
    for (const key of this.#changed)
      if (key !== marked && !this.#known.has(key) && this.#row(key) === undefined)
        this.#changed.delete(key)
    // Twice what is left, so that going through all costs each mark the same on average.
    this.#limit = Math.max(leastLimit, 2 * this.#changed.size)
  }
}
