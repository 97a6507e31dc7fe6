import { describe, expect, it } from 'vitest'
import { listAt, objectAt, objectsAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import { seededRandom } from '../../../clock/seeded-random.ts'
import { startControlPlane } from '../../control-plane.ts'
import { pod, pods, serverUnderTest, silentLog } from '../../fake-client.ts'
import type { FakeClient, ServerUnderTest } from '../../fake-client.ts'
import { attributesOf } from '../request-attributes.ts'

const group = '/apis/rbac.authorization.k8s.io/v1'
const roles = `${group}/namespaces/default/roles`
const bindings = `${group}/namespaces/default/rolebindings`
const jane = { user: 'jane', groups: ['dev', 'system:authenticated'], client: 'kubectl' }

function withRbac(): ServerUnderTest & { readonly janes: FakeClient } {
  const test = serverUnderTest({ enforcesRbac: true })
  return { ...test, janes: test.as(jane) }
}

function binding(name: string, kind: string, of: string): JsonObject {
  return {
    metadata: { name },
    roleRef: { kind, name: of },
    subjects: [{ kind: 'Group', name: 'dev' }],
  }
}

describe('a server that enforces RBAC', () => {
  it('refuses what no rule allows, in the words of kube-apiserver', async () => {
    const { client, janes } = withRbac()
    await client.post(pods, pod('web'))
    expect(await janes.get(pods)).toMatchObject({
      code: 403,
      message:
        'pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "default"',
    })
    expect((await janes.get('/metrics')).message).toBe(
      'forbidden: User "jane" cannot get path "/metrics"',
    )
    expect((await janes.get('/api')).code).toBe(200)
    expect((await client.get(pods)).code).toBe(200)
  })

  it('allows what a role allows whose binding names the user or a group', async () => {
    const { client, janes } = withRbac()
    const rules = [{ verbs: ['list'], apiGroups: [''], resources: ['pods'] }]
    expect((await client.post(roles, { metadata: { name: 'reader' }, rules })).code).toBe(201)
    expect((await client.post(bindings, binding('readers', 'Role', 'reader'))).code).toBe(201)
    expect((await janes.get(pods)).code).toBe(200)
    expect((await janes.get(`${pods}/web`)).code).toBe(403)
    expect((await janes.get('/api/v1/pods')).code).toBe(403)
    await client.delete(`${roles}/reader`)
    expect((await janes.get(pods)).message).toMatch(
      /in the namespace "default": RBAC: role\.rbac\.authorization\.k8s\.io "reader" not found$/,
    )
  })

  it('authorizes streams, logs, the node proxy and what a kubelet asks about', async () => {
    const { client, server } = withRbac()
    await client.post(pods, pod('web'))
    const exec = { method: 'POST', path: `${pods}/web/exec` } as const
    expect(await server.stream(exec, new URLSearchParams(), jane)).toMatchObject({
      error: { status: 403, body: expect.stringContaining('cannot create resource \\"pods/exec') },
    })
    for (const path of [`${pods}/web/log`, '/api/v1/nodes/n1/proxy/pods'])
      expect(await server.connect({ method: 'GET', path }, jane)).toMatchObject({ status: 403 })
    const asked = { verb: 'get', node: 'n1', subresource: 'proxy' }
    expect(server.isAllowedOnNode(jane, asked)).toBe(false)
    await client.post(`${group}/clusterrolebindings`, binding('x', 'ClusterRole', 'cluster-admin'))
    expect(server.isAllowedOnNode(jane, asked)).toBe(true)
  })

  it('lists the rules of a user', async () => {
    const { client, janes } = withRbac()
    await client.post(bindings, binding('all', 'ClusterRole', 'cluster-admin'))
    const body = { spec: { namespace: 'default' } }
    const answer = await janes.post('/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', body)
    const { status } = answer.body as { readonly status: JsonObject }
    expect(listAt(status, 'resourceRules')).toContainEqual({
      verbs: ['*'],
      apiGroups: ['*'],
      resources: ['*'],
    })
    expect(listAt(status, 'nonResourceRules')).toContainEqual({
      verbs: ['*'],
      nonResourceURLs: ['*'],
    })
  })

  it('refuses a role with rights that its writer does not have', async () => {
    const { client, janes } = withRbac()
    await client.post(bindings, binding('editors', 'ClusterRole', 'system:aggregate-to-admin'))
    const rules = [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['secrets'] }]
    expect(await janes.post(roles, { metadata: { name: 'more' }, rules })).toMatchObject({
      code: 403,
      message:
        'roles.rbac.authorization.k8s.io "more" is forbidden: user "jane" (groups=["dev" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}',
    })
    const escalation = [
      { verbs: ['escalate'], apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles'] },
    ]
    await client.post(roles, { metadata: { name: 'escalates' }, rules: escalation })
    await client.post(bindings, binding('escalating', 'Role', 'escalates'))
    expect((await janes.post(roles, { metadata: { name: 'more' }, rules })).code).toBe(201)
    expect((await janes.post(bindings, binding('more', 'Role', 'more'))).code).toBe(403)
  })
})

describe('a ClusterRole with an aggregationRule', () => {
  it('takes the rules of those that it selects', async () => {
    const { server, clock, client } = withRbac()
    const random = seededRandom(1)
    const plane = startControlPlane({ server, clock, random, log: silentLog, enforcesRbac: true })
    const rulesOf = async (name: string): Promise<readonly JsonObject[]> =>
      objectsAt((await client.get(`${group}/clusterroles/${name}`)).body, 'rules')
    expect(await rulesOf('view')).toEqual([])
    await clock.advance(5000)
    expect(await rulesOf('view')).toEqual(await rulesOf('system:aggregate-to-view'))
    expect((await rulesOf('admin')).length).toBeGreaterThan((await rulesOf('edit')).length)
    const labels = { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' }
    const rules = [{ verbs: ['get'], apiGroups: ['example.com'], resources: ['gizmos'] }]
    await client.post(`${group}/clusterroles`, { metadata: { name: 'gizmos', labels }, rules })
    await clock.advance(5000)
    expect(await rulesOf('view')).toContainEqual(rules[0])
    expect(await rulesOf('admin')).toContainEqual(rules[0])
    await client.delete(`${group}/clusterroles/gizmos`)
    await clock.advance(5000)
    expect(await rulesOf('admin')).not.toContainEqual(rules[0])
    plane.stop()
  })
})

describe('the roles and bindings of every cluster', () => {
  const clusterRoles = `${group}/clusterroles`
  const clusterBindings = `${group}/clusterrolebindings`

  /** The same sandbox after a restart. */
  function restarted({ server }: ServerUnderTest): ServerUnderTest {
    const kept = { ...server.objects(), record: () => undefined }
    return serverUnderTest({ enforcesRbac: true, kept })
  }

  async function all({ client }: ServerUnderTest): Promise<readonly JsonObject[]> {
    const answers = [await client.get(clusterRoles), await client.get(clusterBindings)]
    return answers.flatMap(({ body }) => objectsAt(body, 'items'))
  }

  it('get back at each start what they lack, and keep what they have more', async () => {
    const before = withRbac()
    const { client } = before
    const more = [{ verbs: ['get'], nonResourceURLs: ['/more'] }]
    await client.patch(`${clusterRoles}/system:basic-user`, { rules: more })
    await client.patch(`${clusterRoles}/edit`, { aggregationRule: null })
    await client.patch(`${clusterRoles}/cluster-admin`, {
      metadata: { labels: null, annotations: null },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
    })
    await client.patch(`${clusterBindings}/cluster-admin`, {
      subjects: [{ kind: 'User', name: 'x' }],
    })
    await client.delete(`${clusterBindings}/system:discovery`)
    await client.post(clusterBindings, binding('system:discovery', 'ClusterRole', 'view'))
    const after = restarted(before)
    const get = async (path: string): Promise<JsonObject> => (await after.client.get(path)).body
    // A rule for each resource that is missing.
    expect(objectsAt(await get(`${clusterRoles}/system:basic-user`), 'rules')).toHaveLength(4)
    expect(await get(`${clusterRoles}/edit`)).toMatchObject({
      aggregationRule: {
        clusterRoleSelectors: [
          { matchLabels: { 'rbac.authorization.k8s.io/aggregate-to-edit': 'true' } },
        ],
      },
    })
    const administrator = await get(`${clusterRoles}/cluster-admin`)
    expect(administrator['aggregationRule']).toBeUndefined()
    expect(administrator).toMatchObject({
      metadata: {
        labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
        annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
      },
    })
    expect(await get(`${clusterBindings}/cluster-admin`)).toMatchObject({
      subjects: [{ name: 'x' }, { name: 'system:masters' }],
    })
    expect(await get(`${clusterBindings}/system:discovery`)).toMatchObject({
      roleRef: { name: 'system:discovery' },
      subjects: [{ name: 'system:authenticated' }],
    })
  })

  it('stay as they are where the annotation autoupdate is "false", and where nothing is missing', async () => {
    const before = withRbac()
    const annotations = { 'rbac.authorization.kubernetes.io/autoupdate': 'false' }
    for (const path of [`${clusterRoles}/view`, `${clusterBindings}/system:basic-user`])
      await before.client.patch(path, { metadata: { annotations }, subjects: null, rules: null })
    const changed = await all(before)
    expect(await all(restarted(before))).toEqual(changed)
  })
})

describe('a server that does not enforce RBAC', () => {
  it('has no roles of its own, and lets users do everything', async () => {
    const { client, as } = serverUnderTest()
    const { body } = await client.get(`${group}/clusterroles`)
    expect(objectsAt(body, 'items')).toEqual([])
    expect((await as(jane).get(pods)).code).toBe(200)
    const spec = { resourceAttributes: { verb: 'list', resource: 'pods' } }
    const review = await as(jane).post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      spec,
    })
    expect(textAt(objectAt(review.body, 'status'), 'reason')).toMatch(/does not enforce RBAC/)
  })
})

describe('the attributes of a request', () => {
  it.each([
    ['GET', '/api/v1/namespaces/a/pods', 'list pods a '],
    ['GET', '/api/v1/namespaces/a/pods/web', 'get pods a web'],
    ['DELETE', '/api/v1/namespaces/a/pods', 'deletecollection pods a '],
    ['POST', '/api/v1/namespaces/a/pods/web/eviction', 'create pods/eviction a web'],
    ['PUT', '/api/v1/namespaces/a/finalize', 'update namespaces/finalize a a'],
    ['GET', '/api/v1/namespaces/a', 'get namespaces a a'],
    ['GET', '/apis/apps/v1/deployments', 'list deployments  '],
    ['GET', '/apis/apps/v1', '/apis/apps/v1'],
    ['GET', '/api/v1/x%2Fy', 'get x  y'],
  ] as const)('%s %s: %s', (method, path, expected) => {
    const attributes = attributesOf({ method, path, query: {} })
    if (attributes.kind === 'path') {
      expect(attributes.path).toBe(expected)
      return
    }
    const { verb, resource, subresource, namespace, name } = attributes
    const what = subresource === '' ? resource : `${resource}/${subresource}`
    expect(`${verb} ${what} ${namespace} ${name}`).toBe(expected)
  })
})
