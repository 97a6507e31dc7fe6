import type { PodRow } from '../../shared/model/pod-row.ts'
import { isStuck } from './row-filter.ts'

/** Whether a row's mirror is missing, stale, on its way out, or orphaned. Pure. */
function isOutOfStep(row: PodRow): boolean {
  return row.kind === 'mirror' || (row.mirror !== null && row.mirror !== 'matched')
}

/** How many rows there are of what heads and badges count; kept up to date row by row, never by looking at all. */
export class RowCounts {
  #workers = 0
  #stuck = 0
  #outOfStep = 0

  /** Rows that have a worker. */
  get workers(): number {
    return this.#workers
  }

  get stuck(): number {
    return this.#stuck
  }

  /** Static pods whose mirror is not in step, and mirrors without a static pod. */
  get outOfStep(): number {
    return this.#outOfStep
  }

  /** `before` is what the row was, `after` what it is; undefined for one that was not there or is gone. */
  change(before: PodRow | undefined, after: PodRow | undefined): void {
    if (before !== undefined) this.#add(before, -1)
    if (after !== undefined) this.#add(after, 1)
  }

  #add(row: PodRow, by: 1 | -1): void {
    if (row.worker !== 'none') this.#workers += by
    if (isStuck(row)) this.#stuck += by
    if (isOutOfStep(row)) this.#outOfStep += by
  }
}
