import { describe, expect, it } from 'vitest'
import { durationNs, formatDuration, parseDuration } from './duration.ts'

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

describe('durationNs', () => {
  it.each([
    ['0', 0],
    ['-0', 0],
    ['1m30s', 90e9],
    ['-1.5h', -5400e9],
    ['+.5us', 500],
    ['1.µs', 1000],
    ['3ns', 3],
  ])('reads %s as %d ns', (text, ns) => {
    const read = durationNs(text)
    expect(read.ok && read.value + 0).toBe(ns)
  })

  // The texts of time.ParseDuration.
  it.each([
    ['', 'time: invalid duration ""'],
    ['-', 'time: invalid duration "-"'],
    ['s', 'time: invalid duration "s"'],
    ['.s', 'time: invalid duration ".s"'],
    ['5', 'time: missing unit in duration "5"'],
    ['1s2', 'time: missing unit in duration "1s2"'],
    ['1d', 'time: unknown unit "d" in duration "1d"'],
    ['1 s', 'time: unknown unit " s" in duration "1 s"'],
    ['9999999999h', 'time: invalid duration "9999999999h"'],
  ])('refuses %j in Go’s words', (text, error) => {
    expect(durationNs(text)).toEqual({ ok: false, error })
  })
})
