import { expect, it } from 'vitest'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { WatchEvent } from '../../../shared/kubernetes/request.ts'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { seededRandom } from '../../clock/seeded-random.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { FakeTransport, FakeWatch, list, status } from '../transport/fake-transport.ts'
import { Informer } from './informer.ts'

function pod(name: string, resourceVersion: string, nodeName = '', uid = `uid-${name}`): Pod {
  return {
    metadata: { name, namespace: 'default', uid, resourceVersion },
    spec: { containers: [{ name: 'c' }], ...(nodeName === '' ? {} : { nodeName }) },
  }
}

function stage() {
  const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  const transport = new FakeTransport()
  const informer = new Informer({
    transport,
    resource: 'pods',
    clock,
    random: seededRandom(1),
    log: new FakeLog(),
    indexers: [['nodeName', ({ spec }) => spec.nodeName]],
  })
  const heard: string[] = []
  informer.addEventHandler({
    onAdd: ({ metadata }, causes) => heard.push(`add ${metadata.uid} ${causes.join()}`),
    onUpdate: ({ metadata }, causes, before) =>
      heard.push(
        `update ${metadata.uid} ${before.metadata.resourceVersion} to ${metadata.resourceVersion} ${causes.join()}`,
      ),
    onDelete: ({ metadata }, causes) => heard.push(`delete ${metadata.uid} ${causes.join()}`),
  })
  const play = async (...events: readonly WatchEvent[]): Promise<FakeWatch> => {
    const watch = new FakeWatch()
    transport.script(list([pod('a', '1', 'n1'), pod('b', '2')], '2'), watch.response)
    informer.start()
    await clock.advance(0)
    watch.push(...events)
    await clock.advance(0)
    return watch
  }
  const onNode = (name: string): readonly string[] =>
    informer.byIndex('nodeName', name).map(({ metadata }) => metadata.name)
  return { clock, transport, informer, heard, play, onNode }
}

it('reports each change with its causes, and the previous object of an update', async () => {
  const { heard, play, informer } = stage()
  await play(
    { type: 'MODIFIED', object: pod('b', '3', 'n1'), causes: [7] },
    { type: 'DELETED', object: pod('a', '4', 'n1'), causes: [8, 9] },
  )
  expect(heard).toEqual(['add uid-a ', 'add uid-b ', 'update uid-b 2 to 3 7', 'delete uid-a 8,9'])
  expect(informer.get('default', 'b')).toEqual(pod('b', '3', 'n1'))
  expect([informer.get('default', 'a'), informer.get('', 'b')]).toEqual([undefined, undefined])
})

it('finds objects by the current value of an index', async () => {
  const { play, onNode } = stage()
  const watch = await play()
  expect([onNode('n1'), onNode('n2'), onNode('')]).toEqual([['a'], [], []])
  watch.push(
    { type: 'MODIFIED', object: pod('a', '3', 'n2') },
    { type: 'MODIFIED', object: pod('b', '4', 'n2') },
  )
  await Promise.resolve()
  watch.push({ type: 'DELETED', object: pod('a', '5', 'n2') })
  await new Promise((resolve) => setImmediate(resolve))
  expect([onNode('n1'), onNode('n2')]).toEqual([[], ['b']])
})

it('reports an object with the name of another as a delete and an add', async () => {
  const { heard, play, onNode } = stage()
  await play({ type: 'ADDED', object: pod('a', '3', 'n2', 'another'), causes: [5] })
  expect(heard.slice(2)).toEqual(['delete uid-a 5', 'add another 5'])
  expect([onNode('n1'), onNode('n2')]).toEqual([[], ['a']])
})

it('after a gap reports only differences, deletions last', async () => {
  const { heard, play, onNode, transport, clock } = stage()
  const watch = await play()
  transport.script(
    list([pod('b', '2'), pod('a', '8', 'n2', 'another'), pod('c', '9', 'n2')], '9'),
    list([pod('b', '10')], '10'),
  )
  watch.push({ type: 'ERROR', object: status(410, 'Expired', 'too old') })
  await clock.advance(0)
  expect(heard.slice(2)).toEqual(['delete uid-a ', 'add another ', 'add uid-c '])
  expect(onNode('n2')).toEqual(['a', 'c'])
})

it('finds every object of a list by index when it reports the first', async () => {
  const { informer, transport, clock, onNode } = stage()
  const found: (readonly string[])[] = []
  informer.addEventHandler({ onAdd: () => found.push(onNode('n1')) })
  const watch = new FakeWatch()
  transport.script(list([pod('a', '1', 'n1'), pod('b', '2', 'n1')], '2'), watch.response)
  informer.start()
  await clock.advance(0)
  expect(found).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ])
})

it('reports a change once, even if the server repeats it', async () => {
  const { heard, play } = stage()
  await play({ type: 'MODIFIED', object: pod('b', '2') })
  expect(heard).toEqual(['add uid-a ', 'add uid-b '])
})
