import { describe, expect, it } from 'vitest'
import { objectAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { metadataOf, nodes, pod, pods } from '../fake-client.ts'
import type { FakeClient } from '../fake-client.ts'
import { clusterUnderTest, eventsAbout, keepAlive, readyNode } from './fake-cluster.ts'
import { expectedPods } from './disruption.ts'
import type { ExpectedPods, Scale } from './disruption.ts'

const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets'
const labels = { app: 'web' }

function budget(spec: JsonObject, name = 'guard'): JsonObject {
  return { metadata: { name }, spec: { selector: { matchLabels: labels }, ...spec } }
}

async function statusOf(client: FakeClient, name = 'guard'): Promise<JsonObject> {
  return objectAt((await client.get(`${budgets}/${name}`)).body, 'status')
}

async function say(client: FakeClient, name: string, ready: 'True' | 'False'): Promise<void> {
  const conditions = [{ type: 'Ready', status: ready }]
  await client.patch(`${pods}/${name}/status`, { status: { phase: 'Running', conditions } })
}

/** Bare pods that run and are ready. */
async function withPods(...names: readonly string[]) {
  const cluster = await clusterUnderTest()
  const { client, settle } = cluster
  await client.post(nodes, readyNode('n1'))
  await keepAlive(cluster, 'n1')
  for (const name of names) {
    await client.post(pods, pod(name, {}, { labels }))
    await say(client, name, 'True')
  }
  await settle()
  return cluster
}

async function evict(client: FakeClient, name: string, deleteOptions: JsonObject = {}) {
  const answer = await client.post(`${pods}/${name}/eviction`, {
    metadata: { name },
    deleteOptions,
  })
  return answer.code
}

describe('the expected pods of a budget', () => {
  const bare: KubeObject = { metadata: { name: 'web', uid: 'u' } }
  const owned = (kind: string, apiVersion: string): KubeObject => ({
    metadata: {
      name: 'web',
      uid: 'u',
      ownerReferences: [{ kind, apiVersion, name: 'o', uid: 'o', controller: true }],
    },
  })
  const counted = (expected: number, desired: number, unmanaged: readonly string[] = []) => ({
    ok: true,
    value: { expected, desired, unmanaged } satisfies ExpectedPods,
  })
  const failed = (error: string): object => ({ ok: false, error })

  it.each<[string, Parameters<typeof expectedPods>[0], readonly KubeObject[], object]>([
    ['with a number that must stay', { minAvailable: 2 }, [bare, bare, bare], counted(3, 2)],
    [
      'with an integer, regardless of their owners',
      { minAvailable: 1 },
      [owned('Node', 'v1')],
      counted(1, 1),
    ],
    ['with a percentage that must stay', { minAvailable: '50%' }, [bare], counted(0, 0, ['web'])],
    ['with a number that may go', { maxUnavailable: 1 }, [bare], counted(0, 0, ['web'])],
    ['with a percentage that may go', { maxUnavailable: '50%' }, [bare], counted(0, 0, ['web'])],
    ['with neither', {}, [bare], counted(0, 0)],
    [
      'of a controller that does not exist',
      { maxUnavailable: 1 },
      [owned('ReplicaSet', 'apps/v1')],
      failed('found no controllers for pod "web"'),
    ],
    [
      'with a percentage of what a controller wants',
      { minAvailable: '50%' },
      [owned('StatefulSet', 'apps/v1'), owned('StatefulSet', 'apps/v1')],
      counted(5, 3),
    ],
    [
      'with a number of what a controller wants that may go',
      { maxUnavailable: 1 },
      [owned('StatefulSet', 'apps/v1')],
      counted(5, 4),
    ],
    [
      'of a node: mirror pods',
      { maxUnavailable: 1 },
      [owned('Node', 'v1')],
      failed('nodes does not implement the scale subresource'),
    ],
    [
      'of an unknown kind',
      { minAvailable: '50%' },
      [owned('Gizmo', 'example.com/v1')],
      failed('no matches for kind "Gizmo" in version "example.com/v1"'),
    ],
  ])('%s', (_, spec, given, result) => {
    const scaleOf = ({ kind }: { readonly kind: string }): Scale | undefined =>
      kind === 'StatefulSet' ? { uid: 'set', replicas: 5 } : undefined
    expect(expectedPods(spec, given, scaleOf)).toEqual(result)
  })
})

describe('the disruption controller', () => {
  it('counts bare pods for a budget with an integer minAvailable, and follows their changes', async () => {
    const { client, settle } = await withPods('a', 'b', 'c')
    await client.post(budgets, budget({ minAvailable: 2 }))
    await settle()
    expect(await statusOf(client)).toEqual({
      observedGeneration: 1,
      disruptionsAllowed: 1,
      currentHealthy: 3,
      desiredHealthy: 2,
      expectedPods: 3,
      conditions: [
        {
          type: 'DisruptionAllowed',
          status: 'True',
          reason: 'SufficientPods',
          message: '',
          observedGeneration: 1,
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
      ],
    })
    await say(client, 'c', 'False')
    await settle()
    expect(await statusOf(client)).toMatchObject({
      disruptionsAllowed: 0,
      currentHealthy: 2,
      conditions: [{ status: 'False', reason: 'InsufficientPods' }],
    })
    await client.delete(`${pods}/c`, { gracePeriodSeconds: 0 })
    await settle()
    expect(await statusOf(client)).toMatchObject({ expectedPods: 2, currentHealthy: 2 })
  })

  it('allows evictions one by one and refuses the one beyond the budget', async () => {
    const { client, settle } = await withPods('a', 'b', 'c')
    await client.post(budgets, budget({ minAvailable: 1 }))
    await settle()
    expect([await evict(client, 'a'), await evict(client, 'b'), await evict(client, 'c')]).toEqual([
      201, 201, 429,
    ])
    await settle()
    // The controller has seen the deletions by now.
    expect(await statusOf(client)).toMatchObject({ currentHealthy: 1, expectedPods: 3 })
    expect(await statusOf(client)).not.toHaveProperty('disruptedPods')
  })

  it('counts again when the budget changes', async () => {
    const { client, settle } = await withPods('a', 'b')
    await client.post(budgets, budget({ minAvailable: 2 }))
    await settle()
    expect(await evict(client, 'a')).toBe(429)
    await client.patch(`${budgets}/guard`, { spec: { minAvailable: 1 } })
    await settle()
    expect(await statusOf(client)).toMatchObject({ observedGeneration: 2, disruptionsAllowed: 1 })
    expect(await evict(client, 'a')).toBe(201)
  })

  it('allows no disruption if bare pods would need a controller, and writes an event', async () => {
    const { client, settle } = await withPods('a')
    await client.post(budgets, budget({ maxUnavailable: 1 }))
    await settle()
    expect(await statusOf(client)).toMatchObject({
      observedGeneration: 1,
      disruptionsAllowed: 0,
      currentHealthy: 1,
      desiredHealthy: 0,
      expectedPods: 0,
      conditions: [{ status: 'False', reason: 'InsufficientPods' }],
    })
    expect(await eventsAbout(client, 'guard')).toEqual([
      'Warning UnmanagedPods: Pods selected by this PodDisruptionBudget (selector: &LabelSelector{MatchLabels:map[string]string{app: web,},MatchExpressions:[]LabelSelectorRequirement{},}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.',
    ])
  })

  it('allows no disruption if it cannot count the pods', async () => {
    const { client, settle } = await withPods()
    const owner = {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      name: 'r',
      uid: 'r',
      controller: true,
    }
    await client.post(pods, pod('owned', {}, { labels, ownerReferences: [owner] }))
    await settle()
    await client.post(budgets, budget({ maxUnavailable: '50%' }))
    await settle()
    expect(await statusOf(client)).toMatchObject({
      disruptionsAllowed: 0,
      conditions: [
        {
          type: 'DisruptionAllowed',
          status: 'False',
          reason: 'SyncFailed',
          message: 'found no controllers for pod "owned"',
        },
      ],
    })
    expect(await eventsAbout(client, 'guard')).toEqual([
      'Warning CalculateExpectedPodCountFailed: Failed to calculate the number of expected pods: found no controllers for pod "owned"',
    ])
  })

  it('writes one event with a count for a budget without pods', async () => {
    const { client, settle } = await withPods()
    await client.post(budgets, budget({ minAvailable: 1 }))
    await settle()
    expect(await eventsAbout(client, 'guard')).toEqual(['Normal NoPods: No matching pods found'])
    const { body } = await client.get('/api/v1/namespaces/default/events')
    expect(body).toMatchObject({
      items: [{ count: 2, source: { component: 'controllermanager' } }],
    })
  })

  it('writes a warning for a pod with two budgets', async () => {
    const { client, settle } = await withPods()
    await client.post(budgets, budget({ minAvailable: 1 }))
    await client.post(budgets, budget({ minAvailable: 1 }, 'other'))
    await settle()
    await client.post(pods, pod('web', {}, { labels }))
    await settle()
    expect(await eventsAbout(client, 'web')).toContain(
      'Warning MultiplePodDisruptionBudgets: Pod "default"/"web" matches multiple PodDisruptionBudgets.  Chose "guard" arbitrarily.',
    )
  })

  it('restores a disruption after two minutes if the pod was not deleted', async () => {
    const { client, clock, settle } = await withPods('a', 'b')
    await client.post(budgets, budget({ minAvailable: 1 }))
    await settle()
    // The budget is asked before the precondition: this counts, and deletes nothing.
    expect(await evict(client, 'a', { preconditions: { uid: 'other' } })).toBe(409)
    await clock.advance(119_000)
    expect(await statusOf(client)).toMatchObject({
      disruptionsAllowed: 0,
      currentHealthy: 1,
      disruptedPods: { a: '2026-01-01T00:00:00Z' },
    })
    await clock.advance(1500)
    expect(metadataOf(await client.get(`${pods}/a`))['deletionTimestamp']).toBeUndefined()
    expect(await statusOf(client)).toMatchObject({ disruptionsAllowed: 1, currentHealthy: 2 })
    expect(await statusOf(client)).not.toHaveProperty('disruptedPods')
    expect(await eventsAbout(client, 'a')).toContain(
      "Warning NotDeleted: Pod was expected by PDB default/default to be deleted but it wasn't",
    )
  })
})
