import { describe, expect, it } from 'vitest'
import { isEmptyValue, isSemanticallyEqual } from './semantic-equality.ts'

describe('isEmptyValue', () => {
  it.each([
    [undefined, true],
    [null, true],
    ['', true],
    [[], true],
    [{}, true],
    [{ a: { b: [] } }, true],
    [0, false],
    [false, false],
    ['x', false],
    [[{}], false],
    [{ a: 0 }, false],
    [{ state: { running: {} } }, false],
  ])('of %j is %s', (value, expected) => {
    expect(isEmptyValue(value)).toBe(expected)
  })
})

describe('isSemanticallyEqual', () => {
  it.each([
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [{ a: 1, b: undefined, c: null, d: '', e: [], f: {} }, { a: 1 }],
    [[{ lastState: {} }], [{}]],
    [undefined, {}],
    ['x', 'x'],
  ])('takes %j for %j', (a, b) => {
    expect(isSemanticallyEqual(a, b)).toBe(true)
    expect(isSemanticallyEqual(b, a)).toBe(true)
  })

  it.each([
    [{ a: 1 }, { a: 2 }],
    [{ state: { running: {} } }, { state: {} }],
    [{ state: { running: {} } }, { state: { waiting: {} } }],
    [{ a: false }, {}],
    [{ a: 0 }, {}],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 1]],
    [{ a: 'x' }, { a: ['x'] }],
    [[], [undefined]],
  ])('distinguishes %j from %j', (a, b) => {
    expect(isSemanticallyEqual(a, b)).toBe(false)
    expect(isSemanticallyEqual(b, a)).toBe(false)
  })
})
