import { describe, expect, it } from 'vitest'
import type { EndpointReading, KubeletEndpoint } from '../../shared/model/inspect/kubelet-facts.ts'
import { nodeClockHost } from '../clock/node-clock-host.ts'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { pauseAfter, pollKubelet } from './poll-kubelet.ts'

const round = { paths: ['/pods', '/runningpods/'] as const, everyMs: 2000, budget: 6 }

function reading(tookMs: number, problem: EndpointReading['problem'] = null): EndpointReading {
  return { path: '/pods', at: 0, tookMs, bytes: 0, problem }
}

describe('the pause after a reading', () => {
  it.each([
    ['is the usual one for a quick answer', [reading(5), reading(4)], 2000],
    ['grows with the cost, which stays below 0.6 % of a core', [reading(20), reading(10)], 5000],
    [
      'is half a minute where rights are missing',
      [
        reading(1, { kind: 'missing-right', message: '' }),
        reading(1, { kind: 'missing-right', message: '' }),
      ],
      30_000,
    ],
    ['is 2 s where nothing could be sent', [undefined, undefined], 2000],
    [
      'is 5 s where nothing answers',
      [reading(1, { kind: 'refused', message: '' }), reading(1, { kind: 'away', message: '' })],
      5000,
    ],
    [
      'is the usual one where one of two is refused',
      [reading(5), reading(1, { kind: 'missing-right', message: '' })],
      2000,
    ],
  ])('%s', (_title, readings, expected) => {
    expect(pauseAfter(round, readings)).toBe(expected)
  })
})

describe('polling', () => {
  it('reads one round at a time, /pods first, and nothing after its end', async () => {
    const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
    const asked: KubeletEndpoint[] = []
    const stop = pollKubelet({
      read: (paths) => {
        asked.push(...paths)
        return Promise.resolve()
      },
      reading: () => reading(1),
      clock,
    })
    await clock.advance(9000)
    expect(asked.slice(0, 3)).toEqual(['/pods', '/runningpods/', '/healthz'])
    expect(asked.filter((path) => path === '/pods').length).toBe(5)
    expect(asked.filter((path) => path === '/metrics').length).toBe(1)
    stop()
    await clock.advance(60_000)
    expect(asked.filter((path) => path === '/pods').length).toBe(5)
  })
})
