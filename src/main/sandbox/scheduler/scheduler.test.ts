import { describe, expect, it } from 'vitest'
import { objectAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { nodes, pod, pods } from '../fake-client.ts'
import {
  clusterUnderTest,
  conditionOf,
  eventsAbout,
  keepAlive,
  readyNode,
} from '../control-plane/fake-cluster.ts'
import type { ClusterUnderTest } from '../control-plane/fake-cluster.ts'

function free(name: string, spec: JsonObject = {}): JsonObject {
  return pod(name, { nodeName: '', ...spec })
}

function asking(cpu: string): readonly JsonObject[] {
  return [{ name: 'c', image: 'x', resources: { requests: { cpu } } }]
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
    const chosen: unknown[] = []
    for (const name of names) chosen.push(await nodeOf(cluster, name))
    expect(['n1', 'n2'].map((node) => chosen.filter((one) => one === node).length)).toEqual([2, 2])
  })

  // Several seeds: the cache is behind the server by another latency each time.
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'never allocates more than a node has (seed %i)',
    async (seed) => {
      const cluster = await clusterUnderTest(seed)
      const { client, settle } = cluster
      await client.post(nodes, readyNode('n1'))
      await settle()
      const containers = asking('800m')
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

  it('retries a pod whose binding the server refuses, with a growing back-off', async () => {
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
    const message = expect.stringMatching(/^running Bind plugin "DefaultBinder": /)
    expect(await conditionOf(client, `${pods}/web`, 'PodScheduled')).toMatchObject({
      status: 'False',
      reason: 'SchedulerError',
      message,
    })
    expect(await eventsAbout(client, 'web')).toEqual([
      expect.stringMatching(/^Warning FailedScheduling: running Bind plugin "DefaultBinder": /),
    ])
    expect(refusals).toBe(1)
    // The back-off of 1 s ends with the next whole second, that of 2 s too.
    await clock.advance(2000)
    expect([refusals, await nodeOf(cluster, 'web')]).toEqual([2, ''])
    await clock.advance(1500)
    expect(await nodeOf(cluster, 'web')).toBe('')
    await clock.advance(2000)
    expect([refusals, await nodeOf(cluster, 'web')]).toEqual([3, 'n1'])
  })

  it('gives the resources of a refused binding to the next pod', async () => {
    const cluster = await clusterUnderTest(1, ({ path }) => path.endsWith('/first/binding'))
    const { client, settle } = cluster
    await client.post(nodes, readyNode('n1'))
    await settle()
    const containers = asking('1500m')
    for (const name of ['first', 'second']) await client.post(pods, free(name, { containers }))
    await settle()
    expect(await nodeOf(cluster, 'second')).toBe('n1')
  })

  it('retries the condition of an unschedulable pod that the server refused', async () => {
    let refusals = 0
    const cluster = await clusterUnderTest(
      1,
      ({ method, path }) =>
        method === 'PATCH' && path.endsWith('/pods/web/status') && ++refusals <= 3,
    )
    const { client, clock, settle } = cluster
    await client.post(nodes, readyNode('n1', { unschedulable: true }))
    await settle()
    await client.post(pods, free('web'))
    await clock.advance(1000)
    expect(await conditionOf(client, `${pods}/web`, 'PodScheduled')).toMatchObject({
      message: expect.stringContaining('1 node(s) were unschedulable'),
    })
    expect(refusals).toBe(4)
  })

  it('reports once why a pod fits no node, and binds it when a node changes', async () => {
    const cluster = await clusterUnderTest()
    const { client, clock, settle } = cluster
    await client.post(pods, free('web'))
    await settle()
    expect(await conditionOf(client, `${pods}/web`, 'PodScheduled')).toEqual({
      type: 'PodScheduled',
      status: 'False',
      observedGeneration: 1,
      lastProbeTime: null,
      lastTransitionTime: '2026-01-01T00:00:00Z',
      reason: 'Unschedulable',
      message: 'no nodes available to schedule pods',
    })
    await client.post(nodes, readyNode('n1', { unschedulable: true }))
    await clock.advance(3000)
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
    const containers = asking('2')
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
    const containers = asking('2')
    for (const name of ['a', 'b']) await client.post(pods, free(name, { containers }))
    await settle()
    expect(await nodeOf(cluster, 'b')).toBe('')
    await client.patch(`${pods}/a/status`, { status: { phase: 'Succeeded' } })
    await settle()
    expect(await nodeOf(cluster, 'b')).toBe('n1')
  })

  it('preempts pods of lower priority, and gives their place to the pod that needs it', async () => {
    const cluster = await clusterUnderTest()
    const { client, settle } = cluster
    await client.post(nodes, readyNode('n1'))
    await settle()
    await client.post(pods, free('victim', { containers: asking('2') }))
    await settle()
    const priorityClassName = 'system-node-critical'
    await client.post(pods, free('urgent', { containers: asking('2'), priorityClassName }))
    await settle()
    const { body: urgent } = await client.get(`${pods}/urgent`)
    expect(objectAt(urgent, 'status')).toMatchObject({ nominatedNodeName: 'n1' })
    expect(await conditionOf(client, `${pods}/victim`, 'DisruptionTarget')).toMatchObject({
      status: 'True',
      reason: 'PreemptionByScheduler',
      message: 'default-scheduler: preempting to accommodate a higher priority pod',
    })
    const { uid = '' } = objectAt(urgent, 'metadata')
    expect(await eventsAbout(client, 'victim')).toContain(
      `Normal Preempted: Preempted by pod ${String(uid)} on node n1`,
    )
    expect(await eventsAbout(client, 'urgent')).toEqual([
      'Warning FailedScheduling: 0/1 nodes are available: 1 Insufficient cpu.',
    ])
    // Its place is kept while the victim terminates.
    await client.post(pods, free('late', { containers: asking('1') }))
    await settle()
    await client.delete(`${pods}/victim`, { gracePeriodSeconds: 0 })
    await settle()
    expect([await nodeOf(cluster, 'urgent'), await nodeOf(cluster, 'late')]).toEqual(['n1', ''])
  })

  it('waits for the victims that are terminating instead of preempting others', async () => {
    const cluster = await clusterUnderTest()
    const { client, settle } = cluster
    await client.post(nodes, readyNode('n1'))
    await settle()
    for (const name of ['a', 'b']) await client.post(pods, free(name, { containers: asking('1') }))
    await settle()
    const priorityClassName = 'system-node-critical'
    await client.post(pods, free('urgent', { containers: asking('1'), priorityClassName }))
    await settle()
    await client.patch(`${nodes}/n1`, { metadata: { labels: { a: 'b' } } })
    await client.patch(`${nodes}/n1`, {
      spec: { taints: [{ key: 'x', effect: 'PreferNoSchedule' }] },
    })
    await settle()
    const terminating = []
    for (const name of ['a', 'b']) {
      const { body } = await client.get(`${pods}/${name}`)
      terminating.push('deletionTimestamp' in objectAt(body, 'metadata'))
    }
    expect(terminating.filter(Boolean)).toHaveLength(1)
    expect(await eventsAbout(client, 'urgent')).toContain(
      'Warning FailedScheduling: 0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: not eligible due to a terminating pod on the nominated node.',
    )
  })

  it('does not preempt for a pod whose policy is Never', async () => {
    const cluster = await clusterUnderTest()
    const { client, settle } = cluster
    const policy = { metadata: { name: 'polite' }, value: 1000, preemptionPolicy: 'Never' }
    await client.post('/apis/scheduling.k8s.io/v1/priorityclasses', policy)
    await client.post(nodes, readyNode('n1'))
    await settle()
    await client.post(pods, free('first', { containers: asking('2') }))
    await settle()
    await client.post(
      pods,
      free('polite', { containers: asking('2'), priorityClassName: 'polite' }),
    )
    await settle()
    expect(await eventsAbout(client, 'polite')).toEqual([
      'Warning FailedScheduling: 0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never.',
    ])
  })

  it('tries the most important pod first', async () => {
    const cluster = await clusterUnderTest()
    const { client, clock, settle } = cluster
    const priorityClassName = 'system-node-critical'
    const containers = asking('2')
    await client.post(pods, free('plain', { containers }))
    await client.post(pods, free('urgent', { containers, priorityClassName }))
    await settle()
    await client.post(nodes, readyNode('n1'))
    await clock.advance(12_000)
    expect([await nodeOf(cluster, 'plain'), await nodeOf(cluster, 'urgent')]).toEqual(['', 'n1'])
  })

  it('keeps pods with anti-affinity apart, and pods with affinity together', async () => {
    const cluster = await clusterUnderTest()
    const { client, settle } = cluster
    for (const name of ['n1', 'n2'])
      await client.post(nodes, readyNode(name, {}, { labels: { 'kubernetes.io/hostname': name } }))
    await settle()
    const term = {
      labelSelector: { matchLabels: { app: 'db' } },
      topologyKey: 'kubernetes.io/hostname',
    }
    const apart = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } }
    const together = { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } }
    const labeled = (name: string, labels: JsonObject, affinity: JsonObject): JsonObject => {
      const one = free(name, { affinity })
      return { ...one, metadata: { ...objectAt(one, 'metadata'), labels } }
    }
    await client.post(pods, labeled('db-1', { app: 'db' }, apart))
    await settle()
    await client.post(pods, labeled('db-2', { app: 'db' }, apart))
    await client.post(pods, labeled('db-3', { app: 'db' }, apart))
    await client.post(pods, labeled('web', {}, together))
    await settle()
    const [first, second, third] = [
      await nodeOf(cluster, 'db-1'),
      await nodeOf(cluster, 'db-2'),
      await nodeOf(cluster, 'db-3'),
    ]
    expect(new Set([first, second])).toEqual(new Set(['n1', 'n2']))
    expect(third).toBe('')
    expect([first, second]).toContain(await nodeOf(cluster, 'web'))
    await client.delete(`${pods}/db-1`, { gracePeriodSeconds: 0 })
    await settle()
    expect(await nodeOf(cluster, 'db-3')).toBe(first)
  })

  it('tries an unschedulable pod again after 5 minutes, without an event that helps it', async () => {
    let attempts = 0
    const cluster = await clusterUnderTest(1, ({ method, path }) => {
      if (path.endsWith('/events') && method === 'POST') attempts++
      if (path.includes('/events/') && method === 'PATCH') attempts++
      return false
    })
    const { client, clock } = cluster
    await client.post(nodes, readyNode('n1', { unschedulable: true }))
    const fallSilent = await keepAlive(cluster, 'n1')
    await clock.advance(6000)
    await client.post(pods, free('web'))
    await clock.advance(1000)
    attempts = 0
    await clock.advance(5 * 60_000 - 2000)
    expect(attempts).toBe(0)
    await clock.advance(32_000)
    expect(attempts).toBe(1)
    fallSilent()
  })

  it('waits until a new node is ready', async () => {
    const cluster = await clusterUnderTest()
    const { client, clock, settle } = cluster
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
    await clock.advance(3000)
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

  it('says of each node what its message counts', async () => {
    const cluster = await clusterUnderTest()
    const { client, settle, verdicts } = cluster
    await client.post(nodes, readyNode('n3'))
    const taints = [{ key: 'a', value: 'b', effect: 'NoSchedule' }]
    await client.post(nodes, readyNode('n1', { taints }))
    await client.post(nodes, readyNode('n2'))
    await settle()
    await client.post(pods, free('big', { containers: asking('1000') }))
    await settle()
    expect(verdicts('default', 'big')).toEqual([
      {
        node: 'n1',
        plugin: 'TaintToleration',
        reasons: ['node(s) had untolerated taint(s)'],
        mayPreempt: false,
      },
      ...['n2', 'n3'].map((node) => ({
        node,
        plugin: 'NodeResourcesFit',
        reasons: ['Insufficient cpu'],
        mayPreempt: false,
      })),
    ])
    expect(await conditionOf(client, `${pods}/big`, 'PodScheduled')).toMatchObject({
      message: expect.stringContaining(
        '0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu.',
      ),
    })
    expect(verdicts('default', 'none')).toBeUndefined()
  })
})
