import { expect, it } from 'vitest'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { EventCorrelator } from './event-correlator.ts'

const event = (message: string) => ({ type: 'Normal', reason: 'Scaled', message })

it('the tenth different message of a reason and those after it share one event', async () => {
  const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  const correlator = new EventCorrelator(clock)
  const messages = Array.from({ length: 12 }, (_, index) => `to ${index}`)
  const seen = messages.map((message) => correlator.correlate('uid', event(message)))
  expect(seen.slice(0, 9).map((one) => one?.message)).toEqual(messages.slice(0, 9))
  expect(seen.slice(9).map((one) => one?.message)).toEqual(
    messages.slice(9).map((message) => `(combined from similar events): ${message}`),
  )
  expect(new Set(seen.map((one) => one?.key)).size).toBe(10)
  await clock.advance(600_001)
  expect(correlator.correlate('uid', event('to 13'))?.message).toBe('to 13')
})

it('an object gets 25 events at once, then one every five minutes', async () => {
  const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  const correlator = new EventCorrelator(clock)
  const burst = Array.from({ length: 30 }, () => correlator.correlate('uid', event('again')))
  expect(burst.filter((one) => one !== undefined)).toHaveLength(25)
  expect(correlator.correlate('another', event('again'))).toBeDefined()
  await clock.advance(300_000)
  const later = [1, 2].map(() => correlator.correlate('uid', event('again')) !== undefined)
  expect(later).toEqual([true, false])
})
