import { describe, expect, it } from 'vitest'
import { ReasonCache } from './reason-cache.ts'
import type { SyncResult } from './runtime.ts'

function failedStart(container: string, reason = 'CrashLoopBackOff'): SyncResult {
  return {
    action: 'StartContainer',
    target: container,
    error: { reason, message: `${container} failed`, isBackOff: true },
  }
}

describe('ReasonCache', () => {
  it('remembers failed starts and forgets them when the container starts', () => {
    const cache = new ReasonCache()
    cache.update('u', { results: [failedStart('a'), failedStart('b')] })
    expect(cache.get('u', 'a')).toEqual({ reason: 'CrashLoopBackOff', message: 'a failed' })
    cache.update('u', { results: [{ action: 'StartContainer', target: 'a' }] })
    expect(cache.get('u', 'a')).toBeUndefined()
    expect(cache.get('u', 'b')).toEqual({ reason: 'CrashLoopBackOff', message: 'b failed' })
    expect(cache.get('v', 'b')).toBeUndefined()
  })

  it('ignores steps other than starting a container', () => {
    const cache = new ReasonCache()
    cache.update('u', { results: [{ ...failedStart('a'), action: 'KillContainer' }] })
    expect(cache.get('u', 'a')).toBeUndefined()
  })

  it('keeps the thousand that were used last', () => {
    const cache = new ReasonCache()
    for (let index = 0; index < 1000; index++) {
      cache.update(`u${index}`, { results: [failedStart('c')] })
    }
    cache.get('u0', 'c')
    cache.update('u1000', { results: [failedStart('c')] })
    expect(cache.get('u0', 'c')).toBeDefined()
    expect(cache.get('u1', 'c')).toBeUndefined()
    expect(cache.get('u1000', 'c')).toBeDefined()
  })
})
