import { describe, expect, it } from 'vitest'
import { objectAt, objectsAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import { admin, metadataOf, nodeCaller, pod, pods, serverUnderTest } from '../../fake-client.ts'

function eviction(deleteOptions?: JsonObject, name = 'web'): JsonObject {
  return {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name },
    ...(deleteOptions === undefined ? {} : { deleteOptions }),
  }
}

async function withPod(spec: JsonObject = {}, metadata: JsonObject = {}) {
  const test = serverUnderTest()
  const created = await test.client.post(pods, pod('web', spec, metadata))
  await test.client.patch(`${pods}/web/status`, {
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  })
  const log = await test.client.watch(pods, { resourceVersion: '13' })
  return { ...test, log, uid: String(metadataOf(created)['uid']) }
}

const evictionPath = `${pods}/web/eviction`

describe('an eviction', () => {
  it('is answered with 201 and a Status, as seen on a real server', async () => {
    const { client } = await withPod()
    const answer = await client.post(evictionPath, eviction())
    expect([answer.code, answer.body]).toEqual([
      201,
      { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
    ])
  })

  it('sets the condition, then deletes with the pod’s grace period', async () => {
    const { client, log } = await withPod()
    await client.post(evictionPath, eviction())
    expect(await log.seen()).toEqual(['MODIFIED web', 'MODIFIED web'])
    const { body } = await client.get(`${pods}/web`)
    expect(objectsAt(objectAt(body, 'status'), 'conditions').at(-1)).toEqual({
      type: 'DisruptionTarget',
      status: 'True',
      lastProbeTime: null,
      lastTransitionTime: '2026-01-01T00:00:00Z',
      reason: 'EvictionByEvictionAPI',
      message: 'Eviction API: evicting',
    })
    expect(objectAt(body, 'metadata')).toMatchObject({
      generation: 2,
      deletionTimestamp: '2026-01-01T00:00:30Z',
      deletionGracePeriodSeconds: 30,
    })
  })

  it('uses the grace period of its options', async () => {
    const { client } = await withPod()
    await client.post(evictionPath, eviction({ gracePeriodSeconds: 3 }))
    expect(metadataOf(await client.get(`${pods}/web`))['deletionGracePeriodSeconds']).toBe(3)
  })

  it('a second time can only shorten the grace period', async () => {
    const { client, log } = await withPod()
    await client.post(evictionPath, eviction())
    await client.post(evictionPath, eviction())
    expect((await client.post(evictionPath, eviction({ gracePeriodSeconds: 0 }))).code).toBe(201)
    expect(await log.seen()).toEqual([
      'MODIFIED web',
      'MODIFIED web',
      'MODIFIED web',
      'DELETED web',
    ])
  })

  it('does not refuse mirror pods, as real servers do not', async () => {
    const { client } = await withPod({}, { annotations: { 'kubernetes.io/config.mirror': 'h' } })
    expect((await client.post(evictionPath, eviction())).code).toBe(201)
  })

  it('with dryRun changes nothing, in the query and in the body', async () => {
    const { client, log } = await withPod()
    const all = { dryRun: ['All'] }
    for (const answer of [
      await client.post(evictionPath, eviction(all)),
      await client.post(evictionPath, eviction(), { dryRun: 'All' }),
      await client.post(evictionPath, eviction(all), { dryRun: 'All' }),
    ]) {
      expect(answer.code).toBe(201)
    }
    expect(await log.seen()).toEqual([])
  })

  it('checks its preconditions before any write, and does not violate them itself', async () => {
    const { client, log, uid } = await withPod()
    const wrong = await client.post(evictionPath, eviction({ preconditions: { uid: 'zz' } }))
    expect([wrong.code, wrong.message]).toEqual([
      409,
      `Operation cannot be fulfilled on Pod "web": the UID in the precondition (zz) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    ])
    expect(await log.seen()).toEqual([])
    const right = { preconditions: { uid, resourceVersion: '13' } }
    expect((await client.post(evictionPath, eviction(right))).code).toBe(201)
    expect(await log.seen()).toHaveLength(2)
  })

  it.each<[string, unknown, number, string]>([
    [
      evictionPath,
      eviction(undefined, 'other'),
      400,
      'name in URL does not match name in Eviction object',
    ],
    [evictionPath, { kind: 'Eviction' }, 400, 'name in URL does not match name in Eviction object'],
    [
      evictionPath,
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } },
      400,
      'Pod in version "v1" cannot be handled as a Eviction: converting (v1.Pod) to (policy.Eviction): unknown conversion',
    ],
    [
      evictionPath,
      { kind: 'Pod', metadata: { name: 'web' } },
      400,
      'Pod in version "v1" cannot be handled as a Eviction: no kind "Pod" is registered for version "policy/v1" in scheme "pkg/runtime/scheme.go:110"',
    ],
    [
      evictionPath,
      'x',
      400,
      "the object provided is unrecognized (must be of type Eviction): couldn't get version/kind; the body is a string",
    ],
    [`${pods}/nope/eviction`, eviction(undefined, 'nope'), 404, 'pods "nope" not found'],
  ])('to %s of %j is refused', async (path, body, code, message) => {
    const { client } = await withPod()
    const answer = await client.post(path, body)
    expect([answer.code, answer.message]).toEqual([code, message])
  })

  it('by a node is allowed for its own pods', async () => {
    const { as } = await withPod()
    const other = await as(nodeCaller('n2')).post(evictionPath, eviction())
    expect([other.code, other.message]).toEqual([
      403,
      'pods "web" is forbidden: node n2 can only evict pods with spec.nodeName set to itself',
    ])
    expect((await as(nodeCaller('n1')).post(evictionPath, eviction())).code).toBe(201)
  })
})

const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets'

/** A running pod, ready, and a budget that has been counted. */
async function guarded(status: JsonObject) {
  const test = await withPod({}, { labels: { app: 'web' } })
  await test.client.post(budgets, {
    metadata: { name: 'guard' },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
  })
  await test.client.patch(`${budgets}/guard/status`, {
    status: { observedGeneration: 1, ...status },
  })
  const budget = async (): Promise<JsonObject> =>
    objectAt((await test.client.get(`${budgets}/guard`)).body, 'status')
  return { ...test, budget }
}

describe('an eviction with a disruption budget', () => {
  it('takes one of the allowed disruptions, as a write of the server', async () => {
    const { client, budget, traced } = await guarded({ disruptionsAllowed: 1, currentHealthy: 2 })
    expect((await client.post(evictionPath, eviction())).code).toBe(201)
    expect(await budget()).toMatchObject({
      disruptionsAllowed: 0,
      disruptedPods: { web: '2026-01-01T00:00:00Z' },
      conditions: [
        {
          type: 'DisruptionAllowed',
          status: 'False',
          reason: 'InsufficientPods',
          message: '',
          observedGeneration: 1,
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
      ],
    })
    const written = traced.filter(
      ({ kind, subject }) =>
        kind === 'object.written' && subject.kind === 'object' && subject.name === 'guard',
    )
    expect(written.at(-1)?.data).toMatchObject({ user: 'system:apiserver', subresource: 'status' })
  })

  it('is refused by a budget that allows none, and writes nothing', async () => {
    const { client, log } = await guarded({ desiredHealthy: 1, currentHealthy: 1 })
    const answer = await client.post(evictionPath, eviction())
    expect([answer.code, answer.body]).toEqual([
      429,
      {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: "Cannot evict pod as it would violate the pod's disruption budget.",
        reason: 'TooManyRequests',
        details: {
          causes: [
            {
              reason: 'DisruptionBudget',
              message: 'The disruption budget guard needs 1 healthy pods and has 1 currently',
            },
          ],
        },
        code: 429,
      },
    ])
    expect(await log.seen()).toEqual([])
  })

  it('gets Retry-After while the budget is not counted', async () => {
    const { server } = await guarded({ observedGeneration: 0, disruptionsAllowed: 1 })
    const request = { method: 'POST', path: evictionPath, body: eviction() } as const
    expect(await server.handle(request, admin)).toMatchObject({
      status: 429,
      headers: { 'retry-after': '10' },
    })
  })
})
