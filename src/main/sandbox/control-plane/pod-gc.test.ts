import { describe, expect, it } from 'vitest'
import { objectAt } from '../../../shared/json.ts'
import { nodes, pod, pods } from '../fake-client.ts'
import type { FakeClient } from '../fake-client.ts'
import type { Pod, PodStatus } from '../../../shared/kubernetes/objects.ts'
import { clusterUnderTest, readyNode } from './fake-cluster.ts'
import { excessOf } from './pod-gc.ts'

const held = { finalizers: ['example.com/hold'] }

async function phaseOf(client: FakeClient, name: string): Promise<unknown> {
  const { body } = await client.get(`${pods}/${name}`)
  return objectAt(body, 'status')['phase']
}

describe('the pods of a deleted node', () => {
  it('stay for 40 s, then fail and are deleted at once', async () => {
    const { client, clock, settle } = await clusterUnderTest()
    await client.post(nodes, readyNode('n1'))
    await client.post(pods, pod('web'))
    await settle()
    await client.delete(`${nodes}/n1`)
    await clock.advance(39_000)
    expect(await client.names(pods)).toEqual(['web'])
    const log = await client.watch(pods, { resourceVersion: '0' })
    await clock.advance(45_000)
    expect(await log.seen()).toEqual(['ADDED web', 'MODIFIED web', 'MODIFIED web', 'DELETED web'])
    const failed = log.events[1]?.object as Record<string, unknown>
    expect(objectAt(failed, 'status')).toMatchObject({
      phase: 'Failed',
      conditions: [
        {
          type: 'DisruptionTarget',
          observedGeneration: 1,
          status: 'True',
          reason: 'DeletionByPodGC',
          message: 'PodGC: node no longer exists',
        },
      ],
    })
  })

  it('stay if the node is recreated in time', async () => {
    const { client, clock, settle } = await clusterUnderTest()
    await client.post(nodes, readyNode('n1'))
    await client.post(pods, pod('web'))
    await settle()
    await client.delete(`${nodes}/n1`)
    await clock.advance(30_000)
    await client.post(nodes, readyNode('n1'))
    await clock.advance(100_000)
    expect(await client.names(pods)).toEqual(['web'])
  })

  it('stay if they never had a node', async () => {
    const { client, clock } = await clusterUnderTest()
    await client.post(pods, pod('web', { nodeName: '' }))
    await clock.advance(100_000)
    expect(await client.names(pods)).toEqual(['web'])
  })
})

describe('a pod that is to go', () => {
  it('fails if it never had a node and a finalizer holds it', async () => {
    const { client, clock } = await clusterUnderTest()
    await client.post(pods, pod('web', { nodeName: '' }, held))
    await client.delete(`${pods}/web`)
    expect(await phaseOf(client, 'web')).toBe('Pending')
    await clock.advance(21_000)
    expect(await phaseOf(client, 'web')).toBe('Failed')
  })

  it('fails and goes if its node is not ready and out of service', async () => {
    const { client, clock, settle } = await clusterUnderTest()
    const taints = [{ key: 'node.kubernetes.io/out-of-service', effect: 'NoSchedule' }]
    const conditions = [{ type: 'Ready', status: 'False' }]
    await client.post(nodes, { ...readyNode('n1', { taints }), status: { conditions } })
    await client.post(nodes, readyNode('n2', { taints }))
    for (const [name, nodeName] of [
      ['goes', 'n1'],
      ['stays', 'n1'],
      ['stops', 'n2'],
    ] as const)
      await client.post(pods, pod(name, { nodeName }))
    await settle()
    await client.delete(`${pods}/goes`)
    await client.delete(`${pods}/stops`)
    await clock.advance(21_000)
    expect(await client.names(pods)).toEqual(['stays', 'stops'])
  })
})

describe('excessOf', () => {
  const ended = (name: string, createdAt: string, status: PodStatus): Pod => ({
    metadata: { name, uid: name, creationTimestamp: createdAt },
    spec: { containers: [] },
    status,
  })
  const pods = [
    ended('new', '2026-01-01T00:00:03Z', { phase: 'Succeeded' }),
    ended('b', '2026-01-01T00:00:01Z', { phase: 'Failed' }),
    ended('a', '2026-01-01T00:00:01Z', { phase: 'Failed' }),
    ended('runs', '2026-01-01T00:00:00Z', { phase: 'Running' }),
    ended('evicted', '2026-01-01T00:00:04Z', { phase: 'Failed', reason: 'Evicted' }),
  ]
  it.each([
    [4, []],
    [3, ['evicted']],
    [1, ['evicted', 'a', 'b']],
  ])('keeps %i pods that have ended, evicted ones last, then the newest', (most, names) => {
    expect(excessOf(pods, most).map(({ metadata }) => metadata.name)).toEqual(names)
  })
})
