import { expect, it } from 'vitest'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { CancellationSource } from '../workers/cancellation-source.ts'
import { pollUntil } from './poll.ts'

it('asks once, then fails, where it was canceled before', async () => {
  const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  const source = new CancellationSource()
  source.cancel()
  const polling = { clock, cancellation: source, intervalMs: 100 }
  expect(await pollUntil(polling, () => true)).toBeUndefined()
  expect(await pollUntil(polling, () => false)).toBe('context canceled')
})
