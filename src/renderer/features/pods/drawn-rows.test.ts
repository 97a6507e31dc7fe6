import { describe, expect, it } from 'vitest'
import { drawnRows } from './drawn-rows.ts'

function ends(startIndex: number, count: number): readonly (number | undefined)[] {
  const rows = drawnRows({ startIndex, endIndex: startIndex + 20, count, visible: 22 })
  return [rows.length, rows[0], rows.at(-1)]
}

describe('drawnRows', () => {
  it('draws the same number of rows at every scroll position, so that their elements are reused', () => {
    expect([0, 3, 50, 51, 4989, 9979].map((at) => ends(at, 10_000)[0])).toEqual(
      Array.from({ length: 6 }, () => 38),
    )
  })

  it('replaces four rows at a time and draws some beyond both edges', () => {
    expect([50, 51, 52, 56].map((at) => ends(at, 10_000).slice(1))).toEqual([
      [40, 77],
      [40, 77],
      [44, 81],
      [48, 85],
    ])
  })

  it('ends with the last row, and draws all rows of a short table', () => {
    expect(ends(9979, 10_000)).toEqual([38, 9962, 9999])
    expect(ends(0, 5)).toEqual([5, 0, 4])
  })
})
