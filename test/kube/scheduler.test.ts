import { Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isJsonObject, objectAt, objectsAt, textAt } from '../../src/shared/json.ts'
import type { JsonObject } from '../../src/shared/json.ts'
import { clusterUnderTest } from '../../src/main/sandbox/control-plane/fake-cluster.ts'
import { reportComparison, reportMissing } from './comparison.ts'
import { findParts, startControlPlane } from './control-plane.ts'

// The messages of the sandbox's scheduler and of a real kube-scheduler for unschedulable pods: the same nodes
// and pods on both, and the PodScheduled condition that each writes.

const nodes = '/api/v1/nodes'
const pods = '/api/v1/namespaces/default/pods'

interface Server {
  readonly send: (
    method: 'POST' | 'PATCH' | 'GET' | 'DELETE',
    path: string,
    body?: unknown,
  ) => Promise<JsonObject>
  /** Waits for work in progress. */
  readonly wait: () => Promise<void>
  readonly stop: () => Promise<void>
}

interface NodeShape {
  readonly labels?: Record<string, string>
  readonly taints?: readonly JsonObject[]
  readonly unschedulable?: boolean
  readonly allocatable?: Record<string, string>
}

interface SchedulingCase {
  readonly title: string
  readonly nodes: Record<string, NodeShape>
  /** Pods that are on a node already, by the name of the node. */
  readonly there?: Record<string, JsonObject>
  readonly pod: JsonObject
  /** Where a real scheduler preempts, only the sandbox's message is looked at. */
  readonly preempts?: string
}

function asking(cpu: string, more: JsonObject = {}): JsonObject {
  const container = { name: 'c', image: 'registry.example/app:1', resources: { requests: { cpu } } }
  return { automountServiceAccountToken: false, containers: [container], ...more }
}

function listening(hostPort: number): JsonObject {
  const ports = [{ containerPort: 80, hostPort }]
  return {
    automountServiceAccountToken: false,
    containers: [{ name: 'c', image: 'registry.example/app:1', ports }],
  }
}

/** To the nodes of these names: each list is a term, whose names must all be the node's. */
function named(...terms: readonly (readonly string[])[]): JsonObject {
  const nodeSelectorTerms = terms.map((names) => ({
    matchFields: names.map((name) => ({ key: 'metadata.name', operator: 'In', values: [name] })),
  }))
  return {
    affinity: {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
    },
  }
}

const taint = { key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' }

const schedulingCases: readonly SchedulingCase[] = [
  { title: 'no node', nodes: {}, pod: asking('1') },
  {
    title: 'a different reason for each node',
    nodes: {
      a: { unschedulable: true },
      b: { taints: [taint] },
      c: { labels: { disk: 'hdd' } },
      d: { labels: { disk: 'ssd' }, allocatable: { cpu: '500m', memory: '4Gi', pods: '9' } },
    },
    pod: asking('1', { nodeSelector: { disk: 'ssd' } }),
  },
  {
    title: 'pods of the same priority',
    nodes: { a: {}, b: { taints: [taint] }, c: {} },
    there: { a: asking('2'), c: asking('1500m') },
    pod: asking('1'),
  },
  {
    title: 'a request larger than every node',
    nodes: { a: {}, b: {} },
    pod: asking('64', { priorityClassName: 'system-node-critical' }),
  },
  {
    title: 'a host port in use, and a full node',
    nodes: { a: {}, b: { allocatable: { cpu: '2', memory: '4Gi', pods: '0' } } },
    there: { a: listening(8080) },
    pod: listening(8080),
  },
  {
    title: 'an affinity to names',
    nodes: { a: {}, b: { taints: [taint] }, c: {} },
    pod: asking('1', named(['b'], ['zz'])),
  },
  {
    title: 'an affinity that contradicts itself',
    nodes: { a: {}, b: {} },
    pod: asking('1', named(['a', 'b'])),
  },
  {
    title: 'scheduling gates',
    nodes: { a: {} },
    pod: asking('1', { schedulingGates: [{ name: 'gates.test/a' }] }),
  },
  {
    title: 'a pod of lower priority',
    nodes: { a: {} },
    there: { a: asking('2') },
    pod: asking('1', { priorityClassName: 'system-node-critical' }),
    preempts: "1 The sandbox's scheduler does not preempt",
  },
]

async function sandbox(): Promise<Server> {
  const { client, settle, stop } = await clusterUnderTest()
  return {
    send: async (method, path, body) => {
      const headers = { 'content-type': contentType(method) }
      return (await client.send(method, path, { body, headers })).body
    },
    wait: settle,
    stop: () => Promise.resolve(stop()),
  }
}

function contentType(method: string): string {
  return method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
}

const plane = await findParts(['etcd', 'kube-apiserver', 'kube-scheduler'], process.env)

async function real(): Promise<Server> {
  const { url, caPem, admin, stop } = await startControlPlane({
    environment: process.env,
    scheduler: true,
  })
  const { certificatePem: cert, keyPem: key } = admin
  const dispatcher = new Agent({ connect: { ca: caPem, cert, key } })
  return {
    send: async (method, path, body) => {
      const answer = await request(`${url}${path}`, {
        dispatcher,
        method,
        headers: { 'content-type': contentType(method) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const value: unknown = await answer.body.json()
      return isJsonObject(value) ? value : {}
    },
    wait: () =>
      new Promise((resolve) => {
        setTimeout(resolve, 100)
      }),
    stop: async () => {
      await dispatcher.destroy()
      await stop()
    },
  }
}

async function play({ send, wait }: Server, schedulingCase: SchedulingCase): Promise<JsonObject> {
  for (const [name, shape] of Object.entries(schedulingCase.nodes)) {
    const { labels = {}, taints = [], unschedulable = false } = shape
    const { allocatable = { cpu: '2', memory: '4Gi', pods: '110' } } = shape
    const conditions = [{ type: 'Ready', status: 'True' }]
    await send('POST', nodes, { kind: 'Node', apiVersion: 'v1', metadata: { name, labels } })
    await send('PATCH', `${nodes}/${name}/status`, { status: { allocatable, conditions } })
    // A new node has a taint until a controller has seen that it is Ready.
    await send('PATCH', `${nodes}/${name}`, { spec: { taints, unschedulable } })
  }
  for (const [nodeName, spec] of Object.entries(schedulingCase.there ?? {}))
    await send('POST', pods, podOf(`on-${nodeName}`, { ...spec, nodeName }))
  await wait()
  await send('POST', pods, podOf('asked', schedulingCase.pod))
  for (let turn = 0; turn < 100; turn++) {
    await wait()
    const { status } = await send('GET', `${pods}/asked`)
    const found = objectsAt(isJsonObject(status) ? status : {}, 'conditions')
    const scheduled = found.find(({ type }) => type === 'PodScheduled')
    if (scheduled !== undefined) return scheduled
  }
  throw new Error(`${schedulingCase.title}: the scheduler said nothing`)
}

function podOf(name: string, spec: JsonObject): JsonObject {
  return { kind: 'Pod', apiVersion: 'v1', metadata: { name }, spec }
}

async function clear({ send, wait }: Server): Promise<void> {
  for (const collection of [pods, nodes])
    for (const item of objectsAt(await send('GET', collection), 'items')) {
      const name = textAt(objectAt(item, 'metadata'), 'name')
      await send('DELETE', `${collection}/${name}`, { gracePeriodSeconds: 0 })
    }
  await wait()
}

describe('why a pod fits on no node', () => {
  const servers: Server[] = []
  let compared = 0

  beforeAll(async () => {
    servers.push(await sandbox())
    if (!('missing' in plane)) servers.push(await real())
  }, 90_000)

  afterAll(async () => {
    for (const server of servers) await server.stop()
    if ('missing' in plane) reportMissing('scheduler', plane.missing)
    else reportComparison('scheduler', `${compared} messages as kube-scheduler writes them`)
  })

  it.each(schedulingCases)('$title', { timeout: 60_000 }, async (schedulingCase) => {
    const said: unknown[] = []
    for (const server of servers) {
      const { status, reason, message } = await play(server, schedulingCase)
      said.push({ status, reason, message })
      await clear(server)
    }
    const [ours, theirs] = said
    if (schedulingCase.preempts !== undefined)
      expect(ours).toMatchObject({ message: expect.stringContaining(schedulingCase.preempts) })
    else if (theirs !== undefined) {
      expect(ours).toEqual(theirs)
      compared++
    }
    expect(ours).toMatchObject({ status: 'False' })
  })
})
