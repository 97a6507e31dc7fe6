import type { Administrator } from '../integration/administrator.ts'

const core = '/api/v1'
export const namespace = 'shop'
const pods = `${core}/namespaces/${namespace}/pods`

const running = { state: { running: { startedAt: '2026-01-01T00:00:00Z' } }, ready: true }
const crashed = {
  state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 5m0s' } },
  lastState: { terminated: { exitCode: 1, reason: 'Error' } },
  ready: false,
  restartCount: 4,
}

function status(container: object, phase: string, isReady: boolean): object {
  const name = { name: 'c', image: 'i', imageID: 'i', restartCount: 0 }
  return {
    phase,
    conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
    containerStatuses: [{ ...name, ...container }],
  }
}

interface PodParts {
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly owner?: { readonly apiVersion: string; readonly kind: string; readonly name: string }
  readonly node?: string
  readonly spec?: object
  readonly status?: object
}

async function makePod(admin: Administrator, name: string, parts: PodParts): Promise<void> {
  const { labels, annotations, owner, node, spec } = parts
  await admin.ask('POST', pods, {
    metadata: {
      name,
      labels,
      annotations,
      ...(owner === undefined
        ? {}
        : { ownerReferences: [{ ...owner, uid: `uid-of-${owner.name}`, controller: true }] }),
    },
    spec: { nodeName: node, containers: [{ name: 'c', image: 'i' }], ...spec },
  })
  if (parts.status === undefined) return
  const patch = { status: parts.status }
  await admin.transport.send({
    method: 'PATCH',
    path: `${pods}/${name}/status`,
    headers: { 'content-type': 'application/merge-patch+json' },
    body: patch,
  })
}

function nodeStatus(ready: string): object {
  const time = new Date().toISOString()
  return {
    conditions: [
      { type: 'Ready', status: ready, lastHeartbeatTime: time, lastTransitionTime: time },
    ],
    nodeInfo: { kubeletVersion: 'v1.34.4' },
    capacity: { cpu: '4', memory: '8Gi', pods: '110' },
    allocatable: { cpu: '3500m', memory: '7Gi', pods: '110' },
  }
}

async function makeNode(
  admin: Administrator,
  name: string,
  parts: { readonly ready: string; readonly labels?: object; readonly spec?: object },
): Promise<void> {
  const { ready, labels, spec } = parts
  await admin.ask('POST', `${core}/nodes`, {
    metadata: { name, labels },
    spec,
    status: nodeStatus(ready),
  })
  await admin.ask('POST', '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases', {
    metadata: { name },
    spec: {
      holderIdentity: name,
      leaseDurationSeconds: 40,
      renewTime: new Date().toISOString().replace('Z', '000Z'),
    },
  })
}

const daemonSet = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent' } as const
const replicaSet = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web' } as const
const owned = { owner: replicaSet, node: 'n1' } as const
const fine = status(running, 'Running', true)

/** Two nodes, and pods of all kinds that a drain tells apart, two of them with a budget. */
export async function makeObjects(admin: Administrator): Promise<void> {
  await admin.makeNamespace(namespace)
  await makeNode(admin, 'n1', {
    ready: 'True',
    labels: { 'node-role.kubernetes.io/worker': '' },
  })
  await makeNode(admin, 'n2', {
    ready: 'Unknown',
    spec: {
      unschedulable: true,
      taints: [
        {
          key: 'node.kubernetes.io/unreachable',
          effect: 'NoExecute',
          timeAdded: '2026-01-01T00:00:00Z',
        },
      ],
    },
  })
  const template = {
    metadata: { labels: { app: 'agent' } },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  }
  await admin.ask('POST', `/apis/apps/v1/namespaces/${namespace}/daemonsets`, {
    metadata: { name: 'agent' },
    spec: { selector: { matchLabels: { app: 'agent' } }, template },
  })
  for (const name of ['guarded-1', 'guarded-2'])
    await makePod(admin, name, { ...owned, labels: { app: 'guarded' }, status: fine })
  await makePod(admin, 'web-1', { ...owned, status: fine })
  await makePod(admin, 'crash', { ...owned, status: status(crashed, 'Running', false) })
  await makePod(admin, 'cache', {
    ...owned,
    spec: { volumes: [{ name: 'data', emptyDir: {} }] },
    status: fine,
  })
  await makePod(admin, 'agent-n1', { owner: daemonSet, node: 'n1', status: fine })
  await makePod(admin, 'lonely', { node: 'n1', status: fine })
  await makePod(admin, 'done', {
    node: 'n1',
    spec: { restartPolicy: 'Never' },
    status: status(
      { state: { terminated: { exitCode: 0, reason: 'Completed' } }, ready: false },
      'Succeeded',
      false,
    ),
  })
  await makePod(admin, 'static-n1', {
    node: 'n1',
    annotations: {
      'kubernetes.io/config.mirror': '0123',
      'kubernetes.io/config.hash': '0123',
      'kubernetes.io/config.source': 'file',
    },
    status: fine,
  })
  await makePod(admin, 'lost', { owner: replicaSet, node: 'n2', status: fine })
  await makePod(admin, 'waiting', {
    status: {
      phase: 'Pending',
      conditions: [
        {
          type: 'PodScheduled',
          status: 'False',
          reason: 'Unschedulable',
          message: '0/2 nodes are available: 2 Insufficient cpu.',
        },
      ],
    },
  })
  await makeBudget(admin)
}

/** No controller runs here: its status is written as one would. */
async function makeBudget(admin: Administrator): Promise<void> {
  const budgets = `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`
  await admin.ask('POST', budgets, {
    metadata: { name: 'guard' },
    spec: { minAvailable: 2, selector: { matchLabels: { app: 'guarded' } } },
  })
  await admin.transport.send({
    method: 'PATCH',
    path: `${budgets}/guard/status`,
    headers: { 'content-type': 'application/merge-patch+json' },
    body: {
      status: {
        observedGeneration: 1,
        disruptionsAllowed: 0,
        currentHealthy: 2,
        desiredHealthy: 2,
        expectedPods: 2,
      },
    },
  })
}
