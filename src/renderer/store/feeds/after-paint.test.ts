import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { afterPaint } from './after-paint.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('afterPaint', () => {
  it('calls back once, after the next frame', () => {
    const frames: (() => void)[] = []
    vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame))
    vi.stubGlobal('cancelAnimationFrame', () => undefined)
    let calls = 0
    afterPaint(() => calls++)
    expect(calls).toBe(0)
    for (const frame of frames) frame()
    vi.advanceTimersByTime(1000)
    expect(calls).toBe(1)
  })

  it('also calls back in a hidden tab, which has no frames', () => {
    vi.stubGlobal('requestAnimationFrame', () => 1)
    vi.stubGlobal('cancelAnimationFrame', () => undefined)
    let calls = 0
    afterPaint(() => calls++)
    vi.advanceTimersByTime(249)
    expect(calls).toBe(0)
    vi.advanceTimersByTime(1)
    expect(calls).toBe(1)
  })
})
