import { describe, expect, it } from 'vitest'
import { objectAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import { nodes, pod, pods } from '../../fake-client.ts'
import { clusterUnderTest, eventsAbout, keepAlive, readyNode } from '../fake-cluster.ts'
import type { ClusterUnderTest } from '../fake-cluster.ts'
import { standardClass } from './storage-provisioner.ts'

const claims = '/api/v1/namespaces/default/persistentvolumeclaims'
const volumes = '/api/v1/persistentvolumes'
const classes = '/apis/storage.k8s.io/v1/storageclasses'

function claim(name: string, more: JsonObject = {}): JsonObject {
  const resources = { requests: { storage: '1Gi' } }
  return { metadata: { name }, spec: { accessModes: ['ReadWriteOnce'], resources, ...more } }
}

function using(name: string, claimName: string): JsonObject {
  const data = { name: 'data', persistentVolumeClaim: { claimName } }
  return pod(name, { nodeName: '', volumes: [data] })
}

/** Two nodes, and the class `standard`. */
async function cluster(): Promise<ClusterUnderTest> {
  const test = await clusterUnderTest()
  for (const name of ['n1', 'n2']) {
    const labels = { 'kubernetes.io/hostname': name }
    await test.client.post(nodes, readyNode(name, {}, { labels }))
    await keepAlive(test, name)
  }
  await test.client.post(classes, { ...standardClass })
  await test.settle()
  return test
}

async function found({ client }: ClusterUnderTest, path: string) {
  const { body } = await client.get(path)
  return { spec: objectAt(body, 'spec'), status: objectAt(body, 'status') }
}

describe('a claim of the class standard', () => {
  it('gets a folder of the node of its first pod, which goes with it', async () => {
    const test = await cluster()
    const { client, clock, settle } = test
    await client.post(claims, claim('data'))
    await settle()
    expect((await found(test, `${claims}/data`)).spec['storageClassName']).toBe('standard')
    expect(await eventsAbout(client, 'data')).toEqual([
      'Normal WaitForFirstConsumer: waiting for first consumer to be created before binding',
    ])
    await client.post(pods, using('web', 'data'))
    await clock.advance(3000)
    const bound = await found(test, `${claims}/data`)
    expect(bound.status).toMatchObject({ phase: 'Bound', capacity: { storage: '1Gi' } })
    const node = textAt((await found(test, `${pods}/web`)).spec, 'nodeName')
    expect(['n1', 'n2']).toContain(node)
    const volumeName = textAt(bound.spec, 'volumeName')
    expect((await found(test, `${volumes}/${volumeName}`)).spec).toMatchObject({
      hostPath: { path: `/var/lib/nodescope/volumes/${volumeName}_default_data` },
      nodeAffinity: {
        required: { nodeSelectorTerms: [{ matchExpressions: [{ values: [node] }] }] },
      },
    })
    expect(await eventsAbout(client, 'data')).toEqual([
      'Normal WaitForFirstConsumer: waiting for first consumer to be created before binding',
      'Normal Provisioning: External provisioner is provisioning volume for claim "default/data"',
      expect.stringContaining('Normal ExternalProvisioning: Waiting for a volume to be created'),
      `Normal ProvisioningSucceeded: Successfully provisioned volume ${volumeName}`,
    ])
    await client.delete(`${pods}/web`, { gracePeriodSeconds: 0 })
    await client.delete(`${claims}/data`)
    await clock.advance(1000)
    expect(await client.names(volumes)).toEqual([])
  })

  it('keeps a later pod on the same node', async () => {
    const test = await cluster()
    const { client, clock, settle } = test
    await client.post(claims, claim('data'))
    await client.post(pods, using('first', 'data'))
    await clock.advance(6000)
    const node = textAt((await found(test, `${pods}/first`)).spec, 'nodeName')
    await client.patch(`${nodes}/${node}`, { spec: { unschedulable: true } })
    await settle()
    await client.post(pods, using('second', 'data'))
    await clock.advance(1000)
    expect((await eventsAbout(client, 'second'))[0]).toContain(
      "1 node(s) didn't match PersistentVolume's node affinity, 1 node(s) were unschedulable",
    )
  })

  it('stays pending with what is missing if a folder cannot be it', async () => {
    const test = await cluster()
    const { client, clock } = test
    await client.post(claims, claim('shared', { accessModes: ['ReadWriteMany'] }))
    await client.post(pods, using('web', 'shared'))
    await clock.advance(3000)
    expect(await eventsAbout(client, 'shared')).toContain(
      'Warning ProvisioningFailed: failed to provision volume with StorageClass "standard": a folder of a node supports the access modes ReadWriteOnce and ReadWriteOncePod only',
    )
    expect((await found(test, `${claims}/shared`)).status['phase']).toBe('Pending')
    expect((await found(test, `${pods}/web`)).spec['nodeName'] ?? '').toBe('')
  })
})

describe('the scheduler', () => {
  it('binds volumes that wait for their first consumer, the smallest that the node reaches', async () => {
    const test = await cluster()
    const { client, clock } = test
    await client.post(classes, {
      metadata: { name: 'local' },
      provisioner: 'kubernetes.io/no-provisioner',
      volumeBindingMode: 'WaitForFirstConsumer',
    })
    for (const [name, size, node] of [
      ['small', '1Gi', 'n2'],
      ['large', '2Gi', 'n2'],
    ] as const)
      await client.post(volumes, {
        metadata: { name },
        spec: {
          capacity: { storage: size },
          accessModes: ['ReadWriteOnce'],
          storageClassName: 'local',
          local: { path: '/mnt' },
          nodeAffinity: {
            required: {
              nodeSelectorTerms: [
                {
                  matchExpressions: [
                    { key: 'kubernetes.io/hostname', operator: 'In', values: [node] },
                  ],
                },
              ],
            },
          },
        },
      })
    for (const name of ['a', 'b']) {
      await client.post(claims, claim(name, { storageClassName: 'local' }))
      await clock.advance(200)
    }
    await client.post(pods, using('first', 'a'))
    await client.post(pods, using('second', 'b'))
    await clock.advance(3000)
    expect((await found(test, `${claims}/a`)).spec['volumeName']).toBe('small')
    expect((await found(test, `${claims}/b`)).spec['volumeName']).toBe('large')
    for (const name of ['first', 'second'])
      expect((await found(test, `${pods}/${name}`)).spec['nodeName']).toBe('n2')
  })
})

describe('a claim without a class', () => {
  it('gets the default class that comes later', async () => {
    const test = await clusterUnderTest()
    const { client, clock, settle } = test
    await client.post(claims, claim('early'))
    await settle()
    expect(await eventsAbout(client, 'early')).toEqual([
      'Normal FailedBinding: no persistent volumes available for this claim and no storage class is set',
    ])
    await client.post(classes, { ...standardClass })
    await clock.advance(16_000)
    expect((await found(test, `${claims}/early`)).spec['storageClassName']).toBe('standard')
  })
})
