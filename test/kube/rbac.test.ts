import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi } from '../../src/main/cluster/client/api-call.ts'
import { isJsonObject, listAt, objectAt, objectsAt, textAt } from '../../src/shared/json.ts'
import type { JsonObject } from '../../src/shared/json.ts'
import { reportComparison, reportMissing } from './comparison.ts'
import { findParts, startControlPlane, type ControlPlane } from './control-plane.ts'
import { administratorOf, type Administrator } from './integration/administrator.ts'
import { AgentUnderTest } from './integration/agent.ts'
import { handlesSigterm, exitsAfter, specOf } from './integration/containers.ts'
import { ClusterUnderTest } from './integration/cluster-under-test.ts'
import { asAgent, ScenarioRun } from './integration/scenario-run.ts'
import { approveRequest, servedPort, signRequest } from './joined-nodes.ts'
import { applyRbac, kubeconfigOf, rbacObjects, tokenOf } from './rbac-objects.ts'

// docs/rbac.yaml on a real API server: the kubelet works with these rules, uses each of them, and is
// refused nothing; a viewer can only read.

const found = await findParts(['etcd', 'kube-apiserver'], process.env)
const node = 'scope-node-1'
const objects = await rbacObjects(node)

const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
  - level: Metadata
    userGroups: ['system:serviceaccounts']
  - level: None
`

/** What the rules of the roles of that name allow, one verb of one resource a line. */
function grantsOf(role: string): readonly string[] {
  return objects
    .filter((object) => textAt(objectAt(object, 'metadata'), 'name') === role)
    .flatMap((object) => objectsAt(object, 'rules'))
    .flatMap((rule) =>
      listAt(rule, 'resources').flatMap((resource) =>
        listAt(rule, 'verbs').map((verb) => grant(listAt(rule, 'apiGroups')[0], resource, verb)),
      ),
    )
    .toSorted()
}

function grant(group: unknown, resource: unknown, verb: unknown): string {
  return `${String(verb)} ${String(resource)}${group === '' ? '' : `.${String(group)}`}`
}

interface Audited {
  /** The requests that a binding of docs/rbac.yaml allowed. */
  readonly used: readonly string[]
  readonly refused: readonly string[]
  readonly calls: number
}

async function auditOf(
  plane: ControlPlane,
  account: string,
  role = `nodescope-${account}`,
): Promise<Audited> {
  const text = await readFile(plane.auditLog ?? '', 'utf8')
  const lines = text.split('\n').filter((line) => line !== '')
  const entries = lines.map((line): unknown => JSON.parse(line)).filter(isJsonObject)
  const user = `system:serviceaccount:nodescope:${account}`
  const own = entries.filter((entry) => textAt(objectAt(entry, 'user'), 'username') === user)
  const decided = (decision: string): readonly JsonObject[] =>
    own.filter(
      (entry) =>
        textAt(objectAt(entry, 'annotations'), 'authorization.k8s.io/decision') === decision,
    )
  const told = (entry: JsonObject): string => {
    const about = objectAt(entry, 'objectRef')
    const part = textAt(about, 'subresource')
    const resource = textAt(about, 'resource') + (part === '' ? '' : `/${part}`)
    return grant(textAt(about, 'apiGroup'), resource, textAt(entry, 'verb'))
  }
  const byUs = (entry: JsonObject): boolean =>
    textAt(objectAt(entry, 'annotations'), 'authorization.k8s.io/reason').includes(`"${role}"`)
  return {
    used: [...new Set(decided('allow').filter(byUs).map(told))].toSorted(),
    refused: [...new Set(decided('forbid').map(told))].toSorted(),
    calls: own.length,
  }
}

describe.skipIf('missing' in found)('docs/rbac.yaml on a real API server', () => {
  let plane: ControlPlane
  let admin: Administrator

  beforeAll(async () => {
    plane = await startControlPlane({ environment: process.env, audit: true, auditPolicy })
    admin = await administratorOf(plane.adminKubeconfig)
    await applyRbac(admin, objects)
  }, 120_000)

  afterAll(async () => {
    await admin.close()
    await plane.stop()
  }, 60_000)

  it('permits everything that the kubelet does, and has no unneeded rule', async () => {
    const kubeconfig = await kubeconfigOf(plane, admin, 'agent')
    const folder = join(plane.folder, 'agents')
    const cluster = await ClusterUnderTest.start({
      name: 'kube-apiserver',
      adminKubeconfig: plane.adminKubeconfig,
      caFile: join(plane.folder, 'ca.crt'),
      nodeKubeconfigs: new Map([[node, kubeconfig]]),
      folder,
      logged: [],
      stop: () => Promise.resolve(),
    })
    try {
      // It exists already and lacks a label, so that the kubelet updates it. It has room for a static pod,
      // which is admitted before the kubelet has reported its capacity.
      await admin.ask('POST', '/api/v1/nodes', {
        metadata: { name: node },
        status: { capacity: { cpu: '1', memory: '1Gi', pods: '10' } },
      })
      await admin.makeNamespace('story')
      const agent = asAgent(await cluster.startKubelet(node))
      await runAll(new ScenarioRun(cluster, 'story'), agent)
      await agent.untilNode('its lease is renewed', ({ leaseRenewedAt }) => leaseRenewedAt !== null)
      await cluster.observer.until(
        'lease renewed',
        () => cluster.observer.of('leases', { name: node })[1],
        () => cluster.observer.of('leases', {}),
      )
      expect(cluster.logged).toEqual([])
    } finally {
      await cluster.stop()
    }
    const { used, refused, calls } = await auditOf(plane, 'agent')
    expect(refused).toEqual([])
    expect(used).toEqual([...new Set(grantsOf('nodescope-agent'))])
    reportComparison('rbac', `${used.length} grants of docs/rbac.yaml used in ${calls} calls`)
  }, 240_000)

  it('permits what the kubelet’s own server does, and has no unneeded rule', async () => {
    const agent = await AgentUnderTest.start({
      kubeconfig: await kubeconfigOf(plane, admin, 'agent'),
      caFile: join(plane.folder, 'ca.crt'),
      node,
      folder: join(plane.folder, 'server'),
      kubeletAddress: '127.0.0.1:0',
      configuration: { authentication: {}, serverTLSBootstrap: true },
    })
    const dispatcher = new Agent({ connect: { ca: plane.caPem } })
    try {
      const requestName = (): string =>
        agent.printed.map((line) => /approve (csr-\w+)\.$/.exec(line)?.[1]).find(Boolean) ?? ''
      await expect.poll(requestName, { timeout: 60_000 }).not.toBe('')
      await approveRequest(admin, requestName())
      await signRequest(plane, admin, requestName())
      const port = await servedPort(admin, node)
      const token = await tokenOf(admin, 'nodescope', 'viewer')
      const status = async (): Promise<number> => {
        const headers = { authorization: `Bearer ${token}` }
        const url = `https://127.0.0.1:${port}/pods`
        const { statusCode, body } = await request(url, { dispatcher, headers })
        await body.dump()
        return statusCode
      }
      await expect.poll(() => status().catch(() => 0)).toBe(403)
    } finally {
      await agent.stop()
      await dispatcher.destroy()
    }
    const { used, refused } = await auditOf(plane, 'agent', 'nodescope-kubelet-server')
    expect(refused).toEqual([])
    expect(used).toEqual([...new Set(grantsOf('nodescope-kubelet-server'))])
  }, 120_000)

  it('permits a viewer to read, and to write nothing', async () => {
    const viewer = await administratorOf(await kubeconfigOf(plane, admin, 'viewer'))
    const statusOf = async (
      method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
      path: string,
      query: Readonly<Record<string, string>> = {},
    ): Promise<number> => {
      const body = method === 'GET' ? {} : { body: {} }
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
      const answer = await viewer.transport.send({
        method,
        path,
        query,
        headers: { accept: 'application/json', 'content-type': type },
        ...body,
      })
      if (answer.kind === 'watch') answer.stream.stop()
      return answer.status
    }
    try {
      const leases = '/apis/coordination.k8s.io/v1/leases'
      const budgets = '/apis/policy/v1/poddisruptionbudgets'
      for (const path of ['/api/v1/nodes', '/api/v1/pods', '/api/v1/events', leases, budgets]) {
        expect(await statusOf('GET', path)).toBe(200)
        expect(await statusOf('GET', path, { watch: 'true', timeoutSeconds: '1' })).toBe(200)
      }
      const pod = '/api/v1/namespaces/default/pods/none'
      const ownLease = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/none'
      for (const path of [
        '/api/v1/nodes/none',
        pod,
        `${pod}/log`,
        '/api/v1/namespaces/default/events/none',
        ownLease,
      ])
        expect(await statusOf('GET', path)).toBe(404)
      const writes: readonly (readonly ['POST' | 'PATCH' | 'DELETE', string])[] = [
        ['POST', '/api/v1/nodes'],
        ['POST', '/api/v1/namespaces/default/pods'],
        ['POST', `${pod}/eviction`],
        ['POST', '/api/v1/namespaces/default/events'],
        ['PATCH', `${pod}/status`],
        ['PATCH', '/api/v1/nodes/none/status'],
        ['PATCH', ownLease],
        ['DELETE', pod],
        ['DELETE', '/api/v1/nodes/none'],
      ]
      for (const [method, path] of writes) expect(await statusOf(method, path)).toBe(403)
      expect((await callApi(viewer.transport, { method: 'GET', path: '/api/v1/secrets' })).ok).toBe(
        false,
      )
    } finally {
      await viewer.close()
    }
    const { used } = await auditOf(plane, 'viewer')
    expect(used).toEqual(grantsOf('nodescope-viewer'))
  }, 60_000)
})

if ('missing' in found) reportMissing('rbac', found.missing)

/** All actions of a kubelet, and a user's actions in the dashboard. */
async function runAll(run: ScenarioRun, agent: AgentUnderTest): Promise<void> {
  const { namespace } = run
  const web = { name: 'web', namespace }
  await agent.putManifest({ metadata: web, spec: specOf(handlesSigterm()) })
  const reference = { name: 'none', optional: true }
  const envFrom = [{ configMapRef: reference }, { secretRef: reference }]
  await run.create('deleted', specOf({ ...handlesSigterm(), envFrom }), node)
  await run.create('evicted', specOf(handlesSigterm()), node)
  // Its second start repeats the event, which increases its count.
  await run.create('restarts', specOf(exitsAfter(1, { seconds: 1 })), node)
  const mirror = await run.untilRunning(`web-${node}`)
  await run.delete(`web-${node}`)
  await run.until(
    `web-${node}`,
    'has a new mirror',
    (pod) => pod.metadata.uid !== mirror.metadata.uid,
  )
  await run.untilRunning('deleted')
  await run.delete('deleted')
  await run.untilGone('deleted')
  const evicted = await run.untilRunning('evicted')
  expect(await agent.eventsOf(evicted)).toContain('Started container c')
  await agent.evictThroughApi(evicted)
  await run.untilGone('evicted')
  await run.observer.until(
    'an event is counted up',
    () => run.observer.of('events', { namespace }).find(({ object }) => (object.count ?? 0) > 1),
    () => run.observer.of('events', { namespace }).length,
  )
  await agent.removeManifest(web)
  await run.untilGone(`web-${node}`)
}
