import { describe, expect, it } from 'vitest'
import { clusterUnderTest } from './fake-cluster.ts'

const events = '/api/v1/namespaces/default/events'

describe('an event', () => {
  it('is deleted an hour after its last occurrence', async () => {
    const { client, clock } = await clusterUnderTest()
    const at = (ms: number) => new Date(ms).toISOString()
    for (const name of ['once', 'again']) {
      await client.post(events, {
        metadata: { name },
        involvedObject: {},
        lastTimestamp: at(clock.now()),
      })
    }
    await clock.advance(1_800_000)
    await client.patch(`${events}/again`, { count: 2, lastTimestamp: at(clock.now()) })
    await clock.advance(1_790_000)
    expect(await client.names(events)).toEqual(['again', 'once'])
    await clock.advance(80_000)
    expect(await client.names(events)).toEqual(['again'])
    await clock.advance(1_900_000)
    expect(await client.names(events)).toEqual([])
  })
})
