import { expect, it } from 'vitest'
import { nodeClockHost } from '../clock/node-clock-host.ts'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { limitedTransport } from './limited-transport.ts'

it('sends a burst at once, then as many requests a second as the limit, in order', async () => {
  const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  const sent: string[] = []
  const transport = limitedTransport(
    {
      send: ({ path }) => {
        sent.push(`${path} at ${clock.now()}`)
        return Promise.resolve({ kind: 'object', status: 200, body: {} })
      },
    },
    { clock, qps: 20, burst: 2 },
  )
  for (const path of ['a', 'b', 'c', 'd']) void transport.send({ method: 'GET', path })
  await clock.advance(1000)
  expect(sent).toEqual(['a at 0', 'b at 0', 'c at 50', 'd at 100'])
  for (const path of ['e', 'f', 'g']) void transport.send({ method: 'GET', path })
  await clock.advance(50)
  expect(sent.slice(4)).toEqual(['e at 1000', 'f at 1000', 'g at 1050'])
})
