import { describe, expect, it } from 'vitest'
import { ageSince, humanDuration, timeOf } from './age.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

describe('humanDuration', () => {
  // The table of apimachinery pkg/util/duration/duration_test.go, and the edges around each step.
  it.each([
    [-2 * second, '<invalid>'],
    [-1999, '0s'],
    [-1, '0s'],
    [0, '0s'],
    [999, '0s'],
    [second, '1s'],
    [70 * second, '70s'],
    [119 * second + 999, '119s'],
    [2 * minute, '2m'],
    [2 * minute + second, '2m1s'],
    [9 * minute + 59 * second, '9m59s'],
    [10 * minute, '10m'],
    [179 * minute + 59 * second, '179m'],
    [3 * hour, '3h'],
    [3 * hour + 5 * minute, '3h5m'],
    [7 * hour + 59 * minute, '7h59m'],
    [8 * hour + 59 * minute, '8h'],
    [47 * hour, '47h'],
    [2 * day, '2d'],
    [2 * day + 23 * hour, '2d23h'],
    [7 * day + 23 * hour, '7d23h'],
    [8 * day + 23 * hour, '8d'],
    [729 * day, '729d'],
    [730 * day, '2y'],
    [2 * 365 * day + 23 * hour, '2y'],
    [2 * 365 * day + day, '2y1d'],
    [8 * 365 * day - hour, '7y364d'],
    [8 * 365 * day + 364 * day, '8y'],
    [9 * 365 * day, '9y'],
  ])('prints %i ms as %s', (milliseconds, text) => {
    expect(humanDuration(milliseconds)).toBe(text)
  })
})

describe('ageSince', () => {
  const now = Date.UTC(2026, 0, 1, 12, 0, 0)

  it.each([
    ['2026-01-01T11:55:00Z', '5m'],
    ['2026-01-01T11:55:00.500000Z', '4m59s'],
    ['2026-01-01T12:55:00+01:00', '5m'],
    ['2026-01-01T12:05:00Z', '<invalid>'],
    [null, '<unknown>'],
    [undefined, '<unknown>'],
    ['yesterday', '<unknown>'],
  ])('of %s is %s', (timestamp, text) => {
    expect(ageSince(timestamp, now)).toBe(text)
  })

  it('reads times with the nine digits that Go writes', () => {
    expect(timeOf('2026-01-01T12:00:00.123456789Z')).toBe(now + 123)
  })
})
