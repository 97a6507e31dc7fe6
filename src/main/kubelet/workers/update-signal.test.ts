import { describe, expect, it } from 'vitest'
import { UpdateSignal } from './update-signal.ts'

function setUp() {
  const woken: string[] = []
  const signal = new UpdateSignal('u', (uid, sent) => {
    expect(sent).toBe(signal)
    woken.push(uid)
  })
  return { signal, woken }
}

describe('UpdateSignal', () => {
  it('wakes a worker, which receives the signal', () => {
    const { signal, woken } = setUp()
    signal.send()
    expect(woken).toEqual(['u'])
    expect(signal.receive()).toBe(true)
    expect(signal.receive()).toBe(false)
  })

  it('keeps one signal, however often it was sent, and wakes the worker once', () => {
    const { signal, woken } = setUp()
    signal.send()
    signal.send()
    expect(signal.receive()).toBe(true)
    expect(signal.receive()).toBe(false)
    expect(woken).toEqual(['u'])
  })

  it('does not lose a signal that comes while the worker is busy', () => {
    const { signal, woken } = setUp()
    signal.send()
    signal.receive()
    signal.send()
    expect(signal.receive()).toBe(true)
    expect(woken).toEqual(['u'])
  })

  it('wakes a worker again once it has found no signal', () => {
    const { signal, woken } = setUp()
    signal.send()
    signal.receive()
    signal.receive()
    signal.send()
    expect(woken).toEqual(['u', 'u'])
  })

  it('does not wake a worker that left without receiving again', () => {
    const { signal, woken } = setUp()
    signal.send()
    signal.receive()
    signal.send()
    signal.send()
    expect(woken).toEqual(['u'])
  })

  it('delivers a signal that was sent before it was closed', () => {
    const { signal } = setUp()
    signal.send()
    signal.close()
    expect(signal.isClosed).toBe(true)
    expect(signal.receive()).toBe(true)
    expect(signal.receive()).toBe(false)
  })

  it('discards a drained signal', () => {
    const { signal } = setUp()
    signal.send()
    signal.drain()
    expect(signal.receive()).toBe(false)
  })
})
