/** Rows drawn beyond the edge on each side, so that a quick wheel meets no blank. */
const overscan = 8
/** So many rows give way at once: style, layout and paint cost a fixed part each time, whatever they are of. */
const step = 4

export interface RowsInSight {
  readonly startIndex: number
  readonly endIndex: number
  /** Of all rows. */
  readonly count: number
  /** How many rows can be in sight, whatever the offset; it is the larger of this and the range that counts. */
  readonly inSight: number
}

/**
 * The indexes of the rows to draw: always equally many while there are enough, and one after the other, so
 * that `index % drawn` gives a row that scrolls in the elements of one that scrolls out. Pure.
 */
export function drawnRows({ startIndex, endIndex, count, inSight }: RowsInSight): number[] {
  const drawn = Math.min(count, Math.max(endIndex - startIndex + 1, inSight) + 2 * overscan)
  const wanted = Math.floor((startIndex - overscan) / step) * step
  const first = Math.max(0, Math.min(wanted, count - drawn))
  return Array.from({ length: drawn }, (_, offset) => first + offset)
}
