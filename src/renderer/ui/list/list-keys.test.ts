import { describe, expect, it } from 'vitest'
import type { ListPlace } from './list-keys.ts'
import { movedIndex } from './list-keys.ts'

describe('a key in a list of a view', () => {
  const place = { at: 5, count: 100, pageRows: 20 }
  it.each<[string, ListPlace, number | undefined]>([
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

describe('a key in a list over the view', () => {
  it.each([
    ['ArrowDown', 0, 1],
    ['ArrowDown', 2, 0],
    ['ArrowUp', 0, 2],
    ['Home', 2, 0],
    ['End', 0, 2],
    ['x', 0, undefined],
  ])('%s from line %i leads to %s', (key, at, to) => {
    expect(movedIndex(key, { at, count: 3 })).toBe(to)
  })

  it('moves to the next name with a word that begins with the letter', () => {
    const names = ['scope-node-1', 'scope-node-2', 'edge-2']
    const typed = (key: string, at: number): number | undefined =>
      movedIndex(key, { at, count: 3, names })
    expect([typed('2', 0), typed('2', 1), typed('E', 0)]).toEqual([1, 2, 2])
    expect([typed('x', 0), typed('Tab', 0), typed(' ', 0)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})
