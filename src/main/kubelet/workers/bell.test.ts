import { describe, expect, it } from 'vitest'
import { Bell } from './bell.ts'

describe('Bell', () => {
  it('wakes who waits', async () => {
    const bell = new Bell()
    const heard = bell.next()
    bell.ring()
    expect(await heard).toBe(true)
  })

  it('keeps one ring, however often it was rung', async () => {
    const bell = new Bell()
    bell.ring()
    bell.ring()
    expect(await bell.next()).toBe(true)
    bell.close()
    expect(await bell.next()).toBe(false)
  })

  it('does not lose a ring between hearing one and waiting for the next', async () => {
    const bell = new Bell()
    bell.ring()
    const first = bell.next()
    await first
    bell.ring()
    expect(await bell.next()).toBe(true)
  })

  it('gives out a ring that was there before it was closed, then ends', async () => {
    const bell = new Bell()
    bell.ring()
    bell.close()
    expect(bell.isClosed).toBe(true)
    expect(await bell.next()).toBe(true)
    expect(await bell.next()).toBe(false)
  })

  it('ends the wait when it is closed', async () => {
    const bell = new Bell()
    const heard = bell.next()
    bell.close()
    expect(await heard).toBe(false)
  })

  it('forgets a ring that was drained', async () => {
    const bell = new Bell()
    bell.ring()
    bell.drain()
    bell.close()
    expect(await bell.next()).toBe(false)
  })
})
