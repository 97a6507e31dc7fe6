import { describe, expect, it } from 'vitest'
import type { KubeEvent } from '../../shared/kubernetes/objects.ts'
import { nodeClockHost } from '../clock/node-clock-host.ts'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { EventCorrelator } from './event-correlator.ts'

let names = 0

function eventOf(rest: Partial<KubeEvent> & { readonly fieldPath?: string } = {}): KubeEvent {
  const { fieldPath, ...fields } = rest
  return {
    metadata: { name: `e${++names}`, uid: '' },
    involvedObject: {
      kind: 'Pod',
      name: 'p',
      uid: 'u',
      ...(fieldPath === undefined ? {} : { fieldPath }),
    },
    type: 'Warning',
    reason: 'BackOff',
    message: 'm',
    count: 1,
    firstTimestamp: '1970-01-01T00:00:00Z',
    ...fields,
  }
}

function newCorrelator() {
  const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  return { clock, correlator: new EventCorrelator({ clock }) }
}

describe('EventCorrelator', () => {
  it('counts equal events up under the name and the first time of the first', () => {
    const { correlator } = newCorrelator()
    const first = correlator.correlate(eventOf())
    const second = correlator.correlate(eventOf({ firstTimestamp: '1970-01-01T00:09:00Z' }))
    expect(first?.isCountedUp).toBe(false)
    expect(second).toMatchObject({
      isCountedUp: true,
      event: {
        metadata: { name: first?.event.metadata.name },
        count: 2,
        firstTimestamp: '1970-01-01T00:00:00Z',
      },
    })
  })

  it.each([
    ['message', { message: 'other' }],
    ['reason', { reason: 'Other' }],
    ['type', { type: 'Normal' }],
    ['container', { fieldPath: 'spec.containers{c}' }],
    ['object', { involvedObject: { kind: 'Pod', name: 'p', uid: 'v' } }],
  ] as const)('takes another %s for another event', (_, change) => {
    const { correlator } = newCorrelator()
    correlator.correlate(eventOf())
    expect(correlator.correlate(eventOf(change))?.isCountedUp).toBe(false)
  })

  it('joins similar events of all containers of a pod from the tenth message on', () => {
    const { correlator } = newCorrelator()
    const messages: unknown[] = []
    for (let index = 0; index < 12; index++) {
      const fieldPath = `spec.containers{c${index % 2}}`
      const event = correlator.correlate(eventOf({ message: `m${index}`, fieldPath }))?.event
      messages.push(`${event?.message} ${event?.count}`)
    }
    expect(messages.slice(8)).toEqual([
      'm8 1',
      '(combined from similar events): m9 1',
      '(combined from similar events): m10 2',
      '(combined from similar events): m11 3',
    ])
  })

  it('forgets a flood after ten quiet minutes, not before', async () => {
    const { clock, correlator } = newCorrelator()
    for (let index = 0; index < 10; index++) correlator.correlate(eventOf({ message: `m${index}` }))
    await clock.advance(600_000)
    expect(correlator.correlate(eventOf({ message: 'x' }))?.event.message).toContain('combined')
    await clock.advance(600_001)
    expect(correlator.correlate(eventOf({ message: 'y' }))?.event.message).toBe('y')
  })
})
