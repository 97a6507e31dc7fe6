import { describe, expect, it } from 'vitest'
import { goFloat } from './float.ts'

describe('goFloat', () => {
  // As Go 1.25 printed them.
  it.each([
    [0, '0'],
    [0.00001, '1e-05'],
    [0.0001, '0.0001'],
    [0.00012345, '0.00012345'],
    [0.1, '0.1'],
    [12, '12'],
    [-3, '-3'],
    [999_999, '999999'],
    [1e6, '1e+06'],
    [12_345_678.5, '1.23456785e+07'],
    [1e22, '1e+22'],
    [2.5e-7, '2.5e-07'],
    [1_732_214_567.123, '1.732214567123e+09'],
    [Number.POSITIVE_INFINITY, '+Inf'],
    [Number.NEGATIVE_INFINITY, '-Inf'],
    [Number.NaN, 'NaN'],
  ])('writes %s as %s', (value, text) => {
    expect(goFloat(value)).toBe(text)
  })
})
