import { expect, it } from 'vitest'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { seededRandom } from '../../clock/seeded-random.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import type { Node } from '../../../shared/kubernetes/objects.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { FakeTransport, FakeWatch, list } from '../transport/fake-transport.ts'
import { nodeInformer, nodeListerOf } from './node-lister.ts'

function node(name: string, resourceVersion: string): Node {
  return { metadata: { name, uid: `uid-${name}`, resourceVersion } }
}

it('returns only its own node, in the current version, once it was listed', async () => {
  const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  const transport = new FakeTransport()
  const watch = new FakeWatch()
  const informer = nodeInformer({
    transport,
    nodeName: 'n1',
    clock,
    random: seededRandom(1),
    log: new FakeLog(),
  })
  const lister = nodeListerOf(informer, 'n1')
  expect([lister.hasSynced(), lister.get()]).toEqual([false, undefined])

  transport.script(list([node('other', '1')], '1'), watch.response)
  informer.start()
  await clock.advance(0)
  expect([lister.hasSynced(), lister.get()]).toEqual([true, undefined])
  expect(transport.requests[0]).toMatchObject({
    path: '/api/v1/nodes',
    query: { fieldSelector: 'metadata.name=n1' },
  })

  watch.push({ type: 'ADDED', object: node('n1', '2') })
  await clock.advance(0)
  expect(lister.get()).toEqual(node('n1', '2'))
  watch.push({ type: 'DELETED', object: node('n1', '3') })
  await clock.advance(0)
  expect(lister.get()).toBeUndefined()
  informer.stop()
})
