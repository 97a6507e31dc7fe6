import { describe, expect, it } from 'vitest'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { WorkQueue } from './work-queue.ts'

function setUp() {
  const clock = new VirtualClock(nodeClockHost, { startAt: 1000 })
  return { clock, queue: new WorkQueue({ clock }) }
}

describe('WorkQueue', () => {
  it('leaves what is due at this very moment until later', async () => {
    const { clock, queue } = setUp()
    queue.enqueue('a', 0, [1])
    expect(queue.getWork()).toEqual([])
    expect(queue.dueAt('a')).toBe(1000)
    await clock.advance(1)
    expect(queue.getWork()).toEqual([{ uid: 'a', causes: [1] }])
  })

  it('hands out what is past its time, once, with its causes', async () => {
    const { clock, queue } = setUp()
    queue.enqueue('a', 100, [1])
    queue.enqueue('b', 200, [2])
    queue.enqueue('c', 0, [])
    await clock.advance(1)
    expect(queue.getWork()).toEqual([{ uid: 'c', causes: [] }])
    await clock.advance(99)
    expect(queue.getWork()).toEqual([])
    await clock.advance(1)
    expect(queue.getWork()).toEqual([{ uid: 'a', causes: [1] }])
    expect(queue.getWork()).toEqual([])
    expect(queue.dueAt('a')).toBeUndefined()
    expect(queue.dueAt('b')).toBe(1200)
  })

  it('keeps one due time per uid: the last one, even when it is later', async () => {
    const { clock, queue } = setUp()
    queue.enqueue('a', 100, [1])
    queue.enqueue('a', 500, [2])
    await clock.advance(400)
    expect(queue.getWork()).toEqual([])
    queue.enqueue('a', 10, [3])
    await clock.advance(11)
    expect(queue.getWork()).toEqual([{ uid: 'a', causes: [3] }])
  })
})
