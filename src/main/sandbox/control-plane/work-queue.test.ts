import { describe, expect, it } from 'vitest'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import type { Log } from '../../kubelet/ports.ts'
import { silentLog } from '../fake-client.ts'
import { WorkQueue, repeat } from './work-queue.ts'

describe('the queue of a controller', () => {
  it('handles keys one after the other, and a waiting key once with all its causes', async () => {
    const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
    const handled: unknown[] = []
    const handle = (key: string, causes: readonly number[]): Promise<void> => {
      handled.push([key, causes, clock.now()])
      return new Promise((resolve) => clock.after(10, resolve))
    }
    const queue = new WorkQueue({ handle, clock, log: silentLog })
    queue.add('a', [1])
    queue.add('b', [2])
    queue.add('b', [3, 2])
    queue.add('a', [4])
    await clock.advance(100)
    expect(handled).toEqual([
      ['a', [1], 0],
      ['b', [2, 3], 10],
      ['a', [4], 20],
    ])
  })

  it('logs a handler that throws, and continues', async () => {
    const errors: unknown[] = []
    const log: Log = { ...silentLog, error: (_, fields) => errors.push(fields?.['key']) }
    const handled: string[] = []
    const handle = async (key: string): Promise<void> => {
      await Promise.resolve()
      if (key === 'bad') throw new Error('boom')
      handled.push(key)
    }
    const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
    const queue = new WorkQueue({ handle, clock, log })
    queue.add('bad', [])
    queue.add('good', [])
    await nodeClockHost.turn()
    expect([handled, errors]).toEqual([['good'], ['bad']])
  })

  it('accepts no keys after its stop', async () => {
    const handled: string[] = []
    const handle = async (key: string): Promise<void> => {
      handled.push(key)
      await Promise.resolve()
    }
    const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
    const queue = new WorkQueue({ handle, clock, log: silentLog })
    queue.add('a', [])
    queue.add('b', [])
    queue.addAfter('d', [], 10)
    queue.stop()
    queue.add('c', [])
    queue.addAfter('e', [], 10)
    await clock.advance(20)
    expect([handled, clock.pendingTimers]).toEqual([['a'], 0])
  })

  it('adds a key later, once: the soonest time counts, and none if it is handled before', async () => {
    const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
    const handled: unknown[] = []
    const handle = async (key: string, causes: readonly number[]): Promise<void> => {
      handled.push([key, causes, clock.now()])
      await Promise.resolve()
    }
    const queue = new WorkQueue({ handle, clock, log: silentLog })
    queue.addAfter('a', [1], 10)
    queue.addAfter('a', [2], 30)
    queue.addAfter('b', [3], 10)
    queue.add('b', [4])
    await clock.advance(100)
    expect(handled).toEqual([
      ['b', [4], 0],
      ['a', [1], 10],
    ])
  })

  it('adds a failed key with growing delays up to a limit, until it is forgotten', async () => {
    const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
    const tries: number[] = []
    const handle = async (key: string): Promise<void> => {
      tries.push(clock.now())
      if (tries.length === 5) queue.forget(key)
      if (tries.length < 7) queue.addRateLimited(key, [])
      await Promise.resolve()
    }
    const backOff = { baseMs: 1000, maxMs: 4000 }
    const queue = new WorkQueue({ handle, clock, log: silentLog, backOff })
    queue.add('a', [])
    await clock.advance(60_000)
    expect(tries).toEqual([0, 1000, 3000, 7000, 11_000, 12_000, 14_000])
  })
})

describe('repeat', () => {
  it('calls again a period after the last call ended, even if it failed, until it is stopped', async () => {
    const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
    const at: number[] = []
    const act = async (): Promise<void> => {
      at.push(clock.now())
      await new Promise<void>((resolve) => clock.after(3, resolve))
      throw new Error('boom')
    }
    const stop = repeat({ clock, log: silentLog }, 10, act)
    await clock.advance(40)
    stop()
    await clock.advance(40)
    expect(at).toEqual([10, 23, 36])
    expect(clock.pendingTimers).toBe(0)
  })
})
