import { describe, expect, it } from 'vitest'
import { movedIndex } from './row-moves.ts'

describe('movedIndex', () => {
  const place = { at: 5, count: 100, pageRows: 20 }
  it.each([
    ['j', place, 6],
    ['ArrowDown', place, 6],
    ['k', place, 4],
    ['ArrowUp', place, 4],
    ['Home', place, 0],
    ['End', place, 99],
    ['PageDown', place, 25],
    ['PageUp', place, 0],
    ['PageDown', { ...place, at: 95 }, 99],
    ['j', { ...place, at: 99 }, 99],
    ['k', { ...place, at: 0 }, 0],
    ['j', { ...place, at: -1 }, 0],
    ['k', { ...place, at: -1 }, 99],
    ['PageDown', { ...place, at: -1 }, 20],
    ['x', place, undefined],
    ['j', { ...place, count: 0, at: -1 }, undefined],
  ])('%s from %j leads to %s', (key, from, to) => {
    expect(movedIndex(key, from)).toBe(to)
  })
})
