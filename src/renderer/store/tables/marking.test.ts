import { describe, expect, it } from 'vitest'
import { markedOf, markedRange, noMarking, toggledAll, toggledRow } from './marking.ts'

const ids = ['a', 'b', 'c', 'd']

describe('marking rows', () => {
  it('adds and removes one row, which a range then begins at', () => {
    const one = toggledRow(noMarking, 'b')
    expect(one).toEqual({ marked: new Set(['b']), anchor: 'b' })
    expect(toggledRow(one, 'b')).toEqual({ marked: new Set(), anchor: 'b' })
    expect(markedRange(one, ids, 'd').marked).toEqual(new Set(['b', 'c', 'd']))
  })

  it('turns a range around at its anchor', () => {
    const down = markedRange(toggledRow(noMarking, 'b'), ids, 'd')
    expect(markedRange(down, ids, 'a')).toEqual({ marked: new Set(['a', 'b']), anchor: 'b' })
  })

  it('begins a range at its end if nothing was marked or the anchor is not shown', () => {
    expect(markedRange(noMarking, ids, 'c')).toEqual({ marked: new Set(['c']), anchor: 'c' })
    expect(markedRange({ marked: new Set(['x']), anchor: 'x' }, ids, 'c').marked).toEqual(
      new Set(['c']),
    )
  })

  it('marks all rows, and none if all are marked', () => {
    const all = toggledAll(noMarking, ids)
    expect(all.marked).toEqual(new Set(ids))
    expect(toggledAll(all, ids)).toEqual(noMarking)
  })

  it('counts only rows that are shown, in their order', () => {
    expect(markedOf(ids, new Set(['gone', 'd', 'a']))).toEqual(['a', 'd'])
  })
})
