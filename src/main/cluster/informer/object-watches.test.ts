import { expect, it } from 'vitest'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { seededRandom } from '../../clock/seeded-random.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import type { ObjectChange } from '../../kubelet/ports.ts'
import { FakeTransport, FakeWatch, list } from '../transport/fake-transport.ts'
import { ObjectWatches } from './object-watches.ts'

function secret(name: string, resourceVersion: string) {
  return { metadata: { name, namespace: 'n', uid: `uid-${name}`, resourceVersion } }
}

it('lists and watches one object by its name, for at least half an hour, until it is stopped', async () => {
  const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  const transport = new FakeTransport()
  const stream = new FakeWatch()
  transport.script(list([secret('other', '1')], '1'), stream.response)
  const watches = new ObjectWatches({
    transport,
    clock,
    random: seededRandom(1),
    log: new FakeLog(),
  })
  const changes: ObjectChange[] = []
  const key = { resource: 'secrets', namespace: 'n', name: 's' } as const
  const watch = watches.watch(key, (change) => changes.push(change))
  expect([watch.hasSynced(), watch.get()]).toEqual([false, undefined])
  await clock.advance(0)
  expect([watch.hasSynced(), watch.get()]).toEqual([true, undefined])
  const [listed, watched] = transport.requests
  expect(listed).toMatchObject({
    path: '/api/v1/namespaces/n/secrets',
    query: { fieldSelector: 'metadata.name=s' },
  })
  expect(watched?.query).toMatchObject({ fieldSelector: 'metadata.name=s', watch: 'true' })
  expect(Number(watched?.query?.['timeoutSeconds'])).toBeGreaterThanOrEqual(1800)

  expect(changes).toEqual([])

  stream.push({ type: 'ADDED', object: secret('s', '2'), causes: [7] })
  await clock.advance(0)
  expect(watch.get()).toEqual(secret('s', '2'))
  stream.push({ type: 'MODIFIED', object: secret('s', '3'), causes: [8] })
  stream.push({ type: 'DELETED', object: secret('s', '4'), causes: [9] })
  stream.push({ type: 'ADDED', object: secret('s', '2'), causes: [10] })
  await clock.advance(0)
  const uid = 'uid-s'
  expect(changes).toEqual([
    { change: 'ADDED', uid, resourceVersion: '2', causes: [7] },
    { change: 'MODIFIED', uid, resourceVersion: '3', causes: [8] },
    { change: 'DELETED', uid: '', resourceVersion: '', causes: [9] },
    { change: 'ADDED', uid, resourceVersion: '2', causes: [10] },
  ])
  watch.stop()
  await clock.advance(0)
  expect(watch.get()).toEqual(secret('s', '2'))
  expect(transport.requests).toHaveLength(2)
})

it('tries again at once when it is told that the server answers', async () => {
  const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  const transport = new FakeTransport()
  transport.script(new Error('connection refused'), list([], '1'), new FakeWatch().response)
  const watches = new ObjectWatches({
    transport,
    clock,
    random: seededRandom(1),
    log: new FakeLog(),
  })
  const watch = watches.watch(
    { resource: 'configmaps', namespace: 'n', name: 'c' },
    () => undefined,
  )
  await clock.advance(0)
  expect(watch.hasSynced()).toBe(false)
  watches.retryNow()
  await clock.advance(0)
  expect(watch.hasSynced()).toBe(true)
  watch.stop()
})
