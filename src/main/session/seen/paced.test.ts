import { describe, expect, it } from 'vitest'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { Paced } from './paced.ts'

function start() {
  const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  const calls: number[] = []
  const paced = new Paced({ clock, everyMs: 500, call: () => calls.push(clock.now()) })
  return { clock, calls, paced }
}

describe('paced calls', () => {
  it('come at once, then once in each interval, the last touch too', async () => {
    const { clock, calls, paced } = start()
    for (let times = 0; times < 120; times++) {
      paced.touch()
      await clock.advance(10)
    }
    expect(calls).toEqual([0, 500, 1000])
    await clock.advance(1000)
    expect(calls).toEqual([0, 500, 1000, 1500])
    paced.touch()
    expect(calls.at(-1)).toBe(2200)
  })

  it('end with stop', async () => {
    const { clock, calls, paced } = start()
    paced.touch()
    paced.touch()
    paced.stop()
    await clock.advance(1000)
    expect(calls).toEqual([0])
  })
})
