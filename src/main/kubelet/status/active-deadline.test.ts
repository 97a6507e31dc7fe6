import { describe, expect, it } from 'vitest'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { FakeEventRecorder } from '../container/fake-event-recorder.ts'
import { podOf } from '../container/fake-pods.ts'
import { ActiveDeadlineHandler } from './active-deadline.ts'

function newHandler(startTime?: string) {
  const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  const events = new FakeEventRecorder()
  const handler = new ActiveDeadlineHandler({
    clock,
    events,
    statuses: { getPodStatus: () => (startTime === undefined ? undefined : { startTime }) },
  })
  return { clock, events, handler }
}

const pod = podOf({ activeDeadlineSeconds: 10 })

describe('ActiveDeadlineHandler', () => {
  it('ends a pod from its deadline on, with an event each time', async () => {
    const { clock, events, handler } = newHandler('1970-01-01T00:00:00Z')
    await clock.advance(9_999)
    expect(handler.shouldSync(pod)).toBe(false)
    expect(handler.shouldEvict(pod)).toBeUndefined()
    await clock.advance(1)
    expect(handler.shouldSync(pod)).toBe(true)
    expect(handler.shouldEvict(pod)).toEqual({
      reason: 'DeadlineExceeded',
      message: 'Pod was active on the node longer than the specified deadline',
    })
    expect(events.lines).toEqual([
      'Normal DeadlineExceeded Pod was active on the node longer than the specified deadline',
    ])
  })

  it('takes the start time of the pod itself while there is no cached status', async () => {
    const { clock, handler } = newHandler()
    await clock.advance(60_000)
    expect(handler.shouldSync(pod)).toBe(false)
    const started = podOf(
      { activeDeadlineSeconds: 10 },
      { status: { startTime: '1970-01-01T00:00:30Z' } },
    )
    expect(handler.shouldSync(started)).toBe(true)
  })

  it('leaves pods without a deadline alone', async () => {
    const { clock, handler } = newHandler('1970-01-01T00:00:00Z')
    await clock.advance(1e9)
    expect(handler.shouldSync(podOf())).toBe(false)
  })
})
