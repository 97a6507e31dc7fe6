import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/shared/json.ts'
import {
  configMaps,
  leases,
  metadataOf,
  namespaces,
  nodeCaller,
  nodes,
  pod,
  pods,
  serverUnderTest,
} from '../../../src/main/sandbox/fake-client.ts'
import type { Answer } from '../../../src/main/sandbox/fake-client.ts'

async function withNode() {
  const test = serverUnderTest()
  const created = await test.client.post(nodes, {
    metadata: { name: 'n1', labels: { 'kubernetes.io/hostname': 'n1' } },
  })
  await test.client.post(nodes, { metadata: { name: 'other' } })
  const uid = String(metadataOf(created)['uid'])
  const owner = { apiVersion: 'v1', kind: 'Node', name: 'n1', uid, controller: true }
  return { ...test, uid, owner, node: test.as(nodeCaller('n1')) }
}

function mirror(owners: readonly JsonObject[], spec: JsonObject = {}, metadata: JsonObject = {}) {
  return pod('m', spec, {
    annotations: { 'kubernetes.io/config.mirror': 'h' },
    ownerReferences: owners,
    ...metadata,
  })
}

function refused(answer: Answer): readonly [number, string] {
  return [answer.code, answer.message]
}

// Texts as kube-apiserver v1.34.4 answered them.
describe('api-server#node-restriction: a node that creates a pod', () => {
  it('may create a mirror pod on itself', async () => {
    const { node, owner } = await withNode()
    expect((await node.post(pods, mirror([owner]))).code).toBe(201)
  })

  it('has to own it properly', async () => {
    const { node, owner, uid } = await withNode()
    const { controller: _, ...loose } = owner
    const only = 'node "n1" can only create pods with'
    const cases: readonly (readonly [readonly JsonObject[], string])[] = [
      [[], `${only} an owner reference set to itself`],
      [
        [owner, { ...owner, name: 'zz', controller: false }],
        `${only} a single owner reference set to itself`,
      ],
      [[{ ...owner, kind: 'Foo' }], `${only} an owner reference set to itself`],
      [[{ ...owner, name: 'other' }], `${only} an owner reference set to itself`],
      [[loose], `${only} a controller owner reference set to itself`],
      [
        [{ ...owner, blockOwnerDeletion: true }],
        'node "n1" must not set blockOwnerDeletion on an owner reference',
      ],
      [[{ ...owner, uid: 'zz' }], `node n1 UID mismatch: expected zz got ${uid}`],
    ]
    for (const [owners, why] of cases) {
      expect(refused(await node.post(pods, mirror(owners)))).toEqual([
        403,
        `pods "m" is forbidden: ${why}`,
      ])
    }
  })

  it.each<[JsonObject, JsonObject, string]>([
    [
      {},
      { annotations: {} },
      'pod does not have "kubernetes.io/config.mirror" annotation, node "n1" can only create mirror pods',
    ],
    [{ nodeName: 'other' }, {}, 'node "n1" can only create pods with spec.nodeName set to itself'],
    [
      { volumes: [{ name: 'v', configMap: { name: 'x' } }] },
      {},
      'node "n1" can not create pods that reference configmaps',
    ],
    [
      { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'x' } }] },
      {},
      'node "n1" can not create pods that reference persistentvolumeclaims',
    ],
    [
      {
        volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }],
      },
      {},
      'a mirror pod may not use ServiceAccountToken volume projections',
    ],
    [
      { containers: [{ name: 'c', image: 'x', envFrom: [{ secretRef: { name: 's' } }] }] },
      {},
      'a mirror pod may not reference secrets',
    ],
    [
      {
        containers: [
          {
            name: 'c',
            image: 'x',
            env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'c', key: 'k' } } }],
          },
        ],
      },
      {},
      'node "n1" can not create pods that reference configmaps',
    ],
    [{ imagePullSecrets: [{ name: 's' }] }, {}, 'a mirror pod may not reference secrets'],
  ])('is refused %j %j', async (spec, metadata, why) => {
    const { node, owner } = await withNode()
    expect(refused(await node.post(pods, mirror([owner], spec, metadata)))).toEqual([
      403,
      `pods "m" is forbidden: ${why}`,
    ])
  })
})

describe('api-server#node-restriction: pods of other nodes', () => {
  it('may neither write their status nor delete them', async () => {
    const { node, client } = await withNode()
    await client.post(pods, pod('foreign', { nodeName: 'other' }))
    const status = await node.patch(`${pods}/foreign/status`, { status: { phase: 'Running' } })
    expect(refused(status)).toEqual([
      403,
      'pods "foreign" is forbidden: node "n1" can only update pod status for pods with spec.nodeName set to itself',
    ])
    const deletion = await node.delete(`${pods}/foreign`, { gracePeriodSeconds: 0 })
    expect(refused(deletion)).toEqual([
      403,
      'pods "foreign" is forbidden: node "n1" can only delete pods with spec.nodeName set to itself',
    ])
    expect(await client.names(pods)).toEqual(['foreign'])
  })

  it('may write the status of its own, without labels, and delete them', async () => {
    const { node, client } = await withNode()
    await client.post(pods, pod('own'))
    expect((await node.patch(`${pods}/own/status`, { status: { phase: 'Running' } })).code).toBe(
      200,
    )
    const labels = await node.patch(`${pods}/own/status`, { metadata: { labels: { a: 'b' } } })
    expect(refused(labels)).toEqual([
      403,
      'pods "own" is forbidden: node "n1" cannot update labels through pod status',
    ])
    expect((await node.delete(`${pods}/own`, { gracePeriodSeconds: 0 })).code).toBe(200)
  })

  it('has no rights to the rest', async () => {
    const { node, client } = await withNode()
    await client.post(pods, pod('own'))
    const cannot = (verb: string, resource: string, scope: string) =>
      `User "system:node:n1" cannot ${verb} resource "${resource}" in API group "" ${scope}`
    const inDefault = 'in the namespace "default"'
    expect(refused(await node.patch(`${pods}/own`, {}))).toEqual([
      403,
      `pods "own" is forbidden: ${cannot('patch', 'pods', inDefault)}`,
    ])
    expect(refused(await node.post(`${pods}/own/binding`, {}))).toEqual([
      403,
      `pods "own" is forbidden: ${cannot('create', 'pods/binding', inDefault)}`,
    ])
    expect(refused(await node.delete(`${nodes}/n1`))).toEqual([
      403,
      `nodes "n1" is forbidden: ${cannot('delete', 'nodes', 'at the cluster scope')}`,
    ])
    expect(refused(await node.post(namespaces, { metadata: { name: 'x' } }))).toEqual([
      403,
      `namespaces is forbidden: ${cannot('create', 'namespaces', 'at the cluster scope')}`,
    ])
    expect((await node.post(configMaps, { metadata: { name: 'x' } })).code).toBe(403)
    expect((await node.delete(pods)).code).toBe(403)
  })
})

describe('api-server#node-restriction: nodes', () => {
  it('may register itself and no other node', async () => {
    const test = serverUnderTest()
    const node = test.as(nodeCaller('n1'))
    expect(
      (
        await node.post(nodes, {
          metadata: { name: 'n1', labels: { 'kubernetes.io/os': 'linux', own: 'x' } },
        })
      ).code,
    ).toBe(201)
    expect(refused(await node.post(nodes, { metadata: { name: 'n9' } }))).toEqual([
      403,
      'nodes "n9" is forbidden: node "n1" is not allowed to modify node "n9"',
    ])
  })

  it.each<[JsonObject, string]>([
    [{ 'node-restriction.kubernetes.io/a': 'b' }, 'node-restriction.kubernetes.io/a'],
    [
      { 'node-role.kubernetes.io/worker': '', 'a.kubernetes.io/b': 'c' },
      'a.kubernetes.io/b, node-role.kubernetes.io/worker',
    ],
  ])('may not register with labels %j', async (labels, named) => {
    const node = serverUnderTest().as(nodeCaller('n1'))
    expect(refused(await node.post(nodes, { metadata: { name: 'n1', labels } }))).toEqual([
      403,
      `nodes "n1" is forbidden: node "n1" is not allowed to set the following labels: ${named}`,
    ])
  })

  it.each<[JsonObject, string]>([
    [{ spec: { taints: [] } }, 'node "n1" is not allowed to modify taints'],
    [
      { metadata: { labels: { 'node-role.kubernetes.io/x': '' } } },
      'is not allowed to modify labels: node-role.kubernetes.io/x',
    ],
    [
      { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'a', uid: 'b' }] } },
      'node "n1" is not allowed to modify ownerReferences',
    ],
  ])('may not patch itself with %j', async (patch, why) => {
    const { node } = await withNode()
    expect(refused(await node.patch(`${nodes}/n1`, patch, 'merge'))).toEqual([
      403,
      `nodes "n1" is forbidden: ${why}`,
    ])
  })

  it('may patch its labels, its cordon and its status', async () => {
    const { node } = await withNode()
    for (const answer of [
      await node.patch(`${nodes}/n1`, {
        metadata: { labels: { foo: 'bar', 'kubelet.kubernetes.io/x': 'y' } },
      }),
      await node.patch(`${nodes}/n1`, { spec: { unschedulable: true } }),
      await node.patch(`${nodes}/n1/status`, {
        status: { conditions: [{ type: 'Ready', status: 'True' }] },
      }),
    ]) {
      expect(answer.code).toBe(200)
    }
  })

  it('without a name has no rights', async () => {
    const test = serverUnderTest()
    const nobody = test.as({ user: 'x', groups: ['system:nodes'], client: 'y' })
    expect((await nobody.post(nodes, { metadata: { name: 'n1' } })).message).toBe(
      'nodes "n1" is forbidden: could not determine node from the user',
    )
  })
})

describe('api-server#node-restriction: leases', () => {
  it('may write the lease of its name, where leases of nodes are', async () => {
    const { node } = await withNode()
    expect((await node.post(leases, { metadata: { name: 'n1' }, spec: {} })).code).toBe(201)
    expect(refused(await node.post(leases, { metadata: { name: 'zz' }, spec: {} }))).toEqual([
      403,
      'leases.coordination.k8s.io "zz" is forbidden: can only access node lease with the same name as the requesting node',
    ])
    const elsewhere = '/apis/coordination.k8s.io/v1/namespaces/default/leases'
    expect((await node.post(elsewhere, { metadata: { name: 'n1' }, spec: {} })).code).toBe(403)
  })

  it('may write events', async () => {
    const { node } = await withNode()
    const event = { metadata: { name: 'e' }, involvedObject: { namespace: 'default' } }
    expect((await node.post('/api/v1/namespaces/default/events', event)).code).toBe(201)
  })
})
