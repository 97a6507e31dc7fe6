import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeNow } from '../../bridge/fake-views.ts'
import { ClusterClocks } from './cluster-clocks.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})
afterEach(() => {
  vi.useRealTimers()
})

function clocksAt(now: number, speed = 1, paused = false): ClusterClocks {
  const clocks = new ClusterClocks({ monotonic: () => Date.now() })
  clocks.set('sandbox', { now, virtual: true, paused, speed, achieved: null })
  return clocks
}

const whole = Math.floor(fakeNow / 1000) * 1000

describe('ClusterClocks', () => {
  it('advances time at the speed that the machine reaches, not at the chosen speed', () => {
    const clocks = new ClusterClocks({ monotonic: () => Date.now() })
    const view = { now: whole, virtual: true, paused: false, speed: 1000, achieved: 60 }
    clocks.set('sandbox', view)
    vi.advanceTimersByTime(100)
    expect(clocks.precise('sandbox')).toBe(whole + 6000)
  })

  it('has no time for a cluster that has sent none', () => {
    expect(new ClusterClocks({ monotonic: () => 0 }).now('other')).toBeUndefined()
  })

  it('ticks just after each whole second of the cluster while it has listeners', () => {
    const clocks = clocksAt(whole + 480)
    const seen: (number | undefined)[] = []
    const leave = clocks.subscribe(() => seen.push(clocks.now('sandbox')))
    vi.advanceTimersByTime(524)
    expect(seen).toEqual([])
    vi.advanceTimersByTime(1)
    expect(seen).toEqual([whole + 1005])
    vi.advanceTimersByTime(1000)
    expect(seen).toEqual([whole + 1005, whole + 2005])
    leave()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('runs as fast as the cluster, but ticks at most five times a second', () => {
    const clocks = clocksAt(whole, 60)
    let ticks = 0
    clocks.subscribe(() => ticks++)
    vi.advanceTimersByTime(1000)
    expect(ticks).toBe(5)
    expect(clocks.now('sandbox')).toBeGreaterThan(whole + 48_000)
  })

  it('stops while the cluster is paused', () => {
    const clocks = clocksAt(whole, 1, true)
    clocks.subscribe(() => undefined)
    vi.advanceTimersByTime(5000)
    expect(clocks.now('sandbox')).toBe(whole)
  })

  it('does not go back for the jitter of a patch', () => {
    const clocks = clocksAt(whole)
    clocks.subscribe(() => undefined)
    vi.advanceTimersByTime(1005)
    clocks.sync('sandbox', whole + 900)
    expect(clocks.now('sandbox')).toBe(whole + 1005)
    vi.advanceTimersByTime(1104)
    expect(clocks.now('sandbox')).toBe(whole + 1005)
    vi.advanceTimersByTime(1)
    expect(clocks.now('sandbox')).toBe(whole + 2005)
  })

  it('ticks even if patches come faster', () => {
    const clocks = clocksAt(whole)
    let ticks = 0
    clocks.subscribe(() => ticks++)
    for (let at = 33; at <= 3300; at += 33) {
      vi.advanceTimersByTime(33)
      clocks.sync('sandbox', whole + at)
    }
    expect(ticks).toBe(3)
  })

  it('follows a jump immediately, in both directions', () => {
    const clocks = clocksAt(whole)
    let calls = 0
    clocks.subscribe(() => calls++)
    clocks.sync('sandbox', whole + 3_600_000)
    expect(clocks.now('sandbox')).toBe(whole + 3_600_000)
    clocks.sync('sandbox', whole)
    expect(clocks.now('sandbox')).toBe(whole)
    expect(calls).toBe(2)
  })
})
