import { describe, expect, it } from 'vitest'
import { nodeClockHost } from './node-clock-host.ts'
import { VirtualClock } from './virtual-clock.ts'
import type { ClockHost } from './virtual-clock.ts'

function pausedClock(startAt = 0): VirtualClock {
  return new VirtualClock(nodeClockHost, { startAt })
}

describe('VirtualClock', () => {
  it('fires by time, then by insertion, each at its own time', async () => {
    const clock = pausedClock(1000)
    const fired: string[] = []
    clock.after(20, () => fired.push(`b@${clock.now()}`))
    clock.after(10, () => fired.push(`a@${clock.now()}`))
    clock.after(20, () => fired.push(`c@${clock.now()}`))
    await clock.advance(30)
    expect(fired).toEqual(['a@1010', 'b@1020', 'c@1020'])
    expect(clock.now()).toBe(1030)
  })

  it('shows views where real time has brought it, at most to the next timer, without advancing', () => {
    let real = 0
    const clock = new VirtualClock(
      { ...nodeClockHost, realNow: () => real, wakeAfter: () => () => undefined },
      { startAt: 1000 },
    )
    clock.after(500, () => undefined)
    clock.run()
    real = 200
    expect(clock.present).toBe(1200)
    expect(clock.now()).toBe(1000)
    real = 900
    expect(clock.present).toBe(1500)
    clock.pause()
    real = 2000
    expect(clock.present).toBe(1500)
    expect(clock.now()).toBe(1500)
  })

  it('measures the speed that the machine reaches, where each timer takes real time', async () => {
    let real = 0
    const host: ClockHost = {
      realNow: () => real,
      drained: () => {
        real += 16
        return Promise.resolve()
      },
      turn: nodeClockHost.turn,
      wakeAfter: (realMs, fn) =>
        nodeClockHost.wakeAfter(0, () => {
          real += realMs
          fn()
        }),
    }
    const clock = new VirtualClock(host, { startAt: 0 })
    clock.setSpeed(1000)
    expect(clock.achievedSpeed).toBeNull()
    const measured = new Promise<number | null>((resolve) => {
      const tick = (): void => {
        if (real > 3000) resolve(clock.achievedSpeed)
        else clock.after(1000, tick)
      }
      clock.after(1000, tick)
    })
    clock.run()
    // A timer a second takes 16 ms: 62.5, give or take one reading.
    expect(Number((await measured)?.toPrecision(1))).toBe(60)
    clock.pause()
    expect(clock.achievedSpeed).toBeNull()
  })

  it('reaches the speed that it follows while no timer is due', () => {
    let real = 0
    const clock = new VirtualClock(
      { ...nodeClockHost, realNow: () => real, wakeAfter: () => () => undefined },
      { startAt: 0 },
    )
    clock.run()
    clock.after(60_000, () => undefined)
    clock.setSpeed(10)
    real = 2000
    expect(clock.achievedSpeed).toBe(10)
  })

  it('lets a long chain of promises settle before the next timer, even one due at the same time', async () => {
    const clock = pausedClock()
    const order: string[] = []
    clock.after(5, () => {
      void (async () => {
        for (let step = 0; step < 1000; step++) await Promise.resolve()
        order.push('chain')
      })()
    })
    clock.after(5, () => order.push('second'))
    await clock.advance(5)
    expect(order).toEqual(['chain', 'second'])
  })

  it('fires timers that were set while time advances', async () => {
    const clock = pausedClock()
    let ticks = 0
    const tick = (): void => {
      ticks++
      clock.after(1000, tick)
    }
    clock.after(1000, tick)
    await clock.advance(10_500)
    expect(ticks).toBe(10)
  })

  it('does not fire what was cancelled, and a late cancel does nothing', async () => {
    const clock = pausedClock()
    const fired: string[] = []
    const cancelA = clock.after(1, () => fired.push('a'))
    const cancelB = clock.after(2, () => fired.push('b'))
    cancelA()
    await clock.advance(5)
    cancelB()
    expect(fired).toEqual(['b'])
    expect(clock.pendingTimers).toBe(0)
  })

  it('waits for a hold before the next timer', async () => {
    const clock = pausedClock()
    const order: string[] = []
    clock.after(1, () => {
      const release = clock.hold()
      setTimeout(() => {
        order.push('io done')
        release()
        release()
      }, 5)
    })
    clock.after(2, () => order.push('next'))
    await clock.advance(3)
    expect(order).toEqual(['io done', 'next'])
  })

  it('steps one timer at a time', async () => {
    const clock = pausedClock()
    clock.after(10, () => undefined)
    clock.after(25, () => undefined)
    expect(await clock.step()).toBe(true)
    expect(clock.now()).toBe(10)
    expect(await clock.step()).toBe(true)
    expect(clock.now()).toBe(25)
    expect(await clock.step()).toBe(false)
  })

  it('follows real time at its speed, and stands still while paused', async () => {
    let real = 0
    let wake: { readonly at: number; readonly fn: () => void } | undefined
    const host: ClockHost = {
      ...nodeClockHost,
      realNow: () => real,
      wakeAfter: (ms, fn) => {
        const mine = { at: real + ms, fn }
        wake = mine
        return () => {
          if (wake === mine) wake = undefined
        }
      },
    }
    const clock = new VirtualClock(host, { startAt: 0 })
    const fired: number[] = []
    clock.after(1000, () => fired.push(clock.now()))
    clock.setSpeed(10)
    clock.run()
    expect(wake?.at).toBe(100)
    real = 50
    expect(clock.catchUp()).toBe(500)
    clock.pause()
    real = 500
    expect(clock.catchUp()).toBe(500)
    expect(wake).toBeUndefined()
    clock.run()
    expect(wake?.at).toBe(550)
    real = 551
    wake?.fn()
    await nodeClockHost.turn()
    expect(fired).toEqual([1000])
  })

  it('stamps what comes from outside at most with the time of the next timer', () => {
    let real = 0
    const clock = new VirtualClock(
      { ...nodeClockHost, realNow: () => real, wakeAfter: () => () => undefined },
      { startAt: 0 },
    )
    clock.after(100, () => undefined)
    clock.run()
    real = 5000
    expect(clock.catchUp()).toBe(100)
  })

  it('hands an error of a timer on and goes on', async () => {
    const errors: unknown[] = []
    const clock = new VirtualClock(nodeClockHost, {
      startAt: 0,
      onError: (error) => errors.push(error),
    })
    let hasFired = false
    clock.after(1, () => {
      throw new Error('boom')
    })
    clock.after(2, () => {
      hasFired = true
    })
    await clock.advance(3)
    expect(errors).toHaveLength(1)
    expect(hasFired).toBe(true)
  })
})
