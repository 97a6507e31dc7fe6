import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeLog } from '../kubelet/container/fake-log.ts'
import { Shutdown } from './shutdown.ts'

describe('Shutdown', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('stops the parts in reverse order, one after the other, each once', async () => {
    const steps: string[] = []
    const shutdown = new Shutdown(new FakeLog())
    shutdown.add(() => {
      steps.push('first')
    })
    shutdown.add(async () => {
      await Promise.resolve()
      steps.push('second')
    })
    await Promise.all([shutdown.run(), shutdown.run()])
    expect(steps).toEqual(['second', 'first'])
  })

  it('continues after a failing part, and logs the error', async () => {
    const log = new FakeLog()
    const steps: string[] = []
    const shutdown = new Shutdown(log)
    shutdown.add(() => {
      steps.push('first')
    })
    shutdown.add(() => Promise.reject(new Error('stuck')))
    await shutdown.run()
    expect(steps).toEqual(['first'])
    expect(log.lines).toMatchObject([
      { level: 'error', message: 'stop failed', fields: { error: 'stuck' } },
    ])
  })

  it.each([
    ['a second and a half', {}, 1_500],
    ['three seconds more where the agent leaves its cluster', { writesOnExit: true }, 4_500],
  ])('has one time limit for all parts: %s', async (_, options, limitMs) => {
    const steps: string[] = []
    const shutdown = new Shutdown(new FakeLog(), options)
    shutdown.add(() => {
      steps.push('last')
    })
    shutdown.add(() => new Promise(() => undefined))
    shutdown.add(() => new Promise(() => undefined))
    const done = shutdown.run()
    await vi.advanceTimersByTimeAsync(limitMs - 1)
    expect(steps).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    await done
    expect(steps).toEqual(['last'])
  })
})
