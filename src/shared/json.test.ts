import { describe, expect, it } from 'vitest'
import { equalJson, withFields } from './json.ts'

describe('two JSON values', () => {
  it.each([
    [
      { a: 1, b: [1, { c: null }] },
      { b: [1, { c: null }], a: 1 },
    ],
    [{ a: 1 }, { a: 1, b: undefined }],
    [{ a: 1, b: undefined }, { a: 1 }],
    [Number.NaN, Number.NaN],
  ])('are equal whatever the order of fields and what is undefined: %j, %j', (one, other) => {
    expect(equalJson(one, other)).toBe(true)
  })

  it.each([
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1, b: 2 }, { a: 1 }],
    [{ a: undefined }, { a: null }],
    [[1, 2], [1]],
    [[], {}],
    [{}, { constructor: 1 }],
    [{ constructor: 1 }, {}],
    [null, {}],
  ])('differ: %j, %j', (one, other) => {
    expect(equalJson(one, other)).toBe(false)
  })
})

it('a copy with fields keeps the order, replaces in place, and takes every name as a name', () => {
  const given: object = JSON.parse('{"b":1,"__proto__":{"c":2},"a":3}')
  const copy = withFields(given, { a: 4, d: 5 })
  expect(JSON.stringify(copy)).toBe('{"b":1,"__proto__":{"c":2},"a":4,"d":5}')
  expect(JSON.stringify(given)).toBe('{"b":1,"__proto__":{"c":2},"a":3}')
})
