import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { isJsonObject, objectsAt } from '../../../src/shared/json.ts'
import type { JsonObject } from '../../../src/shared/json.ts'
import { MemorySandbox } from '../../memory-sandbox/memory-sandbox.ts'

const metrics = '/apis/metrics.k8s.io/v1beta1'
const startAt = Date.UTC(2026, 0, 1)

let sandbox: MemorySandbox

beforeEach(async () => {
  const nodeNames = ['n1', 'n2']
  sandbox = new MemorySandbox({ seed: 1, startAt, nodeNames, log: new FakeLog() })
  sandbox.start()
  await sandbox.clock.advance(1000)
})

afterEach(() => {
  sandbox.stop()
})

/** One container uses 0.25 CPUs and 64 MiB, the other one half of that. */
async function create(name: string, nodeName: string, namespace = 'default'): Promise<void> {
  const command = ['sleep', '100000']
  await sandbox.createPod({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      uid: '',
      namespace,
      labels: { app: name },
      annotations: {
        'simulated.nodescope.dev/cpu.a': '250m',
        'simulated.nodescope.dev/memory.a': '64Mi',
        'simulated.nodescope.dev/cpu.b': '125m',
        'simulated.nodescope.dev/memory.b': '32Mi',
      },
    },
    spec: {
      nodeName,
      tolerations: [{ operator: 'Exists' }],
      containers: ['a', 'b'].map((one) => ({ name: one, image: 'busybox:1.36', command })),
    },
  })
  await sandbox.clock.advance(30_000)
}

async function get(
  path: string,
  query: Readonly<Record<string, string>> = {},
  accept = 'application/json',
): Promise<JsonObject> {
  const answer = await sandbox.send({ method: 'GET', path, query, headers: { accept } })
  if (answer.kind !== 'object' || !isJsonObject(answer.body)) throw new Error('no object')
  return answer.body
}

async function namesOf(path: string, query?: Readonly<Record<string, string>>) {
  const list = await get(path, query)
  return objectsAt(list, 'items').map(({ metadata }) => metadata)
}

const table = 'application/json;as=Table;g=meta.k8s.io;v=v1'

describe('the summary of a kubelet', () => {
  it('has what each container uses, and the sums of pods and node', async () => {
    await create('p', 'n1')
    const { server } = sandbox.node('n1').kubelet
    const answer = await server.handle({ method: 'GET', path: '/stats/summary', query: {} })
    if (answer.kind !== 'text') throw new Error('no text')
    const mib = 1024 ** 2
    expect(answer).toMatchObject({ status: 200, contentType: 'application/json' })
    expect(JSON.parse(answer.body)).toMatchObject({
      node: {
        nodeName: 'n1',
        cpu: { usageNanoCores: 375_000_000 },
        memory: { workingSetBytes: 96 * mib },
      },
      pods: [
        {
          podRef: { name: 'p', namespace: 'default' },
          cpu: { time: '2026-01-01T00:00:31Z', usageNanoCores: 375_000_000 },
          memory: { workingSetBytes: 96 * mib },
          containers: [
            { name: 'a', memory: { workingSetBytes: 64 * mib } },
            { name: 'b', cpu: { usageNanoCores: 125_000_000 } },
          ],
        },
      ],
    })
  })

  it('is an error where the runtime has none', async () => {
    const { kubelet, runtime } = sandbox.node('n1')
    runtime.faults?.failNext('listContainerStats', { kind: 'failed', message: 'no cgroups' })
    const answer = await kubelet.server.handle({
      method: 'GET',
      path: '/stats/summary',
      query: {},
    })
    expect(answer).toMatchObject({
      status: 500,
      body: 'Internal Error: failed to list pod stats: failed to list all container stats: no cgroups',
    })
  })
})

describe('metrics.k8s.io', () => {
  it('has pods and nodes, with their labels', async () => {
    await create('p', 'n1')
    expect(await get(`${metrics}/namespaces/default/pods/p`)).toEqual({
      kind: 'PodMetrics',
      apiVersion: 'metrics.k8s.io/v1beta1',
      metadata: {
        name: 'p',
        namespace: 'default',
        creationTimestamp: '2026-01-01T00:00:31Z',
        labels: { app: 'p' },
      },
      timestamp: '2026-01-01T00:00:31Z',
      window: '0s',
      containers: [
        { name: 'a', usage: { cpu: '250m', memory: '64Mi' } },
        { name: 'b', usage: { cpu: '125m', memory: '32Mi' } },
      ],
    })
    expect(await get(`${metrics}/nodes/n1`)).toMatchObject({
      kind: 'NodeMetrics',
      usage: { cpu: '375m', memory: '96Mi' },
    })
    expect(await get(`${metrics}/nodes/n2`)).toMatchObject({ usage: { cpu: '0', memory: '0' } })
  })

  it('lists by namespace and by label, also as a table', async () => {
    await create('p', 'n1')
    await create('q', 'n2')
    expect(await namesOf(`${metrics}/pods`)).toMatchObject([{ name: 'p' }, { name: 'q' }])
    expect(await namesOf(`${metrics}/namespaces/default/pods`)).toHaveLength(2)
    expect(await namesOf(`${metrics}/namespaces/other/pods`)).toEqual([])
    expect(await namesOf(`${metrics}/pods`, { labelSelector: 'app=q' })).toMatchObject([
      { name: 'q' },
    ])
    expect(await get(`${metrics}/namespaces/default/pods/p`, {}, table)).toMatchObject({
      kind: 'Table',
      rows: [{ cells: ['p', '375m', '96Mi', '0s'] }],
    })
  })

  it('has nothing of a kubelet that does not answer, and says so', async () => {
    await create('p', 'n1')
    sandbox.node('n1').stopKubelet()
    expect(await namesOf(`${metrics}/nodes`)).toMatchObject([{ name: 'n2' }])
    expect(await namesOf(`${metrics}/pods`)).toEqual([])
    expect(await get(`${metrics}/nodes/n1`)).toMatchObject({
      code: 404,
      message: 'nodemetrics.metrics.k8s.io "n1" not found',
    })
    expect(await get(`${metrics}/namespaces/default/pods/p`)).toMatchObject({
      message: 'podmetrics.metrics.k8s.io "default/p" not found',
    })
    expect(await get(`${metrics}/namespaces/default/pods/none`)).toMatchObject({
      message: 'pods "none" not found',
    })
  })

  it('cannot be written, and nodes may not read it', async () => {
    const answer = await sandbox.request('DELETE', `${metrics}/nodes/n1`)
    expect(answer).toMatchObject({ status: 405 })
    const caller = { user: 'system:node:n1', groups: ['system:nodes'], client: 'kubelet' }
    const request = { method: 'GET', path: `${metrics}/nodes/n1` } as const
    expect(await sandbox.sandbox.server.handle(request, caller)).toMatchObject({
      status: 403,
      body: {
        message:
          'nodes.metrics.k8s.io "n1" is forbidden: User "system:node:n1" cannot get resource "nodes" in API group "metrics.k8s.io" at the cluster scope',
      },
    })
  })
})
