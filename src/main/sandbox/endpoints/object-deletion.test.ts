import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../shared/json.ts'
import {
  configMaps,
  metadataOf,
  namespaces,
  nodes,
  pod,
  pods,
  serverUnderTest,
} from '../fake-client.ts'
import type { Answer } from '../fake-client.ts'

function deletionOf(answer: Answer): JsonObject {
  const { generation, deletionTimestamp, deletionGracePeriodSeconds } = metadataOf(answer)
  return { generation, deletionTimestamp, deletionGracePeriodSeconds }
}

async function withPod(spec: JsonObject = {}, metadata: JsonObject = {}) {
  const test = serverUnderTest()
  const created = await test.client.post(pods, pod('web', spec, metadata))
  const version = String(metadataOf(created)['resourceVersion'])
  const uid = String(metadataOf(created)['uid'])
  return { ...test, uid, log: await test.client.watch(pods, { resourceVersion: version }) }
}

// api-server#pod-deletion, as kube-apiserver v1.34.4 answered.
describe('the deletion of a running pod', () => {
  it.each<[string, JsonObject, JsonObject | undefined, Record<string, string>, number, string]>([
    [
      'takes the grace of the spec',
      { terminationGracePeriodSeconds: 7 },
      undefined,
      {},
      7,
      '2026-01-01T00:00:07Z',
    ],
    ['takes half a minute by default', {}, {}, {}, 30, '2026-01-01T00:00:30Z'],
    [
      'takes the grace of its options',
      {},
      { gracePeriodSeconds: 9 },
      {},
      9,
      '2026-01-01T00:00:09Z',
    ],
    [
      'takes the grace of its query',
      {},
      undefined,
      { gracePeriodSeconds: '5' },
      5,
      '2026-01-01T00:00:05Z',
    ],
    [
      'takes its options before its query',
      {},
      { gracePeriodSeconds: 9 },
      { gracePeriodSeconds: '5' },
      9,
      '2026-01-01T00:00:09Z',
    ],
    [
      'takes one second for a negative grace',
      {},
      { gracePeriodSeconds: -3 },
      {},
      1,
      '2026-01-01T00:00:01Z',
    ],
  ])('%s', async (_, spec, options, query, seconds, at) => {
    const { client, log } = await withPod(spec)
    const answer = await client.delete(`${pods}/web`, options, query)
    expect([answer.code, answer.body['kind']]).toEqual([200, 'Pod'])
    expect(deletionOf(answer)).toEqual({
      generation: 2,
      deletionTimestamp: at,
      deletionGracePeriodSeconds: seconds,
    })
    expect(await log.seen()).toEqual(['MODIFIED web'])
  })

  it('with force shows watches both steps, and answers with the pod', async () => {
    const { client, log, uid } = await withPod()
    const answer = await client.delete(`${pods}/web`, { gracePeriodSeconds: 0 })
    expect([answer.code, answer.body['kind'], metadataOf(answer)['uid']]).toEqual([200, 'Pod', uid])
    expect(await log.seen()).toEqual(['MODIFIED web', 'DELETED web'])
    const shown = log.events.map(({ object }) => {
      // The watch shows pods.
      const { metadata } = object as { metadata: JsonObject }
      return [metadata['uid'], metadata['deletionGracePeriodSeconds'], metadata['resourceVersion']]
    })
    expect(shown).toEqual([
      [uid, 0, '13'],
      [uid, 0, '14'],
    ])
    expect((await client.get(`${pods}/web`)).code).toBe(404)
  })
})

describe('the deletion of a pod without running containers', () => {
  it('is immediate if the pod has no node', async () => {
    const { client, log } = await withPod({ nodeName: '' })
    await client.delete(`${pods}/web`)
    expect(await log.seen()).toEqual(['MODIFIED web', 'DELETED web'])
  })

  it.each(['Succeeded', 'Failed'])('is done at once when it is %s', async (phase) => {
    const { client } = await withPod()
    await client.patch(`${pods}/web/status`, { status: { phase } })
    await client.delete(`${pods}/web`, { gracePeriodSeconds: 30 })
    expect((await client.get(`${pods}/web`)).code).toBe(404)
  })
})

describe('a repeated deletion', () => {
  it.each<[string, JsonObject | undefined, number, string, boolean]>([
    ['without a grace changes nothing', undefined, 30, '2026-01-01T00:00:30Z', false],
    [
      'with a longer grace changes nothing',
      { gracePeriodSeconds: 60 },
      30,
      '2026-01-01T00:00:30Z',
      false,
    ],
    [
      'with the same grace changes nothing',
      { gracePeriodSeconds: 30 },
      30,
      '2026-01-01T00:00:30Z',
      false,
    ],
    [
      'with a shorter grace moves the end',
      { gracePeriodSeconds: 5 },
      5,
      '2026-01-01T00:00:05Z',
      true,
    ],
    [
      'with a grace that is over already moves it to now, with one second',
      { gracePeriodSeconds: 1 },
      1,
      '2026-01-01T00:00:02Z',
      true,
    ],
    [
      'with a negative grace counts it as one second',
      { gracePeriodSeconds: -1 },
      1,
      '2026-01-01T00:00:02Z',
      true,
    ],
  ])('%s', async (_, options, seconds, at, isWritten) => {
    const { client, clock, log } = await withPod()
    await client.delete(`${pods}/web`)
    await clock.advance(2000)
    const answer = await client.delete(`${pods}/web`, options)
    // Counted from the first request, and no new generation.
    expect(deletionOf(answer)).toEqual({
      generation: 2,
      deletionTimestamp: at,
      deletionGracePeriodSeconds: seconds,
    })
    expect(await log.seen()).toHaveLength(isWritten ? 2 : 1)
  })

  it('with grace period 0, as a kubelet sends it, removes the pod', async () => {
    const { client, log, uid } = await withPod()
    await client.delete(`${pods}/web`)
    await client.delete(`${pods}/web`, { gracePeriodSeconds: 0, preconditions: { uid } })
    expect(await log.seen()).toEqual(['MODIFIED web', 'MODIFIED web', 'DELETED web'])
    const again = await client.delete(`${pods}/web`)
    expect([again.code, again.message]).toEqual([404, 'pods "web" not found'])
  })
})

describe('a precondition', () => {
  it.each<[JsonObject, string]>([
    [
      { uid: 'xx' },
      'the UID in the precondition (xx) does not match the UID in record (UID). The object might have been deleted and then recreated',
    ],
    [
      { resourceVersion: '5' },
      'the ResourceVersion in the precondition (5) does not match the ResourceVersion in record (12). The object might have been modified',
    ],
  ])('%j that is not met leaves the pod alone', async (preconditions, why) => {
    const { client, log, uid } = await withPod()
    const answer = await client.delete(`${pods}/web`, { gracePeriodSeconds: 0, preconditions })
    expect([answer.code, answer.body['reason']]).toEqual([409, 'Conflict'])
    expect(answer.message.replace(uid, 'UID')).toBe(
      `Operation cannot be fulfilled on Pod "web": ${why}`,
    )
    expect(await log.seen()).toEqual([])
  })

  it('that is met allows the deletion', async () => {
    const { client, uid } = await withPod()
    const preconditions = { uid, resourceVersion: '12' }
    expect((await client.delete(`${pods}/web`, { preconditions })).code).toBe(200)
  })
})

describe('a finalizer', () => {
  it('keeps a pod whose grace period is over until the last one is removed', async () => {
    const { client, log } = await withPod({}, { finalizers: ['a.b/c', 'a.b/d'] })
    await client.delete(`${pods}/web`, { gracePeriodSeconds: 0 })
    expect(deletionOf(await client.get(`${pods}/web`))).toEqual({
      generation: 2,
      deletionTimestamp: '2026-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 0,
    })
    expect((await client.delete(`${pods}/web`, { gracePeriodSeconds: 0 })).code).toBe(200)
    await client.patch(`${pods}/web`, { metadata: { finalizers: ['a.b/d'] } }, 'merge')
    const last = await client.patch(`${pods}/web`, { metadata: { finalizers: null } }, 'merge')
    expect(last.code).toBe(200)
    expect(await log.seen()).toEqual(['MODIFIED web', 'MODIFIED web', 'DELETED web'])
  })

  it('does not shorten the grace period if it is removed first', async () => {
    const { client } = await withPod({}, { finalizers: ['a.b/c'] })
    await client.delete(`${pods}/web`)
    await client.patch(`${pods}/web`, { metadata: { finalizers: null } }, 'merge')
    expect((await client.get(`${pods}/web`)).code).toBe(200)
  })

  it('keeps an object without a grace period, too', async () => {
    const { client } = serverUnderTest()
    await client.post(configMaps, { metadata: { name: 'x', finalizers: ['a.b/c'] } })
    const answer = await client.delete(`${configMaps}/x`)
    expect([answer.body['kind'], deletionOf(answer)]).toEqual([
      'ConfigMap',
      {
        generation: undefined,
        deletionTimestamp: '2026-01-01T00:00:00Z',
        deletionGracePeriodSeconds: 0,
      },
    ])
    await client.patch(`${configMaps}/x`, { metadata: { finalizers: [] } }, 'merge')
    expect((await client.get(`${configMaps}/x`)).code).toBe(404)
  })
})

describe('the deletion of an object without a grace period', () => {
  it('is answered with a Status that names the object', async () => {
    const { client } = serverUnderTest()
    const created = await client.post(nodes, { metadata: { name: 'n1' } })
    const log = await client.watch(nodes)
    const { body } = await client.delete(`${nodes}/n1`)
    const { uid } = metadataOf(created)
    expect(body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'n1', kind: 'nodes', uid },
    })
    expect(await log.seen()).toEqual(['ADDED n1', 'DELETED n1'])
  })

  it('of a service account is answered with the object', async () => {
    const { client } = serverUnderTest()
    const { body } = await client.delete('/api/v1/namespaces/default/serviceaccounts/default')
    expect(body['kind']).toBe('ServiceAccount')
  })
})

describe('the deletion of a namespace', () => {
  it('only marks it, regardless of the options', async () => {
    const { client } = serverUnderTest()
    await client.post(namespaces, { metadata: { name: 'x' } })
    const answer = await client.delete(`${namespaces}/x`, { gracePeriodSeconds: 0 })
    expect(answer.body).toMatchObject({
      kind: 'Namespace',
      metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Terminating' },
    })
    expect((await client.delete(`${namespaces}/x`)).body).toEqual(answer.body)
  })

  it('is complete when its finalizer is removed', async () => {
    const { client } = serverUnderTest()
    await client.post(namespaces, { metadata: { name: 'x' } })
    const { body } = await client.delete(`${namespaces}/x`)
    const answer = await client.put(`${namespaces}/x/finalize`, { ...body, spec: {} })
    expect(answer.code).toBe(200)
    expect((await client.get(`${namespaces}/x`)).code).toBe(404)
  })

  it('does not follow from the removal of its finalizer alone', async () => {
    const { client } = serverUnderTest()
    const { body } = await client.post(namespaces, { metadata: { name: 'x' } })
    await client.put(`${namespaces}/x/finalize`, { ...body, spec: {} })
    expect((await client.get(`${namespaces}/x`)).code).toBe(200)
  })

  it.each(['default', 'kube-system', 'kube-public'])('refuses %s', async (name) => {
    const { client } = serverUnderTest()
    const answer = await client.delete(`${namespaces}/${name}`)
    expect([answer.code, answer.message]).toEqual([
      403,
      `namespaces "${name}" is forbidden: this namespace may not be deleted`,
    ])
  })
})

describe('the options of a deletion', () => {
  it('with dryRun give the same answer and change nothing', async () => {
    const { client, log } = await withPod()
    for (const [body, query] of [
      [undefined, { dryRun: 'All' }],
      [{ dryRun: ['All'], gracePeriodSeconds: 0 }, {}],
    ] as const) {
      const answer = await client.delete(`${pods}/web`, body, query)
      expect([answer.code, metadataOf(answer)['generation']]).toEqual([200, 2])
    }
    expect(await log.seen()).toEqual([])
  })

  it.each<[unknown, Record<string, string>, number, string]>([
    [
      { gracePeriodSeconds: 'x' },
      {},
      500,
      'json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64',
    ],
    [
      { dryRun: ['foo'] },
      {},
      422,
      'DeleteOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["foo"]: supported values: "All"',
    ],
    [
      undefined,
      { dryRun: 'foo' },
      422,
      'DeleteOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["foo"]: supported values: "All"',
    ],
    [
      { propagationPolicy: 'foo' },
      {},
      422,
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "foo": supported values: "Foreground", "Background", "Orphan", "nil"',
    ],
    [undefined, { gracePeriodSeconds: 'x' }, 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
    [{ kind: 'Pod' }, {}, 400, 'the options of a deletion cannot be a Pod'],
    ['x', {}, 400, 'the options of a deletion must be an object'],
  ])('%j %j are refused', async (body, query, code, message) => {
    const { client } = await withPod()
    const answer = await client.delete(`${pods}/web`, body, query)
    expect([answer.code, answer.message]).toEqual([code, message])
  })

  it.each(['Background', 'Foreground', 'Orphan'])('may ask for %s', async (propagationPolicy) => {
    const { client } = await withPod()
    expect((await client.delete(`${pods}/web`, { propagationPolicy })).code).toBe(200)
  })
})
