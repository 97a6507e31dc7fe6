import { describe, expect, it } from 'vitest'
import {
  clockText,
  countOf,
  countText,
  fullTimeText,
  lastingText,
  preciseClockText,
  graceLeft,
  secondsLeft,
} from './time.ts'
import { fitName, shortUid, splitName } from './uid.ts'
import { workerRank, workerWord } from './worker-word.ts'

const now = Date.UTC(2026, 10, 21, 14, 2, 31, 480)

describe('times', () => {
  it('are UTC, short in a line and whole in a tooltip', () => {
    expect([clockText(now), preciseClockText(now), fullTimeText(now)]).toEqual([
      '14:02:31',
      '14:02:31.480',
      '2026-11-21 14:02:31 UTC',
    ])
  })

  it.each([
    [now + 21_000, 21],
    [now + 20_001, 21],
    [now + 1, 1],
    [now, 0],
    [now - 5000, 0],
  ])('counts down to %s', (until, left) => {
    expect(secondsLeft(until, now)).toBe(left)
  })

  it.each([
    ['before it began, by a clock that is behind', now - 300, 30],
    ['at its beginning', now, 30],
    ['half way', now + 15_000, 15],
    ['after SIGKILL', now + 31_000, 0],
  ])('counts a grace down %s', (_, at, left) => {
    expect(graceLeft({ startedAt: now, killAt: now + 30_000 }, at)).toBe(left)
  })

  it.each([
    [-1, '0 s'],
    [45_900, '45 s'],
    [119_000, '119 s'],
    [120_000, '2m'],
    [3_600_000 * 4, '4h'],
  ])('has lasted %s ms: %s', (milliseconds, text) => {
    expect(lastingText(milliseconds)).toBe(text)
  })

  it.each([
    [0, '0'],
    [999, '999'],
    [18_204, '18\u00a0204'],
    [1_234_567, '1\u00a0234\u00a0567'],
  ])('writes %s as %s', (count, text) => {
    expect(countText(count)).toBe(text)
  })

  it('counts small numbers in words', () => {
    expect([countOf(0, 'pod'), countOf(1, 'pod'), countOf(2, 'pod'), countOf(40, 'pod')]).toEqual([
      'no pods',
      'one pod',
      'two pods',
      '40 pods',
    ])
  })
})

describe('names and UIDs', () => {
  it('are cut where they say least', () => {
    expect(splitName('checkout-7d4b9c6f8-k2x8p', 'node-1')).toEqual({
      head: 'checkout',
      middle: '-7d4b9c6f8',
      tail: '-k2x8p',
    })
    expect(splitName('web-node-1', 'node-1')).toEqual({ head: 'web', middle: '-node-1', tail: '' })
    expect(splitName('node-1', 'node-1')).toEqual({ head: 'node-1', middle: '', tail: '' })
    expect(splitName('worker-0', 'node-1')).toEqual({ head: 'worker-0', middle: '', tail: '' })
  })

  it('leave out the middle where room is short, and nothing else', () => {
    const parts = splitName('checkout-7d4b9c6f8-k2x8p', 'node-1')
    expect([fitName(parts, 24), fitName(parts, 23), fitName(parts, 3)]).toEqual([
      'checkout-7d4b9c6f8-k2x8p',
      'checkout-…-k2x8p',
      'checkout-…-k2x8p',
    ])
    expect(fitName(splitName('worker-0', 'node-1'), 3)).toBe('worker-0')
  })

  it('are short as 8 first and 4 last, unless they are short already', () => {
    expect(shortUid('327704f2-a792-473d-8fe8-96e6f6ac8d1a')).toBe('327704f2…8d1a')
    expect(shortUid('uid-of-hello')).toBe('uid-of-hello')
  })
})

describe('worker states', () => {
  it('have words and an order, what is under way first', () => {
    const states = ['SyncPod', 'none', 'waiting', 'finished', 'TerminatingPod'] as const
    expect(
      states.toSorted((left, right) => workerRank(left) - workerRank(right)).map(workerWord),
    ).toEqual(['TerminatingPod', 'waiting to start', 'no worker', 'finished', 'SyncPod'])
  })
})
