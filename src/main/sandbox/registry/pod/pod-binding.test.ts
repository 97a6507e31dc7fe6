import { describe, expect, it } from 'vitest'
import { objectAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import { metadataOf, pod, pods, serverUnderTest } from '../../fake-client.ts'

async function withPod(spec: JsonObject = { nodeName: '' }) {
  const test = serverUnderTest()
  const created = await test.client.post(pods, pod('web', spec))
  return { ...test, uid: String(metadataOf(created)['uid']) }
}

function binding(fields: JsonObject = {}): JsonObject {
  return { metadata: { name: 'web' }, target: { kind: 'Node', name: 'n1' }, ...fields }
}

const path = `${pods}/web/binding`

describe('a binding', () => {
  it('assigns the pod to its node and sets PodScheduled', async () => {
    const { client } = await withPod()
    const answer = await client.post(path, binding())
    expect([answer.code, answer.body['status']]).toEqual([201, 'Success'])
    const { body } = await client.get(`${pods}/web`)
    expect(objectAt(body, 'spec')['nodeName']).toBe('n1')
    // A binding does not change the generation.
    expect(objectAt(body, 'metadata')['generation']).toBe(1)
    expect(objectAt(body, 'status')['conditions']).toEqual([
      {
        type: 'PodScheduled',
        status: 'True',
        lastProbeTime: null,
        lastTransitionTime: '2026-01-01T00:00:00Z',
      },
    ])
  })

  it('with dryRun does not assign the pod', async () => {
    const { client } = await withPod()
    expect((await client.post(path, binding(), { dryRun: 'All' })).code).toBe(201)
    expect(objectAt((await client.get(`${pods}/web`)).body, 'spec')['nodeName']).toBe('')
  })

  it.each<[JsonObject, number, string]>([
    [{ metadata: { name: 'other' } }, 400, 'name in URL does not match name in Binding object'],
    [
      { target: { kind: 'Foo', name: '' } },
      500,
      '[target.kind: Unsupported value: "Foo": supported values: "Node", "<empty>", target.name: Required value]',
    ],
    [
      { metadata: { name: 'web', uid: 'zz' } },
      409,
      'Operation cannot be fulfilled on pods "web": StorageError: invalid object, Code: 4, Key: /registry/pods/default/web, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: zz, UID in object meta: UID',
    ],
  ])('with %j is refused', async (fields, code, message) => {
    const { client, uid } = await withPod()
    const answer = await client.post(path, binding(fields))
    expect([answer.code, answer.message.replace(uid, 'UID')]).toEqual([code, message])
  })

  it('of a pod with scheduling gates is refused', async () => {
    const { client } = await withPod({ nodeName: '', schedulingGates: [{ name: 'a.b/c' }] })
    const answer = await client.post(path, binding())
    expect([answer.code, answer.message]).toEqual([
      409,
      'Operation cannot be fulfilled on pods/binding "web": pod web has non-empty .spec.schedulingGates',
    ])
  })

  it('of a pod that is bound, terminating or missing is refused', async () => {
    const { client } = await withPod({ nodeName: 'n2' })
    const bound = await client.post(path, binding())
    expect([bound.code, bound.message]).toEqual([
      409,
      'Operation cannot be fulfilled on pods/binding "web": pod web is already assigned to node "n2"',
    ])
    await client.delete(`${pods}/web`)
    expect((await client.post(path, binding())).message).toBe(
      'Operation cannot be fulfilled on pods/binding "web": pod web is being deleted, cannot be assigned to a host',
    )
    const missing = await client.post(`${pods}/zz/binding`, binding({ metadata: { name: 'zz' } }))
    expect(missing.code).toBe(404)
  })
})
