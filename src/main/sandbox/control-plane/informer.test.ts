import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../clock/seeded-random.ts'
import { Informer } from '../../cluster/informer/informer.ts'
import { admin, configMaps, serverUnderTest, silentLog } from '../fake-client.ts'
import { inProcessTransport } from '../in-process-transport.ts'

function informerUnderTest(limits: { readonly eventsPerWatch?: number } = {}) {
  const test = serverUnderTest({ limits })
  const transport = inProcessTransport({ ...test, random: seededRandom(1), caller: admin })
  const informer = new Informer({
    transport,
    resource: 'v1/configmaps',
    clock: test.clock,
    random: seededRandom(2),
    log: silentLog,
  })
  const heard: string[] = []
  const hear =
    (type: string) =>
    ({ metadata }: { metadata: { name: string } }, causes: readonly number[]): void => {
      heard.push(`${type} ${metadata.name} ${causes.length}`)
    }
  informer.addEventHandler({
    onAdd: hear('add'),
    onUpdate: hear('update'),
    onDelete: hear('delete'),
  })
  return { ...test, informer, heard }
}

describe('an informer on the sandbox', () => {
  it('lists the objects, then follows the changes with their causes', async () => {
    const { client, informer, clock, heard } = informerUnderTest()
    await client.post(configMaps, { metadata: { name: 'a' } })
    informer.start()
    expect(informer.hasSynced()).toBe(false)
    await clock.advance(20)
    expect([informer.hasSynced(), heard]).toEqual([true, ['add a 0']])
    await client.post(configMaps, { metadata: { name: 'b' } })
    await client.patch(`${configMaps}/a`, { data: { x: 'y' } })
    await client.delete(`${configMaps}/b`)
    await clock.advance(20)
    expect(heard.slice(1)).toEqual(['add b 1', 'update a 1', 'delete b 1'])
    expect(informer.list().map(({ metadata }) => metadata.name)).toEqual(['a'])
    expect(informer.get('default', 'a')?.['data']).toEqual({ x: 'y' })
  })

  it('watches again when its watch ends, without repeated events', async () => {
    const { client, informer, clock, heard } = informerUnderTest()
    await client.post(configMaps, { metadata: { name: 'a' } })
    informer.start()
    await clock.advance(3 * 3_600_000)
    expect(heard).toEqual(['add a 0'])
    await client.post(configMaps, { metadata: { name: 'b' } })
    await clock.advance(20)
    expect(heard).toEqual(['add a 0', 'add b 1'])
  })

  it('finds the objects that were deleted while it had no watch', async () => {
    // Only one event may wait: the burst below closes the watch.
    const { client, informer, clock, heard } = informerUnderTest({ eventsPerWatch: 1 })
    for (const name of ['a', 'b', 'c']) await client.post(configMaps, { metadata: { name } })
    informer.start()
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
    expect(heard.slice(3)).toEqual(['delete b 0', 'add b 0', 'update c 0', 'add d 0', 'delete a 0'])
    expect(informer.list().map(({ metadata }) => metadata.name)).toEqual(['b', 'c', 'd'])
  })

  it('leaves no timer and no watch after its stop', async () => {
    const { informer, clock } = informerUnderTest()
    informer.start()
    await clock.advance(20)
    informer.stop()
    await clock.advance(5000)
    expect(clock.pendingTimers).toBe(0)
  })
})
