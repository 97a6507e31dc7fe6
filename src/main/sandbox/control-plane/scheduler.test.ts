import { describe, expect, it } from 'vitest'
import { objectAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { nodes, pod, pods } from '../fake-client.ts'
import { clusterUnderTest, conditionOf, eventsAbout, readyNode } from './fake-cluster.ts'
import type { ClusterUnderTest } from './fake-cluster.ts'

function free(name: string, spec: JsonObject = {}): JsonObject {
  return pod(name, { nodeName: '', ...spec })
}

async function nodeOf({ client }: ClusterUnderTest, name: string): Promise<unknown> {
  return objectAt((await client.get(`${pods}/${name}`)).body, 'spec')['nodeName']
}

describe('the scheduler', () => {
  it('binds a pod to a ready node and writes an event', async () => {
    const cluster = await clusterUnderTest()
    const { client, settle } = cluster
    await client.post(nodes, readyNode('n1'))
    await settle()
    await client.post(pods, free('web'))
    await settle()
    expect(await nodeOf(cluster, 'web')).toBe('n1')
    expect(await conditionOf(client, `${pods}/web`, 'PodScheduled')).toMatchObject({
      status: 'True',
    })
    expect(await eventsAbout(client, 'web')).toEqual([
      'Normal Scheduled: Successfully assigned default/web to n1',
    ])
  })

  it('spreads pods over the nodes, even if they are created together', async () => {
    const cluster = await clusterUnderTest()
    const { client, settle } = cluster
    for (const name of ['n2', 'n1']) await client.post(nodes, readyNode(name))
    await settle()
    const names = ['a', 'b', 'c', 'd']
    for (const name of names) await client.post(pods, free(name))
    await settle()
    const chosen = []
    for (const name of names) chosen.push(await nodeOf(cluster, name))
    expect(chosen).toEqual(['n1', 'n2', 'n1', 'n2'])
  })

  // Several seeds: the cache is behind the server by another latency each time.
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'never allocates more than a node has (seed %i)',
    async (seed) => {
      const cluster = await clusterUnderTest(seed)
      const { client, settle } = cluster
      await client.post(nodes, readyNode('n1'))
      await settle()
      const containers = [{ name: 'c', image: 'x', resources: { requests: { cpu: '800m' } } }]
      for (const name of ['a', 'b', 'c']) await client.post(pods, free(name, { containers }))
      await settle()
      expect([
        await nodeOf(cluster, 'a'),
        await nodeOf(cluster, 'b'),
        await nodeOf(cluster, 'c'),
      ]).toEqual(['n1', 'n1', ''])
      await client.delete(`${pods}/a`, { gracePeriodSeconds: 0 })
      await settle()
      expect(await nodeOf(cluster, 'c')).toBe('n1')
    },
  )

  it('retries a pod whose binding the server refuses, after one second, then two', async () => {
    let refusals = 0
    const cluster = await clusterUnderTest(
      1,
      ({ path }) => path.endsWith('/web/binding') && ++refusals <= 2,
    )
    const { client, clock, settle } = cluster
    await client.post(nodes, readyNode('n1'))
    await settle()
    await client.post(pods, free('web'))
    await settle()
    expect([refusals, await nodeOf(cluster, 'web')]).toEqual([1, ''])
    await clock.advance(1000)
    expect([refusals, await nodeOf(cluster, 'web')]).toEqual([2, ''])
    await clock.advance(1500)
    expect(await nodeOf(cluster, 'web')).toBe('')
    await clock.advance(700)
    expect([refusals, await nodeOf(cluster, 'web')]).toEqual([3, 'n1'])
  })

  it('gives the resources of a refused binding to the next pod', async () => {
    const cluster = await clusterUnderTest(1, ({ path }) => path.endsWith('/first/binding'))
    const { client, settle } = cluster
    await client.post(nodes, readyNode('n1'))
    await settle()
    const containers = [{ name: 'c', image: 'x', resources: { requests: { cpu: '1500m' } } }]
    for (const name of ['first', 'second']) await client.post(pods, free(name, { containers }))
    await settle()
    expect(await nodeOf(cluster, 'second')).toBe('n1')
  })

  it('retries the condition of an unschedulable pod that the server refused', async () => {
    let isRefused = true
    const cluster = await clusterUnderTest(
      1,
      ({ method, path }) => isRefused && method === 'PATCH' && path.endsWith('/pods/web/status'),
    )
    const { client, clock, settle } = cluster
    // Another pod of the same spec, so that what the two are told is shared.
    await client.post(pods, free('other'))
    await client.post(pods, free('web'))
    await settle()
    expect(await conditionOf(client, `${pods}/web`, 'PodScheduled')).toBeUndefined()
    isRefused = false
    await clock.advance(1000)
    expect(await conditionOf(client, `${pods}/web`, 'PodScheduled')).toMatchObject({
      message: 'no nodes available to schedule pods',
    })
  })

  it('reports once why a pod fits no node, and binds it when a node changes', async () => {
    const cluster = await clusterUnderTest()
    const { client, settle } = cluster
    await client.post(pods, free('web'))
    await settle()
    expect(await conditionOf(client, `${pods}/web`, 'PodScheduled')).toEqual({
      type: 'PodScheduled',
      status: 'False',
      lastProbeTime: null,
      lastTransitionTime: '2026-01-01T00:00:00Z',
      reason: 'Unschedulable',
      message: 'no nodes available to schedule pods',
    })
    await client.post(nodes, readyNode('n1', { unschedulable: true }))
    await settle()
    await client.patch(`${nodes}/n1`, { metadata: { labels: { a: 'b' } } })
    await settle()
    const message =
      '0/1 nodes are available: 1 node(s) were unschedulable. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.'
    expect(await eventsAbout(client, 'web')).toEqual([
      'Warning FailedScheduling: no nodes available to schedule pods',
      `Warning FailedScheduling: ${message}`,
    ])
    await client.patch(`${nodes}/n1`, { spec: { unschedulable: null } })
    await settle()
    expect(await nodeOf(cluster, 'web')).toBe('n1')
  })

  it('gives freed resources to one of several equivalent pods, and updates the message of the others', async () => {
    const cluster = await clusterUnderTest()
    const { client, settle } = cluster
    await client.post(nodes, readyNode('n1'))
    await settle()
    const containers = [{ name: 'c', image: 'x', resources: { requests: { cpu: '2' } } }]
    const names = ['a', 'b', 'c', 'd']
    for (const name of names) await client.post(pods, free(name, { containers }))
    await settle()
    const bound = async (): Promise<readonly unknown[]> => {
      const found = []
      for (const name of names)
        if ((await client.get(`${pods}/${name}`)).code === 200)
          found.push(await nodeOf(cluster, name))
      return found
    }
    expect(await bound()).toEqual(['n1', '', '', ''])
    for (const left of [
      ['n1', '', ''],
      ['n1', ''],
    ]) {
      const [first = ''] = names.splice(0, 1)
      await client.delete(`${pods}/${first}`, { gracePeriodSeconds: 0 })
      await settle()
      expect(await bound()).toEqual(left)
    }
    await client.patch(`${nodes}/n1`, { spec: { unschedulable: true } })
    await settle()
    expect(await conditionOf(client, `${pods}/d`, 'PodScheduled')).toMatchObject({
      message: expect.stringContaining('1 node(s) were unschedulable'),
    })
    await client.patch(`${nodes}/n1`, { spec: { unschedulable: null } })
    await settle()
    expect(await conditionOf(client, `${pods}/d`, 'PodScheduled')).toMatchObject({
      message: expect.stringContaining('1 Insufficient cpu'),
    })
  })

  it('schedules a gated pod once its last gate is removed', async () => {
    const cluster = await clusterUnderTest()
    const { client, settle } = cluster
    await client.post(nodes, readyNode('n1'))
    await client.post(pods, free('web', { schedulingGates: [{ name: 'a' }, { name: 'b' }] }))
    await settle()
    await client.patch(`${pods}/web`, { spec: { schedulingGates: [{ name: 'b' }] } }, 'merge')
    await settle()
    expect(await nodeOf(cluster, 'web')).toBe('')
    expect(await conditionOf(client, `${pods}/web`, 'PodScheduled')).toMatchObject({
      status: 'False',
      reason: 'SchedulingGated',
      message: 'Scheduling is blocked due to non-empty scheduling gates',
    })
    await client.patch(`${pods}/web`, { spec: { schedulingGates: null } }, 'merge')
    await settle()
    expect(await nodeOf(cluster, 'web')).toBe('n1')
    expect(await eventsAbout(client, 'web')).toEqual([
      'Normal Scheduled: Successfully assigned default/web to n1',
    ])
  })

  it('gives the resources of a terminated pod to another', async () => {
    const cluster = await clusterUnderTest()
    const { client, settle } = cluster
    await client.post(nodes, readyNode('n1'))
    await settle()
    const containers = [{ name: 'c', image: 'x', resources: { requests: { cpu: '2' } } }]
    for (const name of ['a', 'b']) await client.post(pods, free(name, { containers }))
    await settle()
    expect(await nodeOf(cluster, 'b')).toBe('')
    await client.patch(`${pods}/a/status`, { status: { phase: 'Succeeded' } })
    await settle()
    expect(await nodeOf(cluster, 'b')).toBe('n1')
  })

  it('reports that it does not preempt where a real scheduler would', async () => {
    const cluster = await clusterUnderTest()
    const { client, settle } = cluster
    await client.post(nodes, readyNode('n1'))
    await settle()
    const containers = [{ name: 'c', image: 'x', resources: { requests: { cpu: '2' } } }]
    await client.post(pods, free('victim', { containers }))
    await settle()
    const priorityClassName = 'system-node-critical'
    await client.post(pods, free('urgent', { containers, priorityClassName }))
    await settle()
    const message =
      "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 The sandbox's scheduler does not preempt."
    expect(await eventsAbout(client, 'urgent')).toEqual([`Warning FailedScheduling: ${message}`])
    expect(await conditionOf(client, `${pods}/urgent`, 'PodScheduled')).toMatchObject({
      reason: 'Unschedulable',
      message,
    })
  })

  it('waits until a new node is ready', async () => {
    const cluster = await clusterUnderTest()
    const { client, settle } = cluster
    await client.post(nodes, {
      ...readyNode('n1'),
      status: { allocatable: { pods: '9' }, conditions: [{ type: 'Ready', status: 'False' }] },
    })
    await client.post(pods, free('web'))
    await settle()
    expect(await nodeOf(cluster, 'web')).toBe('')
    await client.patch(`${nodes}/n1/status`, {
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    })
    await settle()
    expect(await nodeOf(cluster, 'web')).toBe('n1')
  })

  it.each<[string, JsonObject]>([
    ['has a node', { nodeName: 'elsewhere' }],
    ['waits for another scheduler', { schedulerName: 'mine' }],
    ['is held by a gate', { schedulingGates: [{ name: 'a.b/c' }] }],
  ])('leaves alone a pod that %s', async (_, spec) => {
    const cluster = await clusterUnderTest()
    const { client, settle } = cluster
    await client.post(nodes, readyNode('n1'))
    await client.post(pods, free('web', spec))
    await settle()
    expect(await nodeOf(cluster, 'web')).toBe(spec['nodeName'] ?? '')
    expect(await eventsAbout(client, 'web')).toEqual([])
  })

  it('has the write that it saw as the cause of a binding', async () => {
    const { client, settle, traced } = await clusterUnderTest()
    await client.post(nodes, readyNode('n1'))
    await settle()
    await client.post(pods, free('web'))
    const created = traced.length
    await settle()
    const binding = traced.find(
      ({ kind, data }) =>
        kind === 'object.written' && 'subresource' in data && data.subresource === 'binding',
    )
    expect(binding?.causes).toEqual([created])
  })
})
