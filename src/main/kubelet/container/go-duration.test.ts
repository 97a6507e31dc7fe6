import { describe, expect, it } from 'vitest'
import { formatGoDuration } from './go-duration.ts'

describe('formatGoDuration', () => {
  it.each([
    [0, '0s'],
    [1, '1ms'],
    [999, '999ms'],
    [1000, '1s'],
    [1200, '1.2s'],
    [10_000, '10s'],
    [60_000, '1m0s'],
    [80_000, '1m20s'],
    [300_000, '5m0s'],
    [181_250, '3m1.25s'],
    [7_200_000, '2h0m0s'],
    [-1500, '-1.5s'],
  ])('writes %d ms as %s', (ms, text) => {
    expect(formatGoDuration(ms)).toBe(text)
  })
})
