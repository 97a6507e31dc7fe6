import { describe, expect, it } from 'vitest'
import { formatDuration, parseDuration } from './duration.ts'

describe('formatDuration', () => {
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
    [-0.4, '0s'],
    [1200.7, '1.2s'],
  ])('writes %d ms as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text)
  })
})

describe('parseDuration', () => {
  it.each([
    ['20s', 20_000],
    ['1m30s', 90_000],
    ['1.5h', 5_400_000],
    ['2h0m0.25s', 7_200_250],
    ['5ms', 5],
  ])('reads %s as %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms)
  })

  it.each(['', '20', 's', '-1s', '1 s', '1d', '1us', '1s2'])('refuses %j', (text) => {
    expect(parseDuration(text)).toBeUndefined()
  })
})
