import { describe, expect, it } from 'vitest'
import { objectAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import {
  configMaps,
  leases,
  metadataOf,
  namespaces,
  nodes,
  serverUnderTest,
} from '../fake-client.ts'
import { emptyNodeStatus } from './node-strategy.ts'

const events = '/api/v1/namespaces/default/events'

describe('a node', () => {
  it('keeps its initial status with canonical quantities, and has no generation', async () => {
    const { client } = serverUnderTest()
    const { body } = await client.post(nodes, {
      metadata: { name: 'n1' },
      status: {
        capacity: { cpu: 2, memory: '4096Ki' },
        conditions: [{ type: 'Ready', status: 'True' }],
      },
    })
    expect(body['status']).toEqual({
      capacity: { cpu: '2', memory: '4Mi' },
      allocatable: { cpu: '2', memory: '4Mi' },
      conditions: [{ type: 'Ready', status: 'True' }],
      ...emptyNodeStatus,
    })
    expect(objectAt(body, 'metadata')['generation']).toBeUndefined()
  })

  it('changes spec and status only through their own paths', async () => {
    const { client } = serverUnderTest()
    await client.post(nodes, { metadata: { name: 'n1' } })
    const spec = await client.patch(`${nodes}/n1`, {
      spec: { unschedulable: true },
      status: { phase: 'x' },
    })
    expect([objectAt(spec.body, 'spec')['unschedulable'], spec.body['status']]).toEqual([
      true,
      emptyNodeStatus,
    ])
    const status = await client.patch(`${nodes}/n1/status`, {
      metadata: { labels: { a: 'b' } },
      spec: { unschedulable: false },
      status: { addresses: [{ type: 'InternalIP', address: '1.2.3.4' }] },
    })
    expect(status.body['status']).toEqual({
      addresses: [{ type: 'InternalIP', address: '1.2.3.4' }],
      ...emptyNodeStatus,
    })
    expect(objectAt(status.body, 'spec')['unschedulable']).toBe(true)
    expect(metadataOf(status)['labels']).toEqual({ a: 'b' })
  })

  it('is refused with invalid taints, under upstream’s field names', async () => {
    const { client } = serverUnderTest()
    const taints = [
      { key: 'z', effect: 'X' },
      { key: 'a', value: 'b c', effect: 'NoSchedule' },
      { key: 'a', effect: 'NoSchedule' },
      { key: 'b' },
    ]
    const { message } = await client.post(nodes, { metadata: { name: 'n1' }, spec: { taints } })
    expect(message).toBe(
      `Node "n1" is invalid: [metadata.taints[0].effect: Unsupported value: "X": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute", metadata.taints[1].value: Invalid value: "b c": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?'), metadata.taints[2]: Duplicate value: {"Key":"a","Value":"","Effect":"NoSchedule","TimeAdded":null}: taints must be unique by key and effect pair, metadata.taints[3].effect: Required value]`,
    )
  })

  it('cannot change its provider ID', async () => {
    const { client } = serverUnderTest()
    await client.post(nodes, { metadata: { name: 'n1' } })
    expect((await client.patch(`${nodes}/n1`, { spec: { providerID: 'a' } })).code).toBe(200)
    expect((await client.patch(`${nodes}/n1`, { spec: { providerID: 'b' } })).message).toBe(
      'Node "n1" is invalid: spec.providerID: Forbidden: node updates may not change providerID except from "" to valid',
    )
  })

  it('is refused with invalid resources', async () => {
    const { client } = serverUnderTest()
    const negative = { metadata: { name: 'n1' }, status: { capacity: { cpu: '-1' } } }
    expect((await client.post(nodes, negative)).message).toContain(
      'status.capacity.cpu: Invalid value: "-1": must be greater than or equal to 0',
    )
    const odd = { metadata: { name: 'n1' }, status: { capacity: { cpu: 'x' } } }
    expect((await client.post(nodes, odd)).code).toBe(400)
  })
})

describe('an event', () => {
  it('without fields has an empty involved object, and is shown in tables', async () => {
    const { client } = serverUnderTest()
    const events = '/api/v1/namespaces/default/events'
    const created = await client.post(events, { metadata: { name: 'e' }, reason: 'R' })
    expect(created).toMatchObject({ code: 201, body: { involvedObject: {} } })
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io'
    expect((await client.send('GET', events, { headers: { accept } })).code).toBe(200)
    const emptied = await client.patch(`${events}/e`, { involvedObject: null }, 'merge')
    expect(emptied).toMatchObject({ code: 200, body: { involvedObject: {} } })
  })
})

describe('a namespace', () => {
  it('is active and has its finalizer and the label with its name', async () => {
    const { client } = serverUnderTest()
    const { body } = await client.post(namespaces, { metadata: { name: 'x', labels: { a: 'b' } } })
    expect([body['spec'], body['status'], objectAt(body, 'metadata')['labels']]).toEqual([
      { finalizers: ['kubernetes'] },
      { phase: 'Active' },
      { a: 'b', 'kubernetes.io/metadata.name': 'x' },
    ])
  })

  it('has the label with a generated name, too', async () => {
    const { client } = serverUnderTest()
    const meta = metadataOf(await client.post(namespaces, { metadata: { generateName: 'x-' } }))
    expect(objectAt(meta, 'labels')['kubernetes.io/metadata.name']).toBe(meta['name'])
  })

  it('keeps its label, its finalizers and its phase in updates', async () => {
    const { client } = serverUnderTest()
    await client.post(namespaces, { metadata: { name: 'x' } })
    const { body } = await client.patch(
      `${namespaces}/x`,
      {
        metadata: { labels: { 'kubernetes.io/metadata.name': 'zz' } },
        spec: null,
        status: { phase: 'y' },
      },
      'merge',
    )
    expect([body['spec'], body['status'], objectAt(body, 'metadata')['labels']]).toEqual([
      { finalizers: ['kubernetes'] },
      { phase: 'Active' },
      { 'kubernetes.io/metadata.name': 'x' },
    ])
  })

  it('has a name without dots', async () => {
    const { client } = serverUnderTest()
    expect((await client.post(namespaces, { metadata: { name: 'q.1' } })).message).toBe(
      'Namespace "q.1" is invalid: metadata.name: Invalid value: "q.1": must not contain dots',
    )
  })

  it('has the phase that follows from its deletion', async () => {
    const { client } = serverUnderTest()
    await client.post(namespaces, { metadata: { name: 'x' } })
    const wrong = await client.patch(`${namespaces}/x/status`, { status: { phase: 'Terminating' } })
    expect(wrong.message).toBe(
      'Namespace "x" is invalid: status.Phase: Invalid value: "Terminating": may only be \'Active\' if `deletionTimestamp` is empty',
    )
    await client.delete(`${namespaces}/x`)
    const back = await client.patch(`${namespaces}/x/status`, { status: { phase: 'Active' } })
    expect(back.message).toContain("may only be 'Terminating' if `deletionTimestamp` is not empty")
  })
})

describe('an event', () => {
  it.each<[JsonObject, number]>([
    [{ namespace: 'default' }, 201],
    [{ kind: 'Node' }, 201],
    [{ namespace: 'kube-system' }, 422],
  ])('about %j in the default namespace is %i', async (involvedObject, code) => {
    const { client } = serverUnderTest()
    expect((await client.post(events, { metadata: { name: 'e' }, involvedObject })).code).toBe(code)
  })

  it('about an object without a namespace belongs in the default namespace', async () => {
    const { client } = serverUnderTest()
    const elsewhere = '/api/v1/namespaces/kube-system/events'
    const answer = await client.post(elsewhere, {
      metadata: { name: 'e' },
      involvedObject: { kind: 'Node' },
    })
    expect(answer.message).toBe(
      'Event "e" is invalid: involvedObject.namespace: Invalid value: "": does not match event.namespace',
    )
  })
})

describe('a lease', () => {
  it('is refused with numbers out of range', async () => {
    const { client } = serverUnderTest()
    const spec = { leaseDurationSeconds: 0, leaseTransitions: -1 }
    expect((await client.post(leases, { metadata: { name: 'n' }, spec })).message).toBe(
      'Lease.coordination.k8s.io "n" is invalid: [spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0, spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0]',
    )
  })
})

describe('a config map', () => {
  it('has strings only', async () => {
    const { client } = serverUnderTest()
    expect(
      (await client.post(configMaps, { metadata: { name: 'c' }, data: { a: 1 } })).message,
    ).toBe(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    )
  })
})
