import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../clock/seeded-random.ts'
import { admin, configMaps, serverUnderTest, silentLog } from '../fake-client.ts'
import { inProcessTransport } from '../in-process-transport.ts'
import { ControlClient } from './control-client.ts'
import { WatchCache } from './watch-cache.ts'

function cacheUnderTest(limits: { readonly eventsPerWatch?: number } = {}) {
  const test = serverUnderTest({ limits })
  const transport = inProcessTransport({ ...test, random: seededRandom(1), caller: admin })
  const client = new ControlClient({ transport })
  const cache = new WatchCache({
    client,
    clock: test.clock,
    log: silentLog,
    collection: configMaps,
  })
  const heard: string[] = []
  cache.listen(({ type, object, causes }) => {
    heard.push(`${type} ${object.metadata.name} ${causes.length}`)
  })
  return { ...test, cache, heard }
}

describe('a watch cache', () => {
  it('holds what is there, then follows, with the causes of each change', async () => {
    const { client, cache, clock, heard } = cacheUnderTest()
    await client.post(configMaps, { metadata: { name: 'a' } })
    cache.start()
    expect(cache.hasSynced).toBe(false)
    await clock.advance(20)
    expect([cache.hasSynced, heard]).toEqual([true, ['ADDED a 0']])
    await client.post(configMaps, { metadata: { name: 'b' } })
    await client.patch(`${configMaps}/a`, { data: { x: 'y' } })
    await client.delete(`${configMaps}/b`)
    await clock.advance(20)
    expect(heard.slice(1)).toEqual(['ADDED b 1', 'MODIFIED a 1', 'DELETED b 1'])
    expect(cache.list().map(({ metadata }) => metadata.name)).toEqual(['a'])
    expect(cache.get('default', 'a')?.['data']).toEqual({ x: 'y' })
  })

  it('watches again when its watch ends, without hearing anything twice', async () => {
    const { client, cache, clock, heard } = cacheUnderTest()
    await client.post(configMaps, { metadata: { name: 'a' } })
    cache.start()
    await clock.advance(3 * 3_600_000)
    expect(heard).toEqual(['ADDED a 0'])
    await client.post(configMaps, { metadata: { name: 'b' } })
    await clock.advance(20)
    expect(heard).toEqual(['ADDED a 0', 'ADDED b 1'])
  })

  it('finds out what went while it was away', async () => {
    // Only one event may wait: the burst below closes the watch.
    const { client, cache, clock, heard } = cacheUnderTest({ eventsPerWatch: 1 })
    for (const name of ['a', 'b', 'c']) await client.post(configMaps, { metadata: { name } })
    cache.start()
    await clock.advance(20)
    const burst = [
      client.delete(`${configMaps}/a`),
      client.delete(`${configMaps}/b`),
      client.post(configMaps, { metadata: { name: 'b' } }),
      client.patch(`${configMaps}/c`, { data: { x: 'y' } }),
      client.post(configMaps, { metadata: { name: 'd' } }),
    ]
    await Promise.all(burst)
    await clock.advance(2000)
    expect(heard.slice(3)).toEqual([
      'DELETED b 0',
      'ADDED b 0',
      'MODIFIED c 0',
      'ADDED d 0',
      'DELETED a 0',
    ])
    expect(cache.list().map(({ metadata }) => metadata.name)).toEqual(['c', 'b', 'd'])
  })

  it('leaves nothing behind when it is stopped', async () => {
    const { cache, clock } = cacheUnderTest()
    cache.start()
    await clock.advance(20)
    cache.stop()
    await clock.advance(5000)
    expect(clock.pendingTimers).toBe(0)
  })
})
