import { describe, expect, it } from 'vitest'
import { counted, countOf } from '../text/en/plural.ts'
import { fitName, splitName } from './pod-name.ts'
import {
  clockText,
  countText,
  elapsedShare,
  fullTimeText,
  graceLeft,
  lastingText,
  preciseClockText,
  secondsLeft,
} from './time.ts'
import { workerRanks } from './worker-state.ts'

const now = Date.UTC(2026, 10, 21, 14, 2, 31, 480)

describe('times', () => {
  it('are UTC, short in a line and complete in a tooltip', () => {
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
    ['before its start, on a clock that is behind', now - 300, 30],
    ['at its start', now, 30],
    ['halfway', now + 15_000, 15],
    ['after SIGKILL', now + 31_000, 0],
  ])('counts a grace period down %s', (_, at, left) => {
    expect(graceLeft({ startedAt: now, killAt: now + 30_000 }, at)).toBe(left)
  })

  it.each([
    [-1, '0 s'],
    [45_900, '45 s'],
    [119_000, '119 s'],
    [120_000, '2m'],
    [3_600_000 * 4, '4h'],
  ])('shows %s ms as %s', (milliseconds, text) => {
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

  it.each([
    [500, 0],
    [1000, 0],
    [1250, 0.25],
    [3000, 1],
  ])('at %s ms, the share of 1 s to 2 s that is over is %s', (at, share) => {
    expect(elapsedShare(1000, 2000, at)).toBe(share)
  })

  it('has no share of an empty span before its end, and all of it then', () => {
    expect([elapsedShare(1000, 1000, 999), elapsedShare(1000, 1000, 1000)]).toEqual([0, 1])
  })

  it('counts in figures, and small numbers in words', () => {
    expect([counted(1, 'pod'), counted(1234, 'pod')]).toEqual(['1 pod', '1\u00a0234 pods'])
    expect([countOf(0, 'pod'), countOf(1, 'pod'), countOf(2, 'pod'), countOf(40, 'pod')]).toEqual([
      'no pods',
      'one pod',
      'two pods',
      '40 pods',
    ])
  })
})

describe('pod names', () => {
  it('are split where they say least', () => {
    expect(splitName('checkout-7d4b9c6f8-k2x8p', 'node-1')).toEqual({
      head: 'checkout',
      middle: '-7d4b9c6f8',
      tail: '-k2x8p',
    })
    expect(splitName('web-node-1', 'node-1')).toEqual({ head: 'web', middle: '-node-1', tail: '' })
    expect(splitName('node-1', 'node-1')).toEqual({ head: 'node-1', middle: '', tail: '' })
    expect(splitName('worker-0', 'node-1')).toEqual({ head: 'worker-0', middle: '', tail: '' })
  })

  it('leave out only the middle when they are too long', () => {
    const parts = splitName('checkout-7d4b9c6f8-k2x8p', 'node-1')
    expect([fitName(parts, 24), fitName(parts, 23), fitName(parts, 3)]).toEqual([
      'checkout-7d4b9c6f8-k2x8p',
      'checkout-…-k2x8p',
      'checkout-…-k2x8p',
    ])
    expect(fitName(splitName('worker-0', 'node-1'), 3)).toBe('worker-0')
  })
})

describe('worker states', () => {
  it('have an order, pods that change first', () => {
    const states = ['SyncPod', 'none', 'waiting', 'finished', 'TerminatingPod'] as const
    expect(states.toSorted((left, right) => workerRanks[left] - workerRanks[right])).toEqual([
      'TerminatingPod',
      'waiting',
      'none',
      'finished',
      'SyncPod',
    ])
  })
})
