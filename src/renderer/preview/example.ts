import type { ClusterView, LoopEntry } from '../../shared/model/cluster-view.ts'
import type { PodRow } from '../../shared/model/pod-row.ts'
import type { TraceEvent, TraceInput } from '../../shared/model/trace-event.ts'
import {
  fakeCluster,
  fakeDetail,
  fakeFacts,
  fakeRow,
  fakeStaticRow,
  fakeNow,
} from '../bridge/fake-views.ts'
import type { PodDetail } from '../../shared/model/pod-detail.ts'
import { drawerDetails, gatewayWhy } from './drawer-example.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

function ago(ms: number): number {
  return fakeNow - ms
}

/** One moment: `web.yaml` edited 4 s ago, `api-gateway` deleted 9 s ago, `audit-tail.yaml` removed 19 s ago. */
export const exampleRows: readonly PodRow[] = [
  fakeRow({
    namespace: 'shop',
    name: 'api-gateway-6c9d5f7b44-tq8vn',
    uid: '327704f2-a792-473d-8fe8-96e6f6ac8d1a',
    status: 'Terminating',
    tone: 'term',
    createdAt: ago(5 * hour + 12 * minute),
    worker: 'TerminatingPod',
    grace: { seconds: 30, startedAt: ago(9 * second), killAt: fakeNow + 21 * second },
    bricks: [{ name: 'gateway', state: 'running' }],
  }),
  fakeStaticRow({
    name: 'web-scope-node-1',
    uid: 'e694aa37abf20c91a442da4841aeccdf',
    mirror: 'matched',
    mirrorUid: '78229608-5a71-4ed3-a44d-a6890aa29bee',
    createdAt: ago(34 * minute),
    worker: 'TerminatingPod',
    grace: { seconds: 30, startedAt: ago(4 * second), killAt: fakeNow + 26 * second },
    bricks: [{ name: 'web', state: 'running' }],
  }),
  fakeStaticRow({
    name: 'web-scope-node-1',
    uid: 'bbdbbd575d47c5d8a629979213e34add',
    mirror: 'stale',
    mirrorUid: '78229608-5a71-4ed3-a44d-a6890aa29bee',
    status: '',
    tone: 'wait',
    readyContainers: 0,
    createdAt: ago(4 * second),
    worker: 'waiting',
    workerReason: 'its name is still used by e694aa37…ccdf, which is stopping',
    bricks: [{ name: 'web', state: 'waiting' }],
  }),
  fakeStaticRow({
    namespace: 'kube-system',
    name: 'audit-tail-scope-node-1',
    uid: 'a1213419a0c503fc2767891f21463751',
    mirror: 'deleting',
    mirrorUid: '16262e0e-00a6-4cca-92e6-da84f4595297',
    createdAt: ago(27 * hour),
    worker: 'TerminatingPod',
    grace: { seconds: 30, startedAt: ago(19 * second), killAt: fakeNow + 11 * second },
  }),
  fakeStaticRow({
    name: 'probe-scope-node-1',
    uid: '8da843ff65205a61374b09b81ed0fa35',
    source: 'http',
    mirrorUid: '8e905063-5ba4-4606-87b3-ba884fd30031',
    readyContainers: 0,
    createdAt: ago(27 * hour),
    worker: 'TerminatedAndRecreatedPod',
    workerReason:
      'stopped, and wanted again with the same UID: it starts again when it is finished',
    bricks: [{ name: 'probe', state: 'exited' }],
  }),
  fakeRow({
    namespace: 'jobs',
    name: 'batch-x1-9fkzd',
    uid: '5f0b1e0a-9a1c-4b7e-8d0e-3c1b9a7d2e11',
    status: 'Completed',
    tone: 'done',
    readyContainers: 0,
    createdAt: ago(9 * minute + 41 * second),
    worker: 'TerminatedPod',
    bricks: [{ name: 'batch', state: 'exited' }],
  }),
  fakeRow({
    namespace: 'jobs',
    name: 'mem-hog',
    uid: '0d4b9c1e-7c55-4a2f-b1f0-5e9d8c7b6a50',
    status: 'Evicted',
    tone: 'bad',
    readyContainers: 0,
    createdAt: ago(6 * minute + 2 * second),
    worker: 'finished',
    bricks: [{ name: 'hog', state: 'down' }],
  }),
  fakeStaticRow({
    namespace: 'kube-system',
    name: 'etcd-scope-node-1',
    uid: 'a226e9fbdfc1c8dd7e7fef4d333f86ed',
    mirrorUid: '0c4a2aa7-75b9-4e27-954d-a5399dc0801b',
    createdAt: ago(2 * day + 4 * hour),
    bricks: [{ name: 'etcd', state: 'running' }],
  }),
  fakeStaticRow({
    namespace: 'kube-system',
    name: 'dns-cache-scope-node-1',
    uid: 'b3bf60b851ebaeb2768b01a32e2ef32f',
    mirrorUid: 'e52fdc96-016b-4824-bb3c-6beb6fa8e21c',
    createdAt: ago(2 * day + 4 * hour),
  }),
  fakeStaticRow({
    namespace: 'kube-system',
    name: 'node-exporter-scope-node-1',
    uid: '97893f46e7e13ef37b4c2e0ac60d85ca',
    source: 'http',
    mirrorUid: 'ca99327a-0b67-43dd-8880-9610b649023e',
    createdAt: ago(27 * hour),
  }),
  fakeStaticRow({
    namespace: 'kube-system',
    name: 'log-shipper-scope-node-1',
    uid: '44ba5ca65651b4f36f1927576dd35436',
    mirror: 'missing',
    mirrorUid: null,
    createdAt: ago(27 * hour),
  }),
  fakeRow({
    namespace: 'kube-system',
    name: 'old-agent-scope-node-1',
    uid: 'd1f7c3aa-2b1e-4a6c-9f0d-7b8e6a5c4d3e',
    kind: 'mirror',
    mirrorUid: 'd1f7c3aa-2b1e-4a6c-9f0d-7b8e6a5c4d3e',
    worker: 'none',
    workerReason: 'orphaned mirror of 5c1d9e: the node has no static pod of this name',
    createdAt: ago(3 * day),
    status: 'Running',
    readyContainers: 1,
  }),
  fakeRow({
    namespace: 'kube-system',
    name: 'coredns-76f75df574-q7hjn',
    uid: '9d2c7b6a-11f0-4c3e-a5d4-8e7f6a5b4c3d',
    createdAt: ago(2 * day + 4 * hour),
  }),
  ...(['k2x8p', 'm9qzt', 'w5trb'] as const).map((tail, index) =>
    fakeRow({
      namespace: 'shop',
      name: `checkout-7d4b9c6f8-${tail}`,
      uid: `${index}c9f8e7d-6b5a-4c3d-9e8f-7a6b5c4d3e2${index}`,
      readyContainers: tail === 'w5trb' ? 1 : 2,
      totalContainers: 2,
      createdAt: ago(tail === 'w5trb' ? 18 * minute : 5 * hour + 12 * minute),
      bricks: [
        { name: 'app', state: tail === 'w5trb' ? 'notready' : 'running' },
        { name: 'proxy', state: 'running' },
      ],
    }),
  ),
  fakeRow({
    namespace: 'shop',
    name: 'cache-5b8f7d6c9-zl4wd',
    uid: '7e6d5c4b-3a29-4f18-8e7d-6c5b4a392817',
    createdAt: ago(5 * hour + 12 * minute),
    bricks: [{ name: 'redis', state: 'running' }],
  }),
  fakeRow({
    namespace: 'jobs',
    name: 'worker-0',
    uid: '1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
    status: 'CrashLoopBackOff',
    tone: 'bad',
    readyContainers: 0,
    restarts: 3,
    lastRestartAt: ago(3 * second),
    createdAt: ago(50 * second),
    bricks: [{ name: 'worker', state: 'down' }],
  }),
  fakeRow({
    namespace: 'jobs',
    name: 'migrate-hx2lk',
    uid: '2b3c4d5e-6f7a-4b8c-9d0e-1f2a3b4c5d6e',
    status: 'Init:0/2',
    tone: 'wait',
    readyContainers: 0,
    createdAt: ago(41 * second),
    bricks: [{ name: 'migrate', state: 'waiting' }],
  }),
  fakeRow({
    namespace: 'jobs',
    name: 'report-5n2tx',
    uid: '3c4d5e6f-7a8b-4c9d-8e1f-2a3b4c5d6e7f',
    status: 'ImagePullBackOff',
    tone: 'bad',
    readyContainers: 0,
    createdAt: ago(3 * minute + 6 * second),
    bricks: [{ name: 'report', state: 'down' }],
  }),
]

/** The pods of a new sandbox. */
export const startRows: readonly PodRow[] = [
  fakeStaticRow({
    namespace: 'kube-system',
    name: 'heartbeat-scope-node-1',
    uid: '774f344a615692604de040918a72b149',
    mirrorUid: '52b9fd1c-5ad3-4f31-8a7e-0a7a3c2c93f7',
    createdAt: ago(6 * second),
  }),
  fakeStaticRow({
    name: 'web-scope-node-1',
    uid: '4db90dbbbce93ceba5f383ef323ded3f',
    mirrorUid: 'b0c6f30e-3a0f-4a53-9a50-e9a7dd9d0d6b',
    createdAt: ago(6 * second),
  }),
  fakeRow({
    name: 'hello',
    uid: 'ea03f05c-548a-4e40-a20c-58c2c8996764',
    createdAt: ago(5 * second),
  }),
  fakeRow({
    name: 'loud',
    uid: '17dccc51-66bf-4b11-9753-72e189799611',
    createdAt: ago(5 * second),
  }),
]

const loopTexts: readonly (readonly [LoopEntry['input'], string])[] = [
  ['sync', 'sync tick, 3 due'],
  ['housekeeping', 'housekeeping'],
  ['config', 'RECONCILE api shop/checkout-7d4b9c6f8-w5trb'],
  ['sync', 'sync tick, 1 due'],
  ['pleg', 'PLEG ContainerDied jobs/worker-0'],
  ['sync', 'sync tick, 2 due'],
  ['config', 'ADD file default/web-scope-node-1'],
  ['housekeeping', 'housekeeping'],
  ['config', 'REMOVE file default/web-scope-node-1'],
  ['sync', 'sync tick, 4 due'],
  ['config', 'DELETE api shop/api-gateway-6c9d5f7b44-tq8vn'],
]

/** The last entries of the sync loop, newest first, about one per second. */
export function loopEntries(now: number, count = 40): readonly LoopEntry[] {
  return Array.from({ length: count }, (_, index) => {
    const [input, text] = loopTexts[index % loopTexts.length] ?? ['sync', 'sync tick']
    return { seq: 18_204 - index, at: now - 78 - index * 907 + (index % 3) * 231, input, text }
  })
}

export function exampleCluster(part: Partial<ClusterView> = {}): ClusterView {
  return fakeCluster({
    loops: [{ node: 'scope-node-1', iterations: 18_204, recent: loopEntries(fakeNow) }],
    ...part,
  })
}

function traced(
  row: PodRow,
  seq: number,
  agoMs: number,
  input: Omit<TraceInput, 'subject'>,
): TraceEvent {
  const subject = { kind: 'pod', uid: row.uid, namespace: row.namespace, name: row.name } as const
  // In each literal below, kind and data match; only the type of their union loses that.
  return {
    ...input,
    subject,
    seq,
    at: fakeNow - agoMs,
    cluster: row.cluster,
    node: row.node,
  } as TraceEvent
}

function gatewayTrace(row: PodRow): readonly TraceEvent[] {
  return [
    traced(row, 41_221, 4400, {
      kind: 'container.signalled',
      causes: [41_218],
      data: { container: 'gateway', containerId: '9c1e', signal: 'SIGTERM' },
    }),
    traced(row, 41_218, 4402, {
      kind: 'container.killing',
      causes: [41_214],
      data: { container: 'gateway', containerId: '9c1e', gracePeriodSeconds: 30, why: '' },
    }),
    traced(row, 41_214, 9370, {
      kind: 'worker.syncStarted',
      causes: [41_212],
      data: { workType: 'terminating', updateType: 'kill', gracePeriodSeconds: 30 },
    }),
    traced(row, 41_213, 9373, {
      kind: 'worker.acknowledgedTerminating',
      causes: [41_212],
      data: {},
    }),
    traced(row, 41_212, 9376, {
      kind: 'worker.updated',
      causes: [41_210],
      data: {
        updateType: 'update',
        outcome: 'pending',
        transition: 'deletionTimestamp',
        gracePeriodSeconds: 30,
        message: '',
      },
    }),
    traced(row, 41_210, 9377, {
      kind: 'config.merged',
      causes: [41_208],
      data: { source: 'api', op: 'DELETE', mirror: false },
    }),
    traced(row, 41_208, 9380, {
      kind: 'object.written',
      causes: [41_207],
      data: { change: 'MODIFIED', resourceVersion: '8812', user: 'admin', subresource: '' },
    }),
    traced(row, 40_907, 61_000, {
      kind: 'worker.syncFinished',
      causes: [40_905],
      data: { workType: 'sync', outcome: 'ok', message: '', durationMs: 4 },
    }),
    traced(row, 40_905, 61_004, {
      kind: 'worker.syncStarted',
      causes: [40_903],
      data: { workType: 'sync', updateType: 'sync', gracePeriodSeconds: null },
    }),
  ]
}

/** The details that show more than a row. */
export function exampleDetails(rows: readonly PodRow[]): readonly PodDetail[] {
  return rows.flatMap((row): readonly PodDetail[] => {
    if (row.name.startsWith('api-gateway'))
      return [
        fakeDetail(row, {
          trace: gatewayTrace(row),
          why: gatewayWhy,
          facts: fakeFacts(row, {
            controlledBy: 'ReplicaSet api-gateway-6c9d5f7b44',
            deletionTimestamp: '2026-11-21T14:02:52Z',
          }),
        }),
      ]
    if (row.name.startsWith('cache'))
      return [
        fakeDetail(row, { facts: fakeFacts(row, { controlledBy: 'ReplicaSet cache-5b8f7d6c9' }) }),
      ]
    return drawerDetails(row)
  })
}

/** 10,000 pods, to test the speed of the table. */
export function manyRows(count = 10_000): readonly PodRow[] {
  return Array.from({ length: count }, (_, index) => {
    const tail = index.toString(36).padStart(5, '0')
    const uid = `${index.toString(16).padStart(8, '0')}-6b5a-4c3d-9e8f-${index.toString(16).padStart(12, '0')}`
    const base = {
      namespace: `team-${index % 40}`,
      name: `app-${index % 400}-7d4b9c6f8-${tail}`,
      uid,
    }
    return index % 3 === 0
      ? fakeStaticRow({ ...base, mirrorUid: `f${uid.slice(1)}` })
      : fakeRow(base)
  })
}
