import { describe, expect, it } from 'vitest'
import { deepEqual } from './deep-equal.ts'

describe('deepEqual', () => {
  it.each([
    [1, 1],
    ['a', 'a'],
    [null, null],
    [{}, {}],
    [
      { a: 1, b: [2, { c: 3 }] },
      { b: [2, { c: 3 }], a: 1 },
    ],
    [{ a: undefined }, {}],
    [{}, { a: undefined }],
  ])('%j and %j say the same', (a, b) => {
    expect(deepEqual(a, b)).toBe(true)
  })

  it.each([
    [1, '1'],
    [null, undefined],
    [null, {}],
    [[], {}],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 2]],
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, {}],
    [{}, { a: null }],
    [{ a: { b: 1 } }, { a: { b: 1, c: 2 } }],
  ])('%j and %j differ', (a, b) => {
    expect(deepEqual(a, b)).toBe(false)
  })
})
