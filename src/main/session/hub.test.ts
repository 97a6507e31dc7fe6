import { describe, expect, it } from 'vitest'
import type { Events } from '../../shared/ipc/contract.ts'
import type { FlowView } from '../../shared/model/flow.ts'
import type { ClusterChange } from '../../shared/model/cluster-change.ts'
import type { ClusterView } from '../../shared/model/cluster-view.ts'
import type { PodDetail } from '../../shared/model/pod-detail.ts'
import type { PodRow } from '../../shared/model/pod-row.ts'
import { nodeClockHost } from '../clock/node-clock-host.ts'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { Hub } from './hub.ts'
import type { HubCluster } from './hub.ts'

function podRow(uid: string, status = 'Running'): PodRow {
  return {
    key: `sandbox/n/${uid}`,
    cluster: 'sandbox',
    node: 'n',
    uid,
    namespace: 'default',
    name: uid,
    readyContainers: 1,
    totalContainers: 1,
    status,
    statusAside: null,
    tone: 'plain',
    restarts: 0,
    lastRestartAt: null,
    createdAt: 0,
    owner: null,
    source: 'api',
    kind: 'regular',
    worker: 'SyncPod',
    workerReason: '',
    grace: null,
    mirror: null,
    mirrorUid: null,
    heldBy: [],
    labels: {},
    fields: {},
    mirrorReason: '',
    notSimulated: 0,
    bricks: [],
  }
}

const clusterView: ClusterView = {
  id: 'sandbox',
  label: 'sandbox',
  server: 'https://127.0.0.1:1',
  kind: 'sandbox',
  connection: { kind: 'connected' },
  clock: { now: 7, virtual: true, paused: false, speed: 1, achieved: null },
  nodes: [],
  loops: [],
  exportLine: '',
  isCutOff: null,
  scenario: null,
  seen: null,
  recording: null,
  recorder: null,
  manifestsPath: '',
  isPageJoined: false,
}

class FakeCluster implements HubCluster {
  readonly id: string
  readonly store = new Map<string, PodRow>()
  #listener: (change: ClusterChange) => void = () => undefined

  constructor(id = 'sandbox') {
    this.id = id
  }

  readonly rows = (): readonly PodRow[] => [...this.store.values()]
  readonly row = (key: string): PodRow | undefined => this.store.get(key)
  readonly view = (): ClusterView => ({ ...clusterView, id: this.id })
  readonly now = (): number => 7
  moves = 0
  // The hub reads only `now`.
  readonly flow = (): FlowView => ({ now: this.moves }) as FlowView
  readonly detail = (key: string): PodDetail | undefined => {
    const row = this.store.get(key)
    // The hub reads only `row`.
    return row === undefined ? undefined : ({ row } as PodDetail)
  }
  readonly onChange = (listener: (change: ClusterChange) => void): (() => void) => {
    this.#listener = listener
    return () => {
      this.#listener = () => undefined
    }
  }

  put(row: PodRow): void {
    this.store.set(row.key, row)
    this.#listener({ kind: 'row', key: row.key })
  }

  remove(uid: string): void {
    this.store.delete(`sandbox/n/${uid}`)
    this.#listener({ kind: 'row', key: `sandbox/n/${uid}` })
  }

  move(node = 'n'): void {
    this.moves++
    this.#listener({ kind: 'flow', node })
  }

  touchView(): void {
    this.#listener({ kind: 'view' })
  }
}

function setUp() {
  const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  const hub = new Hub({
    epoch: 'e1',
    program: { version: '1', host: 'web', readOnly: false, openPod: '' },
    clock,
  })
  const cluster = new FakeCluster()
  hub.add(cluster)
  const patches: Events['view.patched'][] = []
  const details: Events['pod.detailed'][] = []
  const flows: Events['flow.changed'][] = []
  const connection = hub.connect((name, payload) => {
    // The contract ties each name to its payload; a generic parameter cannot be narrowed by a comparison.
    if (name === 'view.patched') patches.push(payload as Events['view.patched'])
    else if (name === 'flow.changed') flows.push(payload as Events['flow.changed'])
    else details.push(payload as Events['pod.detailed'])
  })
  return { clock, hub, cluster, connection, patches, details, flows }
}

describe('Hub', () => {
  it('answers view.open with a snapshot, then sends only changes', async () => {
    const { clock, cluster, connection, patches } = setUp()
    cluster.put(podRow('a'))
    expect(connection.open()).toEqual({
      epoch: 'e1',
      number: 0,
      program: { version: '1', host: 'web', readOnly: false, openPod: '' },
      clusters: [clusterView],
      rows: [podRow('a')],
    })
    cluster.put(podRow('b'))
    await clock.advance(100)
    expect(patches).toEqual([
      {
        epoch: 'e1',
        number: 1,
        now: { sandbox: 7 },
        upserts: [podRow('b')],
        removed: [],
        clusters: [],
        closed: [],
      },
    ])
  })

  it('sends nothing before the page has opened its view', async () => {
    const { clock, cluster, patches } = setUp()
    cluster.put(podRow('a'))
    await clock.advance(100)
    expect(patches).toEqual([])
  })

  it('sends the next patch only after the acknowledgement of the last, and coalesces meanwhile', async () => {
    const { clock, cluster, connection, patches } = setUp()
    connection.open()
    cluster.put(podRow('a', 'Pending'))
    await clock.advance(100)
    for (let index = 0; index < 1000; index++) cluster.put(podRow('a', `Running ${index}`))
    cluster.put(podRow('b'))
    cluster.remove('b')
    await clock.advance(1000)
    expect(patches).toHaveLength(1)
    connection.acknowledge('e1', 99)
    connection.acknowledge('other', 1)
    await clock.advance(1000)
    expect(patches).toHaveLength(1)
    connection.acknowledge('e1', 1)
    await clock.advance(1000)
    expect(patches[1]).toEqual({
      epoch: 'e1',
      number: 2,
      now: { sandbox: 7 },
      upserts: [podRow('a', 'Running 999')],
      removed: ['sandbox/n/b'],
      clusters: [],
      closed: [],
    })
  })

  it('sends all rows of a cluster that opens, and the id of one that closes', async () => {
    const { clock, hub, connection, patches } = setUp()
    connection.open()
    const other = new FakeCluster('other')
    other.store.set('other/n/a', { ...podRow('a'), key: 'other/n/a', cluster: 'other' })
    hub.add(other)
    await clock.advance(100)
    expect(patches[0]).toMatchObject({ clusters: [{ id: 'other' }], closed: [] })
    expect(patches[0]?.upserts.map(({ key }) => key)).toEqual(['other/n/a'])
    connection.acknowledge('e1', 1)
    hub.remove('other')
    other.touchView()
    await clock.advance(100)
    expect(patches[1]).toMatchObject({
      upserts: [],
      removed: ['other/n/a'],
      clusters: [],
      closed: ['other'],
    })
    expect(hub.clusters.map(({ id }) => id)).toEqual(['sandbox'])
  })

  it('reads nothing from a closed cluster, whatever the page watched there', async () => {
    const { clock, hub, connection, details } = setUp()
    connection.open()
    const other = new FakeCluster('other')
    hub.add(other)
    other.store.set('other/n/a', { ...podRow('a'), key: 'other/n/a', cluster: 'other' })
    connection.watch('other/n/a')
    hub.remove('other')
    hub.remove('other')
    await clock.advance(100)
    expect(details).toEqual([])
    expect(connection.watch('other/n/a')).toBeUndefined()
  })

  it('starts over with a new snapshot when the page opens its view again, whatever was not acknowledged', async () => {
    const { clock, cluster, connection, patches } = setUp()
    connection.open()
    cluster.put(podRow('a'))
    await clock.advance(100)
    const again = connection.open()
    expect(again.number).toBe(1)
    expect(again.rows).toEqual([podRow('a')])
    cluster.touchView()
    await clock.advance(100)
    expect(patches[1]).toMatchObject({ number: 2, upserts: [], clusters: [clusterView] })
  })

  it('sends the detail of the watched pod only', async () => {
    const { clock, cluster, connection, details } = setUp()
    connection.open()
    cluster.put(podRow('a', 'Pending'))
    expect(connection.watch('sandbox/n/a')).toEqual({ row: podRow('a', 'Pending') })
    cluster.put(podRow('a', 'Running'))
    cluster.put(podRow('b'))
    await clock.advance(100)
    expect(details).toEqual([{ row: podRow('a', 'Running') }])
    connection.watch(null)
    connection.acknowledge('e1', 1)
    cluster.put(podRow('a', 'Error'))
    await clock.advance(100)
    expect(details).toHaveLength(1)
  })

  it('sends the detail again only when it has changed', async () => {
    const { clock, cluster, connection, details } = setUp()
    connection.open()
    cluster.store.set('sandbox/n/a', podRow('a', 'Pending'))
    connection.watch('sandbox/n/a')
    cluster.touchView()
    await clock.advance(100)
    expect(details).toEqual([])
    connection.acknowledge('e1', 1)
    // As when only the clock has advanced: no event names the pod.
    cluster.store.set('sandbox/n/a', podRow('a', 'Running'))
    cluster.touchView()
    await clock.advance(100)
    expect(details).toEqual([{ row: podRow('a', 'Running') }])
  })

  it('sends the flow of the watched node, and only to the page that watches it', async () => {
    const { clock, cluster, connection, patches, flows } = setUp()
    connection.open()
    cluster.move()
    await clock.advance(100)
    expect(flows).toEqual([])
    expect(connection.watchFlow({ cluster: 'sandbox', node: 'n' })).toEqual({ now: 1 })
    cluster.move('other')
    await clock.advance(100)
    expect(flows).toEqual([])
    cluster.move()
    await clock.advance(100)
    expect(flows).toEqual([{ now: 3 }])
    expect(patches).toMatchObject([{ number: 1, upserts: [], removed: [], clusters: [] }])
    connection.acknowledge('e1', 1)
    connection.watchFlow(null)
    cluster.move()
    await clock.advance(100)
    expect(flows).toHaveLength(1)
  })

  it('sends flow at most ten times a second, whatever rows are sent, and never loses the last', async () => {
    const { clock, cluster, connection, patches, flows } = setUp()
    connection.open()
    connection.watchFlow({ cluster: 'sandbox', node: 'n' })
    for (let step = 0; step < 100; step++) {
      cluster.move()
      cluster.put(podRow('a', `Running ${step}`))
      await clock.advance(10)
      connection.acknowledge('e1', patches.length)
    }
    expect(patches.length).toBeGreaterThan(20)
    expect(flows.length).toBeGreaterThan(5)
    expect(flows.length).toBeLessThanOrEqual(10)
    await clock.advance(200)
    expect(flows.at(-1)).toEqual({ now: 100 })
  })

  it('sends flow only after the acknowledgement of the last patch', async () => {
    const { clock, cluster, connection, flows } = setUp()
    connection.open()
    connection.watchFlow({ cluster: 'sandbox', node: 'n' })
    for (let step = 0; step < 10; step++) {
      cluster.move()
      await clock.advance(200)
    }
    expect(flows).toEqual([{ now: 1 }])
    connection.acknowledge('e1', 1)
    await clock.advance(200)
    expect(flows).toEqual([{ now: 1 }, { now: 10 }])
  })

  it('sends nothing to a closed page', async () => {
    const { clock, cluster, connection, patches } = setUp()
    connection.open()
    connection.close()
    cluster.put(podRow('a'))
    await clock.advance(100)
    expect(patches).toEqual([])
    expect(clock.pendingTimers).toBe(0)
  })
})
