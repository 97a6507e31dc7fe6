import { describe, expect, it } from 'vitest'
import { nodes, pod, pods } from '../../fake-client.ts'
import {
  clusterUnderTest,
  conditionOf,
  eventsAbout,
  keepAlive,
  readyNode,
  taintsOf,
} from '../fake-cluster.ts'

const n1 = `${nodes}/n1`

/** The node n1, and another that stays Ready: without one, nothing is evicted. */
async function withNode() {
  const cluster = await clusterUnderTest()
  await cluster.client.post(nodes, readyNode('other'))
  await keepAlive(cluster, 'other')
  await cluster.client.post(nodes, readyNode('n1'))
  const silence = await keepAlive(cluster, 'n1')
  await cluster.client.post(pods, pod('web'))
  await cluster.client.patch(`${pods}/web/status`, {
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }],
    },
  })
  await cluster.settle()
  return { ...cluster, silence }
}

const unreachable = [
  'node.kubernetes.io/unreachable:NoSchedule',
  'node.kubernetes.io/unreachable:NoExecute',
]

// api-server#missing-heartbeats.
const registered = 'Normal RegisteredNode: Node n1 event: Registered Node n1 in Controller'

describe('a node with heartbeats', () => {
  it('loses the taint of new nodes and stays ready with lease renewals alone', async () => {
    const { client, clock } = await withNode()
    expect(await taintsOf(client, 'n1')).toEqual([])
    await clock.advance(600_000)
    expect(await conditionOf(client, n1, 'Ready')).toMatchObject({ status: 'True' })
    expect(await eventsAbout(client, 'n1')).toEqual([registered])
  })

  it('stays ready with status updates alone', async () => {
    const { client, clock, silence } = await withNode()
    silence()
    for (let round = 1; round <= 10; round++) {
      await clock.advance(40_000)
      const lastHeartbeatTime = new Date(clock.now()).toISOString()
      await client.patch(`${n1}/status`, {
        status: { conditions: [{ type: 'Ready', status: 'True', lastHeartbeatTime }] },
      })
    }
    expect(await conditionOf(client, n1, 'Ready')).toMatchObject({ status: 'True' })
  })
})

describe('a node without heartbeats', () => {
  it('is unknown and unreachable after 50 s, not before, and its pods are not ready', async () => {
    const { client, clock, silence } = await withNode()
    silence()
    await clock.advance(49_000)
    expect(await conditionOf(client, n1, 'Ready')).toMatchObject({ status: 'True' })
    await clock.advance(12_000)
    expect(await conditionOf(client, n1, 'Ready')).toEqual({
      type: 'Ready',
      status: 'Unknown',
      lastHeartbeatTime: '2026-01-01T00:00:00Z',
      lastTransitionTime: expect.stringMatching(/^2026-01-01T00:0[01]:\d\dZ$/),
      reason: 'NodeStatusUnknown',
      message: 'Kubelet stopped posting node status.',
    })
    expect(await conditionOf(client, n1, 'MemoryPressure')).toMatchObject({
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
    })
    expect(await conditionOf(client, n1, 'PIDPressure')).toMatchObject({
      status: 'Unknown',
      reason: 'NodeStatusNeverUpdated',
      message: 'Kubelet never posted node status.',
    })
    expect(await taintsOf(client, 'n1')).toEqual(unreachable)
    expect(await conditionOf(client, `${pods}/web`, 'Ready')).toMatchObject({ status: 'False' })
    expect(await eventsAbout(client, 'n1')).toEqual([
      registered,
      'Normal NodeNotReady: Node n1 status is now: NodeNotReady',
    ])
    expect(await eventsAbout(client, 'web')).toContain('Warning NodeNotReady: Node is not ready')
  })

  it('loses its taints when its heartbeats continue', async () => {
    const { client, clock, silence, ...cluster } = await withNode()
    silence()
    await clock.advance(61_000)
    await keepAlive({ client, clock, ...cluster }, 'n1')
    const lastHeartbeatTime = new Date(clock.now()).toISOString()
    await client.patch(`${n1}/status`, {
      status: {
        conditions: ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'].map((type) => ({
          type,
          status: type === 'Ready' ? 'True' : 'False',
          lastHeartbeatTime,
        })),
      },
    })
    await clock.advance(5200)
    expect(await taintsOf(client, 'n1')).toEqual([])
    await clock.advance(120_000)
    expect(await conditionOf(client, n1, 'Ready')).toMatchObject({ status: 'True' })
  })

  it('gets a minute if it never had a heartbeat', async () => {
    const { client, clock } = await clusterUnderTest()
    await client.post(nodes, { metadata: { name: 'n1' } })
    await clock.advance(58_000)
    expect(await conditionOf(client, n1, 'Ready')).toBeUndefined()
    await clock.advance(15_000)
    expect(await conditionOf(client, n1, 'Ready')).toMatchObject({
      status: 'Unknown',
      reason: 'NodeStatusNeverUpdated',
      lastHeartbeatTime: '2026-01-01T00:00:00Z',
    })
  })

  it('has a new grace period after it was recreated', async () => {
    const { client, clock, silence, settle } = await withNode()
    silence()
    await clock.advance(40_000)
    await client.delete(n1)
    await settle()
    const lastHeartbeatTime = '2026-01-01T00:00:40Z'
    const conditions = [{ type: 'Ready', status: 'True', lastHeartbeatTime }]
    await client.post(nodes, { ...readyNode('n1'), status: { conditions } })
    await clock.advance(45_000)
    expect(await conditionOf(client, n1, 'Ready')).toMatchObject({ status: 'True' })
  })

  it('has one look more if its last sign of life was a new status', async () => {
    const { client, clock, silence, settle } = await withNode()
    await clock.advance(17_500)
    silence()
    const lastHeartbeatTime = '2026-01-01T00:00:17Z'
    await client.patch(`${n1}/status`, {
      status: { conditions: [{ type: 'Ready', status: 'True', lastHeartbeatTime }] },
    })
    await settle()
    // Seen after 20 s, and again with the forgotten lease after 25 s.
    await clock.advance(55_000)
    expect(await conditionOf(client, n1, 'Ready')).toMatchObject({ status: 'True' })
    await clock.advance(5000)
    expect(await conditionOf(client, n1, 'Ready')).toMatchObject({ status: 'Unknown' })
  })

  it('marks a pod that is bound to it as not ready', async () => {
    const { client, clock, silence, settle } = await withNode()
    silence()
    await clock.advance(70_000)
    const ready = { type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }
    await client.post(pods, pod('late', { nodeName: '' }))
    await client.patch(`${pods}/late/status`, { status: { conditions: [ready] } })
    await client.post(`${pods}/late/binding`, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'late' },
      target: { kind: 'Node', name: 'n1' },
    })
    await settle()
    expect(await conditionOf(client, `${pods}/late`, 'Ready')).toMatchObject({ status: 'False' })
  })
})

describe('a node that reports that it is not ready', () => {
  it('gets the taint for new pods at once; the one that evicts comes with the next check', async () => {
    const { client, settle, clock } = await withNode()
    await client.patch(`${n1}/status`, {
      status: { conditions: [{ type: 'Ready', status: 'False' }] },
    })
    await settle()
    expect(await taintsOf(client, 'n1')).toEqual(['node.kubernetes.io/not-ready:NoSchedule'])
    await clock.advance(5200)
    expect(await taintsOf(client, 'n1')).toEqual([
      'node.kubernetes.io/not-ready:NoSchedule',
      'node.kubernetes.io/not-ready:NoExecute',
    ])
  })

  it('keeps its pods as they are: its kubelet still says what is true of them', async () => {
    const { client, clock } = await withNode()
    await client.patch(`${n1}/status`, {
      status: { conditions: [{ type: 'Ready', status: 'False' }] },
    })
    await clock.advance(40_000)
    expect(await conditionOf(client, `${pods}/web`, 'Ready')).toMatchObject({ status: 'True' })
  })

  it('gets the taints of a cordon and of memory pressure', async () => {
    const { client, settle } = await withNode()
    await client.patch(n1, { spec: { unschedulable: true } })
    await client.patch(`${n1}/status`, {
      status: { conditions: [{ type: 'MemoryPressure', status: 'True' }] },
    })
    await settle()
    expect((await taintsOf(client, 'n1')).toSorted()).toEqual([
      'node.kubernetes.io/memory-pressure:NoSchedule',
      'node.kubernetes.io/unschedulable:NoSchedule',
    ])
    await client.patch(n1, { spec: { unschedulable: null } })
    await settle()
    expect(await taintsOf(client, 'n1')).toEqual(['node.kubernetes.io/memory-pressure:NoSchedule'])
  })
})

/** Nodes in zones, of which some fall silent at once. Returns how many of each zone are evicted, after each of the times. */
async function evictedAfter(
  zones: Record<string, { readonly nodes: number; readonly silent: number }>,
  ...seconds: readonly number[]
) {
  const cluster = await clusterUnderTest()
  const { client, clock } = cluster
  const silences: (() => void)[] = []
  const names: string[] = []
  for (const [zone, { nodes: count, silent }] of Object.entries(zones))
    for (let index = 0; index < count; index++) {
      const name = `${zone}-${index}`
      names.push(name)
      const labels = { 'topology.kubernetes.io/zone': zone }
      await client.post(nodes, readyNode(name, {}, { labels }))
      const silence = await keepAlive(cluster, name)
      if (index < silent) silences.push(silence)
    }
  await clock.advance(6000)
  for (const silence of silences) silence()
  const evicted: Record<string, number>[] = []
  for (const [index, at] of seconds.entries()) {
    await clock.advance((at - (seconds[index - 1] ?? 0)) * 1000)
    const tainted: Record<string, number> = {}
    for (const name of names) {
      const isEvicted = (await taintsOf(client, name)).includes(unreachable[1] ?? '')
      if (isEvicted)
        tainted[name.split('-')[0] ?? ''] = (tainted[name.split('-')[0] ?? ''] ?? 0) + 1
    }
    evicted.push(tainted)
  }
  return evicted
}

// api-server#missing-heartbeats.
describe('many nodes without heartbeats', () => {
  it('are evicted one every 10 s', async () => {
    expect(await evictedAfter({ a: { nodes: 5, silent: 2 } }, 57, 67)).toEqual([{ a: 1 }, { a: 2 }])
  })

  it('are evicted zone by zone, each at its own rate', async () => {
    const zones = { a: { nodes: 3, silent: 2 }, b: { nodes: 3, silent: 2 } }
    expect(await evictedAfter(zones, 57)).toEqual([{ a: 1, b: 1 }])
  })

  it('are not evicted in a small zone of which most are lost', async () => {
    const zones = { a: { nodes: 4, silent: 3 }, b: { nodes: 1, silent: 0 } }
    expect(await evictedAfter(zones, 300)).toEqual([{}])
  })

  it('are evicted at the usual rate in a zone that is lost as a whole', async () => {
    const zones = { a: { nodes: 2, silent: 2 }, b: { nodes: 1, silent: 0 } }
    expect(await evictedAfter(zones, 85)).toEqual([{ a: 2 }])
  })

  it('are not evicted when no node is left', async () => {
    const zones = { a: { nodes: 1, silent: 1 }, b: { nodes: 1, silent: 1 } }
    expect(await evictedAfter(zones, 600)).toEqual([{}])
  })
})
