import { describe, expect, it } from 'vitest'
import { RecentCount } from './recent-count.ts'

describe('RecentCount', () => {
  it('counts events in the window, and drops older ones', () => {
    const count = new RecentCount(60_000)
    for (const at of [1000, 1500, 30_000, 60_999]) count.add(at)
    expect(count.count(60_999)).toBe(4)
    expect(count.count(61_000)).toBe(2)
    expect(count.count(90_000)).toBe(1)
    expect(count.count(200_000)).toBe(0)
  })

  it('does not count old events of the same slot', () => {
    const count = new RecentCount(60_000)
    count.add(5000)
    count.add(65_000)
    expect(count.count(65_000)).toBe(1)
  })

  it('does not count future events after the clock is set back', () => {
    const count = new RecentCount(60_000)
    count.add(50_000)
    expect(count.count(10_000)).toBe(0)
  })
})
