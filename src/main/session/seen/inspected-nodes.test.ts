import { describe, expect, it } from 'vitest'
import type { Events, NodeRef } from '../../../shared/ipc/contract.ts'
import type { InspectView } from '../../../shared/model/inspect/inspect-view.ts'
import { fakePodOf, readAt } from '../../../shared/model/inspect/fake-evidence.ts'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { seededRandom } from '../../clock/seeded-random.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { FakeSeenCluster } from '../../inspector/fake-seen-cluster.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { ClusterWatch } from './cluster-watch.ts'
import { InspectedNodes } from './inspected-nodes.ts'
import { PageWatch } from '../page-watch.ts'

const node = { cluster: 'prod', node: 'worker-3' }
const pod = fakePodOf({ spec: { nodeName: 'worker-3' } })

async function start() {
  const cluster = new FakeSeenCluster()
  const clock = new VirtualClock(nodeClockHost, { startAt: readAt })
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
  await clock.advance(100)
  const touched: string[] = []
  const inspected = new InspectedNodes({
    transport: cluster,
    credentials: { get: () => Promise.reject(new Error('not needed')), refused: () => undefined },
    clock,
    accepted: new Map([['worker-3', 'AB:CD']]),
    keepAccepted: (name, fingerprint) => touched.push(`${name} ${fingerprint}`),
    openObjects: (name, onChange) => watch.objectsOf(name, onChange),
    onStatics: () => touched.push('statics'),
    onView: () => undefined,
    onInferred: (name, uid) => touched.push(`${name} ${uid}`),
  })
  const page = () => {
    const views: Events['inspect.changed'][] = []
    const inspection = new PageWatch<NodeRef, InspectView>((ref) =>
      ref.cluster === 'prod'
        ? inspected.watch(ref.node, (view) => views.push({ ...ref, view }))
        : undefined,
    )
    return { inspection, views }
  }
  const asked = (): number => cluster.asked.filter((path) => path === '/pods').length
  return { clock, inspected, page, asked, touched, watch }
}

describe('the nodes that pages look at', () => {
  it('are read once for two pages, and not at all for none', async () => {
    const { clock, page, asked, watch } = await start()
    const [one, other] = [page(), page()]
    expect(one.inspection.watch(node)).toMatchObject({ node: 'worker-3', kubelet: { way: null } })
    expect(other.inspection.watch(node)).toMatchObject({ node: 'worker-3' })
    await clock.advance(10_000)
    expect(one.views.at(-1)).toMatchObject({ ...node, view: { rows: [{ worker: 'SyncPod' }] } })
    expect(other.views.length).toBe(one.views.length)
    expect(asked()).toBeLessThan(8)
    one.inspection.watch(null)
    await clock.advance(10_000)
    expect(other.views.length).toBeGreaterThan(one.views.length)
    other.inspection.watch(null)
    const before = asked()
    await clock.advance(60_000)
    expect(asked()).toBe(before)
    watch.stop()
  })

  it('give the table what is inferred, and take it back when no page looks', async () => {
    const { clock, page, inspected, touched, watch } = await start()
    expect(inspected.inferred(pod)).toBeUndefined()
    const { inspection } = page()
    inspection.watch(node)
    await clock.advance(3000)
    expect(inspected.inferred(pod)).toEqual({
      worker: 'SyncPod',
      because: 'The kubelet has it, and nothing has told it to stop it.',
      why: null,
    })
    const marks = touched.length
    await clock.advance(10_000)
    expect([marks > 0, touched.length]).toEqual([true, marks])
    inspection.watch(null)
    expect(inspected.inferred(pod)).toBeUndefined()
    expect(touched.at(-1)).toBe('worker-3 uid-1')
    watch.stop()
  })

  it('are none of a cluster whose kubelets are this program', async () => {
    const { page, watch } = await start()
    expect(page().inspection.watch({ cluster: 'sandbox', node: 'n' })).toBeNull()
    watch.stop()
  })
})
