import { describe, expect, it } from 'vitest'
import { listAt, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { serverUnderTest } from '../fake-client.ts'
import type { Answer, FakeClient } from '../fake-client.ts'

// Compared with a real server in test/kube/exchanges/apply.ts.

const deployments = '/apis/apps/v1/namespaces/default/deployments'
const web = `${deployments}/web`
const maps = '/api/v1/namespaces/default/configmaps'

function apply(
  client: FakeClient,
  path: string,
  body: unknown,
  query: Record<string, string> = {},
): Promise<Answer> {
  const headers = { 'content-type': 'application/apply-patch+yaml' }
  return client.send('PATCH', path, { body, headers, query: { fieldManager: 'alice', ...query } })
}

function deployment(replicas: number, env: readonly JsonObject[] = []): JsonObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'c', image: 'x', env }] },
      },
    },
  }
}

function scale(replicas: number): JsonObject {
  return {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'web' },
    spec: { replicas },
  }
}

/** `manager operation subresource` of each entry. */
async function managersOf(client: FakeClient, path: string): Promise<readonly string[]> {
  const { body } = await client.get(path)
  return objectsAt(objectAt(body, 'metadata'), 'managedFields').map((entry) =>
    [textAt(entry, 'manager'), textAt(entry, 'operation'), textAt(entry, 'subresource')]
      .join(' ')
      .trim(),
  )
}

describe('server-side apply of a scale', () => {
  it('conflicts with the manager of the replicas, and takes them over by force', async () => {
    const { client } = serverUnderTest()
    await apply(client, web, deployment(2))
    const refused = await apply(client, `${web}/scale`, scale(3), { fieldManager: 'bob' })
    expect([refused.code, refused.message]).toEqual([
      409,
      'Apply failed with 1 conflict: conflict with "alice": .spec.replicas',
    ])
    const query = { fieldManager: 'bob', force: 'true' }
    expect(await apply(client, `${web}/scale`, scale(3), query)).toMatchObject({
      code: 200,
      body: { kind: 'Scale', spec: { replicas: 3 } },
    })
    expect(await managersOf(client, web)).toEqual(['bob Apply scale', 'alice Apply'])
    expect((await apply(client, web, deployment(2))).code).toBe(409)
  })

  it('needs an object', async () => {
    const { client } = serverUnderTest()
    expect((await apply(client, `${web}/scale`, scale(3))).code).toBe(404)
  })
})

describe('the managed fields of an object', () => {
  it('are reset by a list with one empty entry, and by an empty list', async () => {
    const { client } = serverUnderTest()
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' }, data: { a: '1' } }
    for (const managedFields of [[{}], []]) {
      await apply(client, `${maps}/m`, map)
      expect(await managersOf(client, `${maps}/m`)).toContain('alice Apply')
      await client.patch(`${maps}/m`, { metadata: { managedFields } }, 'merge')
      const { body } = await client.get(`${maps}/m`)
      expect(objectAt(body, 'metadata')).not.toHaveProperty('managedFields')
    }
  })

  it('are not changed by those of a status update, nor by invalid ones', async () => {
    const { client } = serverUnderTest()
    await apply(client, web, deployment(2))
    const reset = { metadata: { managedFields: [{}] } }
    await client.patch(`${web}/status`, reset, 'merge')
    const invalid = { metadata: { managedFields: [{ manager: 'x', operation: 'Guess' }] } }
    await client.patch(web, invalid, 'merge')
    expect(await managersOf(client, web)).toEqual(['alice Apply'])
  })

  it('belong to kubectl where it has applied on the client', async () => {
    const { client } = serverUnderTest()
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{}' }
    await client.post(maps, { metadata: { name: 'm', annotations }, data: { a: '1' } })
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' }, data: { b: '1' } }
    await apply(client, `${maps}/m`, map)
    expect(await managersOf(client, `${maps}/m`)).toEqual([
      'alice Apply',
      'kubectl-client-side-apply Update',
    ])
  })
})

it('refuses two elements with the same key', async () => {
  const { client } = serverUnderTest()
  const { code, message } = await apply(client, web, deployment(1, [{ name: 'A' }, { name: 'A' }]))
  expect([code, message]).toEqual([
    500,
    'failed to create typed patch object (/web; apps/v1, Kind=Deployment): .spec.template.spec.containers[name="c"].env: duplicate entries for key [name="A"]',
  ])
  const { body } = await client.get(deployments)
  expect(listAt(body, 'items')).toEqual([])
})
