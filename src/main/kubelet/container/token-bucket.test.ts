import { describe, expect, it } from 'vitest'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { TokenBucket } from './token-bucket.ts'

function accepted(bucket: TokenBucket, tries: number): number {
  let count = 0
  for (let index = 0; index < tries; index++) if (bucket.tryAccept()) count++
  return count
}

describe('TokenBucket', () => {
  it('lets a burst through, then as many as the rate refills', async () => {
    const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
    const bucket = new TokenBucket({ clock, qps: 5, burst: 10 })
    expect(accepted(bucket, 20)).toBe(10)
    expect(bucket.waitMs()).toBe(200)
    await clock.advance(199)
    expect(accepted(bucket, 5)).toBe(0)
    await clock.advance(1)
    expect(accepted(bucket, 5)).toBe(1)
    await clock.advance(1000)
    expect(accepted(bucket, 20)).toBe(5)
  })

  it('never holds more than the burst', async () => {
    const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
    const bucket = new TokenBucket({ clock, qps: 50, burst: 3 })
    await clock.advance(60_000)
    expect(accepted(bucket, 10)).toBe(3)
  })

  it('refills a slow rate after a long time, in spite of rounding', async () => {
    const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
    const bucket = new TokenBucket({ clock, qps: 1 / 300, burst: 1 })
    expect(accepted(bucket, 1)).toBe(1)
    for (let second = 0; second < 299; second++) {
      await clock.advance(1000)
      expect(accepted(bucket, 1)).toBe(0)
    }
    await clock.advance(1000)
    expect(accepted(bucket, 1)).toBe(1)
  })
})
