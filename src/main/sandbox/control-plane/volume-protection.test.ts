import { describe, expect, it } from 'vitest'
import { nodes, pod, pods } from '../fake-client.ts'
import { clusterUnderTest, readyNode } from './fake-cluster.ts'

const claims = '/api/v1/namespaces/default/persistentvolumeclaims'
const volumes = '/api/v1/persistentvolumes'

const storage = { storage: '1Gi' }
const claim = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: storage } },
}
const volume = {
  metadata: { name: 'disk' },
  spec: { accessModes: ['ReadWriteOnce'], capacity: storage, hostPath: { path: '/data' } },
}

describe('a deleted claim', () => {
  it('is removed at once if no pod uses it', async () => {
    const { client, settle } = await clusterUnderTest()
    await client.post(claims, claim)
    await client.delete(`${claims}/data`)
    await settle()
    expect(await client.names(claims)).toEqual([])
  })

  it('stays until the last pod on a node that uses it is deleted', async () => {
    const { client, settle } = await clusterUnderTest()
    await client.post(nodes, readyNode('n1'))
    await client.post(claims, claim)
    const mounted = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }]
    await client.post(pods, pod('web', { nodeName: 'n1', volumes: mounted }))
    await settle()
    await client.delete(`${claims}/data`)
    await settle()
    expect(await client.names(claims)).toEqual(['data'])
    await client.delete(`${pods}/web`, { gracePeriodSeconds: 0 })
    await settle()
    expect(await client.names(claims)).toEqual([])
  })

  it('is removed with its namespace', async () => {
    const { client, clock } = await clusterUnderTest()
    await client.post('/api/v1/namespaces', { metadata: { name: 'x' } })
    await client.post('/api/v1/namespaces/x/persistentvolumeclaims', claim)
    await client.delete('/api/v1/namespaces/x')
    await clock.advance(10_000)
    expect((await client.get('/api/v1/namespaces/x')).code).toBe(404)
  })
})

describe('a deleted volume', () => {
  it('stays while it is bound', async () => {
    const { client, settle } = await clusterUnderTest()
    await client.post(volumes, volume)
    await settle()
    await client.post(claims, claim)
    await settle()
    await client.delete(`${volumes}/disk`)
    await settle()
    expect(await client.names(volumes)).toEqual(['disk'])
    await client.delete(`${claims}/data`)
    await settle()
    expect(await client.names(volumes)).toEqual([])
  })
})
