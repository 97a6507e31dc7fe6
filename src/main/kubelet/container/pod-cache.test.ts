import { describe, expect, it } from 'vitest'
import { err, ok } from '../../../shared/result.ts'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { PodStatusCache, emptyPodRuntimeStatus } from './pod-cache.ts'
import type { PodRuntimeStatus } from './runtime.ts'

const status: PodRuntimeStatus = { ...emptyPodRuntimeStatus('u', 'p', 'n'), ips: ['10.0.0.1'] }

function newCache(now = 10_000): { cache: PodStatusCache; clock: VirtualClock } {
  const clock = new VirtualClock(nodeClockHost, { startAt: now })
  return { clock, cache: new PodStatusCache({ clock }) }
}

async function settled<T>(promise: Promise<T>): Promise<T | 'waiting'> {
  return Promise.race([promise, nodeClockHost.drained().then(() => 'waiting' as const)])
}

describe('PodStatusCache', () => {
  it('answers for an unknown uid with an empty status and no error', () => {
    expect(newCache().cache.get('u')).toEqual(ok(emptyPodRuntimeStatus('u')))
  })

  it('gives back what was stored, errors too, until it is deleted', () => {
    const { cache } = newCache()
    cache.set('u', ok(status), 1)
    expect(cache.get('u')).toEqual(ok(status))
    const failure = err({ kind: 'unavailable', message: 'no answer' } as const)
    cache.set('u', failure, 2)
    expect(cache.get('u')).toEqual(failure)
    cache.delete('u')
    expect(cache.get('u')).toEqual(ok(emptyPodRuntimeStatus('u')))
  })

  it('refuses a status that is older than the one it has', () => {
    const { cache } = newCache()
    expect(cache.set('u', ok(status), 5)).toBe(true)
    expect(cache.set('u', ok(emptyPodRuntimeStatus('u')), 4)).toBe(false)
    expect(cache.set('u', ok(status), 5)).toBe(true)
    expect(cache.get('u')).toEqual(ok(status))
  })

  it('waits until the entry is newer than the time, strictly', async () => {
    const { cache } = newCache()
    cache.set('u', ok(emptyPodRuntimeStatus('u')), 100)
    const answer = cache.getNewerThan('u', 100)
    expect(await settled(answer)).toBe('waiting')
    cache.set('u', ok(status), 100)
    expect(await settled(answer)).toBe('waiting')
    cache.set('u', ok(status), 101)
    expect(await settled(answer)).toEqual(ok(status))
  })

  it('answers at once when the entry is new enough', async () => {
    const { cache } = newCache()
    cache.set('u', ok(status), 101)
    expect(await settled(cache.getNewerThan('u', 100))).toEqual(ok(status))
  })

  it('takes the global freshness for an answer: an absent entry is then an empty status', async () => {
    const { cache } = newCache()
    const answer = cache.getNewerThan('u', 100)
    cache.updateTime(100)
    expect(await settled(answer)).toBe('waiting')
    cache.updateTime(101)
    expect(await settled(answer)).toEqual(ok(emptyPodRuntimeStatus('u')))
    expect(await settled(cache.getNewerThan('other', 100))).toEqual(
      ok(emptyPodRuntimeStatus('other')),
    )
  })

  it('answers with an old entry when all is known to be fresh', async () => {
    const { cache } = newCache()
    cache.set('u', ok(status), 1)
    cache.updateTime(200)
    expect(await settled(cache.getNewerThan('u', 100))).toEqual(ok(status))
  })

  it('hands the error of an inspection to those who wait', async () => {
    const { cache } = newCache()
    const answer = cache.getNewerThan('u', 100)
    const failure = err({ kind: 'failed', message: 'inspect' } as const)
    cache.set('u', failure, 150)
    expect(await settled(answer)).toEqual(failure)
  })

  it('wakes only those whose time has come', async () => {
    const { cache } = newCache()
    const early = cache.getNewerThan('u', 100)
    const late = cache.getNewerThan('u', 300)
    cache.set('u', ok(status), 200)
    expect(await settled(early)).toEqual(ok(status))
    expect(await settled(late)).toBe('waiting')
    cache.updateTime(301)
    expect(await settled(late)).toEqual(ok(status))
  })

  it('is never fresh before the first relist, whatever the time that is asked for', async () => {
    const { cache } = newCache()
    expect(await settled(cache.getNewerThan('u', 0))).toBe('waiting')
  })

  it('refuses times that have not come yet', () => {
    const { cache } = newCache(10)
    expect(() => cache.updateTime(11)).toThrow('from the future')
    expect(() => cache.set('u', ok(status), 11)).toThrow('from the future')
  })
})
