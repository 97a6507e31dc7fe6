import { describe, expect, it } from 'vitest'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import type { Log } from '../../kubelet/ports.ts'
import { silentLog } from '../fake-client.ts'
import { ControlQueue, repeat } from './control-loop.ts'

describe('the queue of a controller', () => {
  it('handles keys one after the other, and a waiting one once with all its causes', async () => {
    const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
    const handled: unknown[] = []
    const handle = (key: string, causes: readonly number[]): Promise<void> => {
      handled.push([key, causes, clock.now()])
      return new Promise((resolve) => clock.after(10, resolve))
    }
    const queue = new ControlQueue({ handle, log: silentLog })
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

  it('goes on after a handler that throws, and logs it', async () => {
    const errors: unknown[] = []
    const log: Log = { ...silentLog, error: (_, fields) => errors.push(fields?.['key']) }
    const handled: string[] = []
    const handle = async (key: string): Promise<void> => {
      await Promise.resolve()
      if (key === 'bad') throw new Error('boom')
      handled.push(key)
    }
    const queue = new ControlQueue({ handle, log })
    queue.add('bad', [])
    queue.add('good', [])
    await nodeClockHost.turn()
    expect([handled, errors]).toEqual([['good'], ['bad']])
  })

  it('takes nothing after its stop', async () => {
    const handled: string[] = []
    const handle = async (key: string): Promise<void> => {
      handled.push(key)
      await Promise.resolve()
    }
    const queue = new ControlQueue({ handle, log: silentLog })
    queue.add('a', [])
    queue.add('b', [])
    queue.stop()
    queue.add('c', [])
    await nodeClockHost.turn()
    expect(handled).toEqual(['a'])
  })
})

describe('a repeated act', () => {
  it('comes again a period after it has ended, also when it fails, until it is stopped', async () => {
    const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
    const at: number[] = []
    const act = async (): Promise<void> => {
      at.push(clock.now())
      await new Promise<void>((resolve) => clock.after(3, resolve))
      throw new Error('boom')
    }
    const stop = repeat(clock, 10, act, silentLog)
    await clock.advance(40)
    stop()
    await clock.advance(40)
    expect(at).toEqual([10, 23, 36])
    expect(clock.pendingTimers).toBe(0)
  })
})
