import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { systemClock } from './system-clock.ts'

const day = 24 * 3600 * 1000

// The one clock that is made of the machine's timers, which Node cuts at 2^31 ms: 24.8 days.
beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

it('waits a hundred days where a timer of the machine cannot, and no shorter', () => {
  let firedAt: number | undefined
  const start = Date.now()
  systemClock.after(100 * day, () => {
    firedAt = Date.now() - start
  })
  vi.advanceTimersByTime(100 * day - 1)
  expect(firedAt).toBeUndefined()
  vi.advanceTimersByTime(1)
  expect(firedAt).toBe(100 * day)
})

it('forgets a long wait that is canceled half way, and takes an invalid delay as 0', () => {
  const fired: string[] = []
  const cancel = systemClock.after(100 * day, () => fired.push('long'))
  systemClock.after(Number.NaN, () => fired.push('nan'))
  vi.advanceTimersByTime(60 * day)
  cancel()
  expect(vi.getTimerCount()).toBe(0)
  expect(fired).toEqual(['nan'])
})
