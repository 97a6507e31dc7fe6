import { describe, expect, it } from 'vitest'
import { objectAt } from '../../../shared/json.ts'
import { nodes, pod, pods } from '../fake-client.ts'
import { clusterUnderTest, readyNode } from './fake-cluster.ts'

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
