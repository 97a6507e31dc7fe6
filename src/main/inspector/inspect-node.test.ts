import { describe, expect, it } from 'vitest'
import type { KubeRequest, KubeResponse } from '../../shared/kubernetes/request.ts'
import { fakePodOf, readAt } from '../../shared/model/inspect/fake-evidence.ts'
import type { InspectView } from '../../shared/model/inspect/inspect-view.ts'
import { nodeClockHost } from '../clock/node-clock-host.ts'
import { seededRandom } from '../clock/seeded-random.ts'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { FakeWatch } from '../cluster/transport/fake-transport.ts'
import { FakeLog } from '../kubelet/container/fake-log.ts'
import { ClusterWatch } from '../session/seen/cluster-watch.ts'
import { inspectNode } from './inspect-node.ts'

/** An API server with one node and one pod, whose node proxy leads to its kubelet. */
class FakeCluster {
  readonly asked: string[] = []
  readonly watches: FakeWatch[] = []
  pods = [fakePodOf({ spec: { nodeName: 'worker-3' } })]
  isRefused = false

  readonly send = (request: KubeRequest): Promise<KubeResponse> => {
    const { path, query = {} } = request
    const proxied = /\/proxy(\/.*)$/.exec(path)?.[1]
    if (proxied !== undefined) return Promise.resolve(this.#kubelet(proxied))
    if (query['watch'] !== undefined) {
      const watch = new FakeWatch()
      this.watches.push(watch)
      return Promise.resolve(watch.response)
    }
    this.asked.push(`${path}?${query['fieldSelector'] ?? ''}`)
    const plural = path.split('/').at(-1) ?? ''
    const items: Readonly<Record<string, readonly object[]>> = {
      pods: this.pods,
      nodes: [{ metadata: { name: 'worker-3', uid: 'n', resourceVersion: '1' } }],
    }
    const list = {
      kind: 'List',
      apiVersion: 'v1',
      metadata: { resourceVersion: '1' },
      items: items[plural] ?? [],
    }
    return Promise.resolve({ kind: 'object', status: 200, body: list })
  }

  #kubelet(path: string): KubeResponse {
    this.asked.push(path)
    if (this.isRefused)
      return {
        kind: 'text',
        status: 503,
        contentType: 'text/plain',
        body: 'connect: connection refused',
      }
    if (!/pods/.test(path))
      return { kind: 'text', status: 404, contentType: 'text/plain', body: '' }
    return { kind: 'object', status: 200, body: { kind: 'PodList', items: this.pods } }
  }
}

function start() {
  const cluster = new FakeCluster()
  const clock = new VirtualClock(nodeClockHost, { startAt: readAt })
  const views: InspectView[] = []
  const watch = new ClusterWatch({
    transport: cluster,
    clock,
    random: seededRandom(1),
    log: new FakeLog(),
    onView: () => undefined,
    onPodsStatus: () => undefined,
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
    expect(cluster.asked).toEqual(
      expect.arrayContaining([
        '/api/v1/events?involvedObject.kind=Pod,source=kubelet',
        '/pods',
        '/runningpods/',
        '/configz',
      ]),
    )
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
