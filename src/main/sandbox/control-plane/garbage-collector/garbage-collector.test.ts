import { describe, expect, it } from 'vitest'
import { leases, metadataOf, nodes, pod, pods } from '../../fake-client.ts'
import { clusterUnderTest, readyNode } from '../fake-cluster.ts'

async function withDependents() {
  const cluster = await clusterUnderTest()
  const { client, settle } = cluster
  const created = await client.post(nodes, readyNode('n1'))
  const uid = String(metadataOf(created)['uid'])
  const owner = { apiVersion: 'v1', kind: 'Node', name: 'n1', uid, controller: true }
  const mirror = { annotations: { 'kubernetes.io/config.mirror': 'h' }, ownerReferences: [owner] }
  await client.post(pods, pod('mirror', {}, mirror))
  await client.post(pods, pod('ordinary'))
  await client.post(leases, { metadata: { name: 'n1', ownerReferences: [owner] }, spec: {} })
  await settle()
  return { ...cluster, owner, mirror }
}

describe('an object that a node owns', () => {
  it('is deleted with the node, pods with their grace period', async () => {
    const { client, settle } = await withDependents()
    await client.delete(`${nodes}/n1`)
    await settle()
    expect(metadataOf(await client.get(`${pods}/mirror`))).toMatchObject({
      deletionGracePeriodSeconds: 30,
    })
    expect(metadataOf(await client.get(`${pods}/ordinary`))['deletionTimestamp']).toBeUndefined()
    expect(await client.names(leases)).toEqual([])
  })

  it('stays while the node exists', async () => {
    const { client, clock } = await withDependents()
    await clock.advance(40_000)
    expect(await client.names(pods)).toEqual(['mirror', 'ordinary'])
    expect(metadataOf(await client.get(`${pods}/mirror`))['deletionTimestamp']).toBeUndefined()
  })

  it('is deleted if it is created after the deletion, or has an earlier node of that name as owner', async () => {
    const { client, settle, mirror } = await withDependents()
    await client.delete(`${nodes}/n1`)
    await client.delete(`${pods}/mirror`, { gracePeriodSeconds: 0 })
    await client.post(nodes, readyNode('n1'))
    await settle()
    await client.post(pods, pod('late', {}, mirror))
    await settle()
    expect(metadataOf(await client.get(`${pods}/late`))['deletionTimestamp']).toBeDefined()
  })

  it('stays while another owner exists', async () => {
    const { client, settle, owner } = await withDependents()
    const second = await client.post(nodes, readyNode('n2'))
    const other = { ...owner, name: 'n2', uid: metadataOf(second)['uid'], controller: false }
    await client.post(pods, pod('shared', {}, { ownerReferences: [owner, other] }))
    await settle()
    await client.delete(`${nodes}/n1`)
    await settle()
    expect(metadataOf(await client.get(`${pods}/shared`))['deletionTimestamp']).toBeUndefined()
    await client.delete(`${nodes}/n2`)
    await settle()
    expect(metadataOf(await client.get(`${pods}/shared`))['deletionTimestamp']).toBeDefined()
  })
})
