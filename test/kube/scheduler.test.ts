import { Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { equalJson, isJsonObject, objectAt, objectsAt, textAt } from '../../src/shared/json.ts'
import type { JsonObject } from '../../src/shared/json.ts'
import { clusterUnderTest } from '../../src/main/sandbox/control-plane/fake-cluster.ts'
import { reportComparison, reportMissing } from './comparison.ts'
import { findParts, startControlPlane } from './control-plane.ts'

// The sandbox's scheduler and a real kube-scheduler: the same nodes and pods on both, and what each writes about one pod and
// about the pods that it preempts.

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
  readonly there?: Record<string, JsonObject | readonly JsonObject[]>
  /** Labels of these pods, and of the pod. */
  readonly labels?: Record<string, string>
  /** Other objects, by the path of their collection. */
  readonly objects?: readonly (readonly [path: string, object: JsonObject, status?: JsonObject])[]
  readonly pod: JsonObject
}

const claims = '/api/v1/namespaces/default/persistentvolumeclaims'
const volumes = '/api/v1/persistentvolumes'
const classes = '/apis/storage.k8s.io/v1/storageclasses'
const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets'
const priorities = '/apis/scheduling.k8s.io/v1/priorityclasses'
const services = '/api/v1/namespaces/default/services'

function asking(cpu: string, more: JsonObject = {}): JsonObject {
  const container = { name: 'c', image: 'registry.example/app:1', resources: { requests: { cpu } } }
  return { automountServiceAccountToken: false, containers: [container], ...more }
}

const urgent = { priorityClassName: 'system-node-critical' }

function named(name: string, object: JsonObject): JsonObject {
  return { metadata: { name }, ...object }
}

function zone(name: string): NodeShape {
  return { labels: { zone: name, zoned: 'yes' } }
}

function host(name: string): NodeShape {
  return { labels: { 'kubernetes.io/hostname': name } }
}

const labelSelector = { matchLabels: { app: 'db' } }

function term(topologyKey: string): JsonObject {
  return { labelSelector, topologyKey }
}

function apart(topologyKey: string): JsonObject {
  const required = [term(topologyKey)]
  return {
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } },
  }
}

function spread(whenUnsatisfiable: string): JsonObject {
  return { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable, labelSelector }
}

function withClaim(claimName: string): JsonObject {
  return { volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }] }
}

function claimSpec(storageClassName: string): JsonObject {
  const requests = { storage: '1Gi' }
  return { storageClassName, accessModes: ['ReadWriteOnce'], resources: { requests } }
}

const delayed = { volumeBindingMode: 'WaitForFirstConsumer' }

function volume(name: string, storage: string, more: JsonObject = {}): JsonObject {
  const capacity = { storage }
  const hostPath = { path: '/mnt/data' }
  return named(name, { spec: { capacity, accessModes: ['ReadWriteOnce'], hostPath, ...more } })
}

/** A claim that is bound to a volume. */
function boundTo(disk: JsonObject): NonNullable<SchedulingCase['objects']> {
  const annotations = { 'pv.kubernetes.io/bind-completed': 'yes' }
  const spec = { ...claimSpec(''), volumeName: 'disk' }
  return [
    [volumes, disk],
    [claims, { metadata: { name: 'data', annotations }, spec }, { phase: 'Bound' }],
  ]
}

/** A claim that is bound to a volume of a zone. */
function boundIn(name: string): NonNullable<SchedulingCase['objects']> {
  const matchExpressions = [{ key: 'zone', operator: 'In', values: [name] }]
  const nodeAffinity = { required: { nodeSelectorTerms: [{ matchExpressions }] } }
  return boundTo(volume('disk', '1Gi', { nodeAffinity }))
}

/** A claim that is bound to a volume with labels. */
function boundWith(labels: Record<string, string>): NonNullable<SchedulingCase['objects']> {
  return boundTo({ ...volume('disk', '1Gi'), metadata: { name: 'disk', labels } })
}

const zoneLabel = 'topology.kubernetes.io/zone'
const oldZoneLabel = 'failure-domain.beta.kubernetes.io/zone'

function listening(hostPort: number): JsonObject {
  const ports = [{ containerPort: 80, hostPort }]
  return {
    automountServiceAccountToken: false,
    containers: [{ name: 'c', image: 'registry.example/app:1', ports }],
  }
}

/** To the nodes of these names: each list is a term, whose names must all be the node's. */
function toNames(...terms: readonly (readonly string[])[]): JsonObject {
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
    pod: asking('1', toNames(['b'], ['zz'])),
  },
  {
    title: 'an affinity that contradicts itself',
    nodes: { a: {}, b: {} },
    pod: asking('1', toNames(['a', 'b'])),
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
    pod: asking('1', urgent),
  },
  {
    title: 'fewer victims on one node',
    nodes: { a: {}, b: {}, c: { unschedulable: true } },
    there: { a: [asking('1'), asking('1')], b: [asking('100m'), asking('1900m')] },
    pod: asking('1500m', urgent),
  },
  {
    title: 'a victim that a budget guards',
    nodes: { a: {}, b: {} },
    there: { a: asking('2'), b: [asking('1'), asking('1')] },
    labels: { app: 'guarded' },
    objects: [
      [
        budgets,
        named('guard', {
          spec: { minAvailable: 3, selector: { matchLabels: { app: 'guarded' } } },
        }),
        { disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 2, expectedPods: 3 },
      ],
    ],
    pod: asking('2', urgent),
  },
  {
    title: 'a pod that must not preempt',
    nodes: { a: {} },
    there: { a: asking('2') },
    objects: [[priorities, named('polite', { value: 1000, preemptionPolicy: 'Never' })]],
    pod: asking('1', { priorityClassName: 'polite' }),
  },
  {
    title: 'the anti-affinity of the pod and of others',
    nodes: { a: zone('z1'), b: zone('z1'), c: zone('z2'), d: {} },
    there: { a: asking('1'), c: asking('1', apart('zone')) },
    labels: { app: 'db' },
    pod: asking('1', { ...apart('zone'), nodeSelector: { zoned: 'yes' } }),
  },
  {
    title: 'affinity to pods that do not exist',
    nodes: { a: zone('z1'), b: {} },
    pod: asking('1', {
      affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term('zone')] } },
    }),
  },
  {
    title: 'a spread that is full in one zone, and a node without one',
    nodes: { a: zone('z1'), b: { ...zone('z2'), unschedulable: true }, c: {} },
    there: { a: asking('100m') },
    labels: { app: 'db' },
    pod: asking('1', { topologySpreadConstraints: [spread('DoNotSchedule')] }),
  },
  {
    title: 'a preferred node',
    nodes: { a: { labels: { disk: 'hdd' } }, b: { labels: { disk: 'ssd' } }, c: {} },
    pod: asking('1', {
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              weight: 10,
              preference: {
                matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }],
              },
            },
          ],
        },
      },
    }),
  },
  {
    title: 'a preferred spread',
    nodes: { a: zone('z1'), b: zone('z2'), c: zone('z1') },
    there: { a: asking('100m'), c: asking('100m') },
    labels: { app: 'db' },
    pod: asking('100m', { topologySpreadConstraints: [spread('ScheduleAnyway')] }),
  },
  {
    title: 'the default spread of a Service',
    nodes: { a: host('a'), b: host('b') },
    there: { a: asking('100m') },
    labels: { app: 'db' },
    objects: [
      [services, named('db', { spec: { selector: { app: 'db' }, ports: [{ port: 80 }] } })],
    ],
    pod: asking('100m'),
  },
  {
    title: 'the node with the most free resources',
    nodes: { a: {}, b: {}, c: {} },
    there: { a: asking('1'), c: asking('500m') },
    pod: asking('500m'),
  },
  {
    title: 'a claim that does not exist',
    nodes: { a: {} },
    pod: asking('1', withClaim('data')),
  },
  {
    title: 'a claim whose volume is in the zone of one node',
    nodes: { n1: zone('a'), n2: zone('b') },
    objects: boundIn('b'),
    pod: asking('1', withClaim('data')),
  },
  {
    title: 'a claim whose volume is in the zone of no node',
    nodes: { n1: zone('a'), n2: zone('b') },
    objects: boundIn('c'),
    pod: asking('1', withClaim('data')),
  },
  {
    title:
      'a volume that is labelled with two zones, and nodes in a third, without one and in one of them',
    nodes: {
      a: { labels: { [zoneLabel]: 'c' } },
      b: { unschedulable: true },
      c: { labels: { [zoneLabel]: 'b' } },
    },
    objects: boundWith({ [zoneLabel]: 'a__b' }),
    pod: asking('1', withClaim('data')),
  },
  {
    title: 'a volume with the older label of a zone and a region, which no node has',
    nodes: {
      a: { labels: { [zoneLabel]: 'a' } },
      b: { labels: { [oldZoneLabel]: 'a' } },
      c: { labels: { [zoneLabel]: 'b', [oldZoneLabel]: 'b' } },
    },
    objects: boundWith({
      [oldZoneLabel]: 'a',
      'failure-domain.beta.kubernetes.io/region': 'r',
    }),
    pod: asking('1', withClaim('data')),
  },
  {
    title: 'a volume with the older label of a zone, and a node with the newer one',
    nodes: { a: { labels: { [zoneLabel]: 'b' } }, b: { labels: { [zoneLabel]: 'a' } } },
    objects: boundWith({ [oldZoneLabel]: 'a' }),
    pod: asking('1', withClaim('data')),
  },
  {
    title: 'a volume whose label names an empty zone, which counts as none',
    nodes: { a: { labels: { [zoneLabel]: 'b' } } },
    objects: boundWith({ [zoneLabel]: 'a____b' }),
    pod: asking('1', withClaim('data')),
  },
  {
    title: 'a claim of a class whose volumes exist already, where none is left',
    nodes: { n1: zone('a'), n2: { unschedulable: true } },
    objects: [
      [classes, named('local', { provisioner: 'kubernetes.io/no-provisioner', ...delayed })],
      [claims, named('data', { spec: claimSpec('local') })],
      [volumes, volume('too-small', '500Mi', { storageClassName: 'local' })],
    ],
    pod: asking('1', withClaim('data')),
  },
  {
    title: 'a claim of a class for another zone',
    nodes: { n1: zone('a') },
    objects: [
      [
        classes,
        named('zonal', {
          provisioner: 'example.com/disks',
          allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['b'] }] }],
          ...delayed,
        }),
      ],
      [claims, named('data', { spec: claimSpec('zonal') })],
    ],
    pod: asking('1', withClaim('data')),
  },
  {
    title: 'a claim that is not bound',
    nodes: { a: {} },
    objects: [
      [classes, named('slow', { provisioner: 'none.test', volumeBindingMode: 'Immediate' })],
      [claims, named('data', { spec: claimSpec('slow') })],
    ],
    pod: asking('1', withClaim('data')),
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

/** What a scheduler wrote: about the pod, and about the pods that were there. */
interface Outcome {
  readonly scheduled: JsonObject
  readonly nodeName: string
  readonly nominatedNodeName: string
  readonly events: readonly string[]
  readonly others: Readonly<Record<string, unknown>>
}

async function create(server: Server, schedulingCase: SchedulingCase): Promise<readonly string[]> {
  const { send } = server
  for (const [name, shape] of Object.entries(schedulingCase.nodes)) {
    const { labels = {}, taints = [], unschedulable = false } = shape
    const { allocatable = { cpu: '2', memory: '4Gi', pods: '110' } } = shape
    const conditions = [{ type: 'Ready', status: 'True' }]
    await send('POST', nodes, { kind: 'Node', apiVersion: 'v1', metadata: { name, labels } })
    await send('PATCH', `${nodes}/${name}/status`, { status: { allocatable, conditions } })
    // A new node has a taint until a controller has seen that it is Ready.
    await send('PATCH', `${nodes}/${name}`, { spec: { taints, unschedulable } })
  }
  const { labels = {}, objects = [], there = {} } = schedulingCase
  const names: string[] = []
  for (const [nodeName, specs] of Object.entries(there))
    for (const [index, spec] of [specs].flat().entries()) {
      const name = `on-${nodeName}-${index}`
      names.push(name)
      await send('POST', pods, podOf(name, { ...spec, nodeName }, labels))
      // Otherwise the time of the test decides which pod is the most important.
      const status = { startTime: `2026-01-01T00:00:0${names.length}Z` }
      await send('PATCH', `${pods}/${name}/status`, { status })
    }
  for (const [path, object, status] of objects) {
    const { metadata } = await send('POST', path, object)
    if (status === undefined || !isJsonObject(metadata)) continue
    const written = { ...status, observedGeneration: metadata['generation'] }
    await send('PATCH', `${path}/${textAt(metadata, 'name')}/status`, { status: written })
  }
  return names
}

async function eventsOf({ send }: Server, uids: ReadonlyMap<string, string>) {
  const events = objectsAt(await send('GET', '/api/v1/namespaces/default/events'), 'items')
  const lines = events
    .filter((event) => uids.has(textAt(objectAt(event, 'involvedObject'), 'uid')))
    .map((event) => {
      const about = uids.get(textAt(objectAt(event, 'involvedObject'), 'uid')) ?? ''
      return `${about}: ${textAt(event, 'type')} ${textAt(event, 'reason')}: ${textAt(event, 'message')}`
    })
    // Those of the budget's controller and others are not what is compared.
    .filter((line) => / (FailedScheduling|Scheduled|Preempted): /.test(line))
    .map((line) => [...uids].reduce((text, [uid, name]) => text.replace(uid, `(${name})`), line))
  return [...new Set(lines)].toSorted()
}

async function outcomeOf(server: Server, names: readonly string[]): Promise<Outcome | undefined> {
  const { send } = server
  const asked = await send('GET', `${pods}/asked`)
  const conditions = objectsAt(objectAt(asked, 'status'), 'conditions')
  const scheduled = conditions.find(({ type }) => type === 'PodScheduled')
  if (scheduled === undefined) return undefined
  const { status, reason, message, observedGeneration } = scheduled
  const uids = new Map([[textAt(objectAt(asked, 'metadata'), 'uid'), 'asked']])
  const others: Record<string, unknown> = {}
  for (const name of names) {
    const pod = await send('GET', `${pods}/${name}`)
    uids.set(textAt(objectAt(pod, 'metadata'), 'uid'), name)
    const target = objectsAt(objectAt(pod, 'status'), 'conditions').find(
      ({ type }) => type === 'DisruptionTarget',
    )
    if (target === undefined) continue
    others[name] = {
      isDeleted: 'deletionTimestamp' in objectAt(pod, 'metadata'),
      reason: target['reason'],
      message: target['message'],
      observedGeneration: target['observedGeneration'],
    }
  }
  return {
    scheduled: { status, reason, message, observedGeneration },
    nodeName: textAt(objectAt(asked, 'spec'), 'nodeName'),
    nominatedNodeName: textAt(objectAt(asked, 'status'), 'nominatedNodeName'),
    events: await eventsOf(server, uids),
    others,
  }
}

/** The outcome once it no longer changes. */
async function play(server: Server, schedulingCase: SchedulingCase): Promise<Outcome> {
  const names = await create(server, schedulingCase)
  await server.wait()
  await server.send('POST', pods, podOf('asked', schedulingCase.pod, schedulingCase.labels))
  let before: Outcome | undefined
  for (let turn = 0; turn < 100; turn++) {
    for (let wait = 0; wait < 4; wait++) await server.wait()
    const now = await outcomeOf(server, names)
    if (now !== undefined && equalJson(now, before)) return now
    before = now
  }
  throw new Error(`${schedulingCase.title}: the scheduler said nothing`)
}

function podOf(name: string, spec: JsonObject, labels: Record<string, string> = {}): JsonObject {
  return { kind: 'Pod', apiVersion: 'v1', metadata: { name, labels }, spec }
}

async function clear({ send, wait }: Server, schedulingCase: SchedulingCase): Promise<void> {
  for (const [path, { metadata }] of schedulingCase.objects ?? []) {
    const name = isJsonObject(metadata) ? textAt(metadata, 'name') : ''
    // No controller removes them on the real server.
    if (path === claims || path === volumes)
      await send('PATCH', `${path}/${name}`, { metadata: { finalizers: null } })
    await send('DELETE', `${path}/${name}`)
  }
  for (const collection of [pods, nodes])
    for (const item of objectsAt(await send('GET', collection), 'items')) {
      const name = textAt(objectAt(item, 'metadata'), 'name')
      await send('DELETE', `${collection}/${name}`, { gracePeriodSeconds: 0 })
    }
  await wait()
}

describe('what a scheduler does with a pod', () => {
  const servers: Server[] = []
  let compared = 0

  beforeAll(async () => {
    servers.push(await sandbox())
    if (!('missing' in plane)) servers.push(await real())
  }, 90_000)

  afterAll(async () => {
    for (const server of servers) await server.stop()
    if ('missing' in plane) reportMissing('scheduler', plane.missing)
    else
      reportComparison(
        'scheduler',
        `${compared} pods scheduled, refused or preempted for as kube-scheduler does, with its messages`,
      )
  })

  it.each(schedulingCases)('$title', { timeout: 60_000 }, async (schedulingCase) => {
    const outcomes: Outcome[] = []
    for (const server of servers) {
      outcomes.push(await play(server, schedulingCase))
      await clear(server, schedulingCase)
    }
    const [ours, theirs] = outcomes
    if (theirs === undefined) {
      expect(ours?.scheduled).toMatchObject({ status: expect.any(String) })
      return
    }
    expect(ours).toEqual(theirs)
    compared++
  })
})
