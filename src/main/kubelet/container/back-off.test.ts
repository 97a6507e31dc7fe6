import { describe, expect, it } from 'vitest'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { BackOff, backOffDefaults, backOffKey, crashLoopBackOff } from './back-off.ts'

function newBackOff(): { clock: VirtualClock; backOff: BackOff } {
  const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  return { clock, backOff: new BackOff({ clock, ...backOffDefaults.crashLoop }) }
}

describe('BackOff', () => {
  it('waits 0, 10, 20, 40, 80, 160, 300 and 300 seconds for a container that ends at once', async () => {
    const { clock, backOff } = newBackOff()
    const waits: number[] = []
    for (let restart = 0; restart < 8; restart++) {
      const endedAt = clock.now()
      while (backOff.isInBackOffSince('c', endedAt)) await clock.advance(1000)
      waits.push((clock.now() - endedAt) / 1000)
      backOff.next('c', endedAt)
    }
    expect(waits).toEqual([0, 10, 20, 40, 80, 160, 300, 300])
  })

  it('starts over when the container ended more than ten minutes after its last start', async () => {
    const { clock, backOff } = newBackOff()
    for (let restart = 0; restart < 7; restart++) backOff.next('c', clock.now())
    expect(backOff.get('c')).toBe(300_000)
    await clock.advance(600_000)
    expect(backOff.isInBackOffSince('c', clock.now())).toBe(true)
    await clock.advance(1)
    expect(backOff.isInBackOffSince('c', clock.now())).toBe(false)
    backOff.next('c', clock.now())
    expect(backOff.get('c')).toBe(10_000)
  })

  it('counts an image back-off from its last failure', async () => {
    const { clock, backOff } = newBackOff()
    backOff.next('i', clock.now())
    await clock.advance(9_999)
    expect(backOff.isInBackOffSinceUpdate('i', clock.now())).toBe(true)
    await clock.advance(1)
    expect(backOff.isInBackOffSinceUpdate('i', clock.now())).toBe(false)
  })

  it('keeps keys apart and knows nothing of unknown ones', () => {
    const { clock, backOff } = newBackOff()
    backOff.next('a', clock.now())
    expect(backOff.get('b')).toBe(0)
    expect(backOff.isInBackOffSince('b', clock.now())).toBe(false)
    expect(backOff.isInBackOffSinceUpdate('b', clock.now())).toBe(false)
  })

  it('forgets expired entries only', async () => {
    const { clock, backOff } = newBackOff()
    backOff.next('old', clock.now())
    await clock.advance(600_001)
    backOff.next('new', clock.now())
    backOff.collectGarbage()
    expect(backOff.size).toBe(1)
    expect(backOff.get('new')).toBe(10_000)
  })
})

describe('crashLoopBackOff', () => {
  it('waits no longer than maxContainerRestartPeriod, the first time too', () => {
    expect(crashLoopBackOff(undefined)).toEqual(backOffDefaults.crashLoop)
    expect(crashLoopBackOff({ maxContainerRestartPeriodMs: 60_000 })).toEqual({
      initialMs: 10_000,
      maxMs: 60_000,
    })
    expect(crashLoopBackOff({ maxContainerRestartPeriodMs: 2000 })).toEqual({
      initialMs: 2000,
      maxMs: 2000,
    })
  })
})

describe('backOffKey', () => {
  const pod: Pod = {
    metadata: { name: 'p', namespace: 'n', uid: 'u' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  }

  it('changes with pod, container, image and resources, and with nothing else', () => {
    const container = { name: 'c', image: 'i' }
    const key = backOffKey(pod, container)
    const others = [
      backOffKey({ ...pod, metadata: { ...pod.metadata, uid: 'v' } }, container),
      backOffKey(pod, { ...container, name: 'd' }),
      backOffKey(pod, { ...container, image: 'j' }),
      backOffKey(pod, { ...container, resources: { limits: { cpu: '1' } } }),
    ]
    expect(new Set([key, ...others]).size).toBe(5)
    expect(backOffKey(pod, { ...container, command: ['x'] })).toBe(key)
  })
})
