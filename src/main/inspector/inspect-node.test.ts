import { describe, expect, it } from 'vitest'
import { readAt } from '../../shared/model/inspect/fake-evidence.ts'
import type { InspectView } from '../../shared/model/inspect/inspect-view.ts'
import { nodeClockHost } from '../clock/node-clock-host.ts'
import { seededRandom } from '../clock/seeded-random.ts'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { FakeLog } from '../kubelet/container/fake-log.ts'
import { ClusterWatch } from '../session/seen/cluster-watch.ts'
import { FakeSeenCluster } from './fake-seen-cluster.ts'
import { inspectNode } from './inspect-node.ts'

function start() {
  const cluster = new FakeSeenCluster()
  const clock = new VirtualClock(nodeClockHost, { startAt: readAt })
  const views: InspectView[] = []
  const watch = new ClusterWatch({
    transport: cluster,
    clock,
    random: seededRandom(1),
    log: new FakeLog(),
    onView: () => undefined,
    onPodsStatus: () => undefined,
    skewMs: () => 0,
  })
  watch.start()
  const node = inspectNode({
    nodeName: 'worker-3',
    transport: cluster,
    credentials: { get: () => Promise.reject(new Error('not needed')), refused: () => undefined },
    acceptedFingerprint: () => undefined,
    clock,
    openObjects: (onChange) => watch.objectsOf('worker-3', onChange),
    onView: (view) => views.push(view),
  })
  return { cluster, clock, views, node, watch }
}

describe('a node that a page looks at', () => {
  it('is watched and its kubelet read, through the API server where its Node names no address', async () => {
    const { cluster, clock, views, node } = start()
    await clock.advance(5000)
    expect(views.at(-1)).toMatchObject({
      rows: [{ uid: 'uid-1', worker: 'SyncPod', certainty: 'certain' }],
      kubelet: { way: 'proxy', contact: 'answers' },
    })
    expect(cluster.asked).toEqual(expect.arrayContaining(['/pods', '/runningpods/', '/configz']))
    await node.stop()
  })

  it('gives at most four views a second, and at least one', async () => {
    const { clock, views, node } = start()
    await clock.advance(10_000)
    expect(views.length).toBeGreaterThanOrEqual(10)
    expect(views.length).toBeLessThanOrEqual(40)
    await node.stop()
  })

  it('shows a kubelet that goes away, and reads nothing more after its end', async () => {
    const { cluster, clock, views, node, watch } = start()
    await clock.advance(3000)
    cluster.isRefused = true
    await clock.advance(6000)
    expect(views.at(-1)?.rows).toMatchObject([{ worker: 'none', certainty: 'likely' }])
    await node.stop()
    watch.stop()
    const [asked, shown] = [cluster.asked.length, views.length]
    await clock.advance(60_000)
    expect([cluster.asked.length, views.length]).toEqual([asked, shown])
  })
})
