import { describe, expect, it } from 'vitest'
import { text } from '../../text/text.ts'
import { clockFace, isBehind, leadText, offeredSpeeds } from './clock-display.ts'

const now = Date.UTC(2026, 10, 21, 14, 2, 31, 480)
const clock = { now, virtual: true, paused: false, speed: 1, achieved: null }

describe('the digits of the clock', () => {
  it.each([
    ['to the millisecond while the clock is paused', { ...clock, paused: true }, false, '.480'],
    ['to the tenth while it runs', clock, false, '.4'],
    ['to the tenth at 10×', { ...clock, speed: 10 }, false, '.4'],
    ['to the second where tenths would flicker', { ...clock, speed: 60 }, false, ''],
    ['to the second with reduced motion', clock, true, ''],
    [
      'to the millisecond with reduced motion, while the clock is paused',
      { ...clock, paused: true },
      true,
      '.480',
    ],
  ])('are shown %s', (_when, view, isStill, fraction) => {
    expect(clockFace(now, view, isStill)).toEqual({ seconds: '14:02:31', fraction })
  })

  it('come with the speeds of the bar and the current speed', () => {
    expect(offeredSpeeds(1)).toEqual([0.1, 1, 10, 60, 1000])
    expect(offeredSpeeds(5)).toEqual([0.1, 1, 5, 10, 60, 1000])
  })
})

describe('the speed that the machine reaches', () => {
  it.each([
    [1000, 60, true],
    [1000, 899, true],
    [1000, 950, false],
    [60, null, false],
    [1, 1, false],
  ])('at %d×, reaching %d×, is behind: %s', (speed, achieved, expected) => {
    expect(isBehind({ ...clock, speed, achieved })).toBe(expected)
    expect(isBehind({ ...clock, speed, achieved, paused: true })).toBe(false)
  })
})

describe('the lead over the wall clock', () => {
  it('appears from two seconds on, printed as kubectl prints ages', () => {
    expect(leadText(now + 2000, now)).toBe('')
    expect(leadText(now - 60_000, now)).toBe('')
    expect(leadText(now + 2001, now)).toBe('2s')
    expect(leadText(now + 11_520_000, now)).toBe('3h12m')
  })

  it('explains which ages of kubectl it changes', () => {
    expect(text.frame.clock.aheadNote('3h12m')).toContain('kubectl get shows the server’s ages')
    expect(text.frame.clock.aheadNote('3h12m')).toContain(
      'they are 3h12m less, and <invalid> for the last 3h12m.',
    )
  })
})
