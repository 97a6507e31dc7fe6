/** Rows drawn beyond each edge, so that quick scrolling shows no blank. */
const overscan = 8
/** How many rows are replaced at a time: each style, layout and paint has a fixed cost. */
const step = 4

export interface VisibleRows {
  readonly startIndex: number
  readonly endIndex: number
  /** Of all rows. */
  readonly count: number
  /** How many rows can be visible at any offset; the larger of this and the range counts. */
  readonly visible: number
}

/**
 * The indexes of the rows to draw: consecutive, and always the same number while there are enough, so that
 * `index % drawn` gives a row that scrolls in the elements of one that scrolled out. Pure.
 */
export function drawnRows({ startIndex, endIndex, count, visible }: VisibleRows): number[] {
  const drawn = Math.min(count, Math.max(endIndex - startIndex + 1, visible) + 2 * overscan)
  const wanted = Math.floor((startIndex - overscan) / step) * step
  const first = Math.max(0, Math.min(wanted, count - drawn))
  return Array.from({ length: drawn }, (_, offset) => first + offset)
}
