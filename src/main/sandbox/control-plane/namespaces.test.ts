import { describe, expect, it } from 'vitest'
import { namespaces, pod } from '../fake-client.ts'
import { clusterUnderTest } from './fake-cluster.ts'

const inside = `${namespaces}/x`

describe('a deleted namespace', () => {
  it('is removed at once if it is empty', async () => {
    const { client, settle } = await clusterUnderTest()
    await client.post(namespaces, { metadata: { name: 'x' } })
    await settle()
    await client.delete(inside)
    expect((await client.get(inside)).code).toBe(200)
    await settle()
    expect((await client.get(inside)).code).toBe(404)
  })

  it('deletes its contents and waits for the grace period of its pods', async () => {
    const { client, settle, clock } = await clusterUnderTest()
    await client.post(namespaces, { metadata: { name: 'x' } })
    await settle()
    await client.post(`${inside}/configmaps`, { metadata: { name: 'c' } })
    await client.post(`${inside}/pods`, pod('web'))
    await client.delete(inside)
    await clock.advance(5000)
    expect(await client.names(`${inside}/configmaps`)).toEqual([])
    expect(await client.names(`${inside}/serviceaccounts`)).toEqual([])
    expect(await client.names(`${inside}/pods`)).toEqual(['web'])
    // As the kubelet does when the containers have ended.
    await client.delete(`${inside}/pods/web`, { gracePeriodSeconds: 0 })
    await clock.advance(5000)
    expect((await client.get(inside)).code).toBe(404)
  })

  it('is recreated if it is a system namespace', async () => {
    const { client, clock } = await clusterUnderTest()
    await client.delete(`${namespaces}/kube-node-lease`)
    await clock.advance(5000)
    expect(await client.names(namespaces)).toContain('kube-node-lease')
    expect(await client.names(`${namespaces}/kube-node-lease/serviceaccounts`)).toEqual(['default'])
  })
})

describe('a namespace', () => {
  it('gets its service account, also after its deletion', async () => {
    const { client, settle } = await clusterUnderTest()
    await client.post(namespaces, { metadata: { name: 'x' } })
    await settle()
    expect(await client.names(`${inside}/serviceaccounts`)).toEqual(['default'])
    await client.delete(`${inside}/serviceaccounts/default`)
    await settle()
    expect(await client.names(`${inside}/serviceaccounts`)).toEqual(['default'])
    expect((await client.post(`${inside}/pods`, pod('web'))).code).toBe(201)
  })
})
