import { describe, expect, it } from 'vitest'
import { UpdateSignal } from './update-signal.ts'

function setUp() {
  const woken: string[] = []
  const bell = new UpdateSignal('u', (uid, rung) => {
    expect(rung).toBe(bell)
    woken.push(uid)
  })
  return { bell, woken }
}

describe('Bell', () => {
  it('wakes a worker, which takes the ring', () => {
    const { bell, woken } = setUp()
    bell.send()
    expect(woken).toEqual(['u'])
    expect(bell.receive()).toBe(true)
    expect(bell.receive()).toBe(false)
  })

  it('keeps one signal, however often it was sent, and wakes the worker once', () => {
    const { bell, woken } = setUp()
    bell.send()
    bell.send()
    expect(bell.receive()).toBe(true)
    expect(bell.receive()).toBe(false)
    expect(woken).toEqual(['u'])
  })

  it('does not lose a ring that comes while the worker is busy', () => {
    const { bell, woken } = setUp()
    bell.send()
    bell.receive()
    bell.send()
    expect(bell.receive()).toBe(true)
    expect(woken).toEqual(['u'])
  })

  it('wakes a worker again once it has found no ring', () => {
    const { bell, woken } = setUp()
    bell.send()
    bell.receive()
    bell.receive()
    bell.send()
    expect(woken).toEqual(['u', 'u'])
  })

  it('does not wake a worker that left without receiving again', () => {
    const { bell, woken } = setUp()
    bell.send()
    bell.receive()
    bell.send()
    bell.send()
    expect(woken).toEqual(['u'])
  })

  it('gives out a ring that was there before it was closed', () => {
    const { bell } = setUp()
    bell.send()
    bell.close()
    expect(bell.isClosed).toBe(true)
    expect(bell.receive()).toBe(true)
    expect(bell.receive()).toBe(false)
  })

  it('forgets a ring that was drained', () => {
    const { bell } = setUp()
    bell.send()
    bell.drain()
    expect(bell.receive()).toBe(false)
  })
})
