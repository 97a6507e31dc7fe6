import { describe, expect, it } from 'vitest'
import { configMaps, pods } from '../../fake-client.ts'
import { clusterUnderTest } from '../fake-cluster.ts'
import { runPods, workloadNamed } from '../fake-pods.ts'

const deployments = '/apis/apps/v1/namespaces/default/deployments'
const sets = '/apis/apps/v1/namespaces/default/replicasets'

describe('a deleted owner', () => {
  it.each([
    ['Background', 0, 0],
    ['Foreground', 0, 0],
    ['Orphan', 1, 2],
  ])('with the policy %s leaves %i ReplicaSets and %i pods', async (policy, setCount, podCount) => {
    const test = await clusterUnderTest()
    await test.client.post(deployments, workloadNamed('web', { replicas: 2 }))
    await runPods(test)
    await test.client.delete(`${deployments}/web`, { propagationPolicy: policy })
    await test.settle()
    expect(await test.client.names(deployments)).toEqual([])
    expect(await test.client.names(sets)).toHaveLength(setCount)
    expect(await test.client.names(pods)).toHaveLength(podCount)
  })
})

describe('an object', () => {
  it('whose owner has another UID is deleted, and with another owner only loses it', async () => {
    const { client, settle } = await clusterUnderTest()
    const { body } = await client.post(configMaps, { metadata: { name: 'root' } })
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'root' }
    const wrong = { ...owner, uid: '00000000-0000-4000-8000-000000000000' }
    const right = { ...owner, uid: Object(body['metadata']).uid as string }
    await client.post(configMaps, { metadata: { name: 'lost', ownerReferences: [wrong] } })
    await client.post(configMaps, { metadata: { name: 'both', ownerReferences: [wrong, right] } })
    await settle()
    expect(await client.names(configMaps)).toEqual(['both', 'kube-root-ca.crt', 'root'])
    const both = await client.get(`${configMaps}/both`)
    expect(both.body['metadata']).toMatchObject({ ownerReferences: [right] })
  })
})
