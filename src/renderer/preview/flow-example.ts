import type { ClusterView } from '../../shared/model/cluster-view.ts'
import type { FlowArrow } from '../../shared/model/flow-arrows.ts'
import type { FlowMove, FlowView } from '../../shared/model/flow.ts'
import { flowArrows } from '../../shared/model/flow.ts'
import type { CausalChain } from '../../shared/model/pod-objects.ts'
import type { TraceEvent, TraceInput } from '../../shared/model/trace-event.ts'
import { fakeArrows, fakeFlow, fakeMove } from '../bridge/fake-flow.ts'
import { fakeNow } from '../bridge/fake-views.ts'

const oldWeb = 'e694aa37abf20c91a442da4841aeccdf'
const newWeb = 'bbdbbd575d47c5d8a629979213e34add'

const totals: Readonly<Record<FlowArrow, number>> = {
  'apiServer-api': 61,
  'api-podConfig': 9,
  'file-podConfig': 4,
  'http-podConfig': 2,
  'podConfig-syncLoop': 15,
  'syncLoop-podManager': 7,
  'podManager-mirrorClient': 3,
  'syncLoop-podWorkers': 31,
  'podWorkers-mirrorClient': 4,
  'podWorkers-statusManager': 22,
  'mirrorClient-apiServer': 1,
  'statusManager-apiServer': 14,
  'nodeController-apiServer': 6,
  'apiServer-volumeManager': 1,
  'volumeManager-podWorkers': 3,
  'imageManager-podWorkers': 5,
  'imageManager-runtime': 1,
  'runtime-prober': 4,
  'prober-syncLoop': 3,
  'evictionManager-podWorkers': 1,
  'garbageCollection-runtime': 2,
  'podWorkers-runtime-start': 5,
  'podWorkers-runtime-stop': 4,
  'runtime-pleg': 6,
  'pleg-syncLoop': 6,
  'podWorkers-podWorkers': 2,
}

const lastMoves: readonly FlowMove[] = [
  fakeMove({
    arrow: 'statusManager-apiServer',
    seq: 41_240,
    at: fakeNow - 600,
    text: 'PATCH',
    podName: 'checkout-7d4b9c6f8-w5trb',
  }),
  fakeMove({
    arrow: 'podWorkers-statusManager',
    seq: 41_239,
    at: fakeNow - 620,
    text: 'v12 Running',
    podName: 'checkout-7d4b9c6f8-w5trb',
  }),
  fakeMove({
    arrow: 'api-podConfig',
    seq: 41_236,
    at: fakeNow - 640,
    text: 'RECONCILE',
    podName: 'checkout-7d4b9c6f8-w5trb',
  }),
  fakeMove({
    arrow: 'pleg-syncLoop',
    seq: 41_231,
    at: fakeNow - 3366,
    text: 'ContainerDied',
    podName: 'worker-0',
  }),
  fakeMove({
    arrow: 'runtime-pleg',
    seq: 41_230,
    at: fakeNow - 3367,
    text: 'ContainerDied',
    podName: 'worker-0',
  }),
  fakeMove({
    arrow: 'nodeController-apiServer',
    seq: 41_229,
    at: fakeNow - 4000,
    text: 'PUT lease',
  }),
  fakeMove({
    arrow: 'podWorkers-runtime-stop',
    seq: 41_226,
    at: fakeNow - 4049,
    text: 'SIGTERM',
    podUid: oldWeb,
    podName: 'web-scope-node-1',
  }),
  fakeMove({
    arrow: 'syncLoop-podWorkers',
    seq: 41_222,
    at: fakeNow - 4064,
    text: 'create',
    podUid: newWeb,
    podName: 'web-scope-node-1',
  }),
  fakeMove({
    arrow: 'podManager-mirrorClient',
    seq: 41_220,
    at: fakeNow - 4065,
    text: 'linked',
    podUid: newWeb,
    podName: 'web-scope-node-1',
  }),
  fakeMove({
    arrow: 'syncLoop-podManager',
    seq: 41_219,
    at: fakeNow - 4065,
    text: 'set',
    podUid: newWeb,
    podName: 'web-scope-node-1',
  }),
  fakeMove({
    arrow: 'podConfig-syncLoop',
    seq: 41_217,
    at: fakeNow - 4066,
    text: 'ADD',
    podUid: newWeb,
    podName: 'web-scope-node-1',
  }),
  fakeMove({
    arrow: 'file-podConfig',
    seq: 41_215,
    at: fakeNow - 4067,
    text: 'ADD',
    podUid: newWeb,
    podName: 'web-scope-node-1',
  }),
  fakeMove({
    arrow: 'podWorkers-runtime-start',
    seq: 41_190,
    at: fakeNow - 41_000,
    text: 'start',
    podName: 'migrate-hx2lk',
  }),
  fakeMove({
    arrow: 'podWorkers-mirrorClient',
    seq: 41_180,
    at: fakeNow - 44_000,
    text: 'not now',
    podName: 'log-shipper-scope-node-1',
  }),
  fakeMove({
    arrow: 'http-podConfig',
    seq: 41_120,
    at: fakeNow - 52_000,
    text: 'ADD',
    podName: 'probe-scope-node-1',
  }),
  fakeMove({
    arrow: 'mirrorClient-apiServer',
    seq: 41_100,
    at: fakeNow - 240_000,
    text: 'DELETE',
    podName: 'probe-scope-node-1',
  }),
]

/** The kubelet at the time of the example. */
export function exampleFlow(): FlowView {
  return fakeFlow({
    arrows: fakeArrows(
      Object.fromEntries(
        flowArrows.map((arrow) => [
          arrow,
          {
            total: totals[arrow],
            lastMinute: totals[arrow],
            last: lastMoves.find((move) => move.arrow === arrow) ?? null,
          },
        ]),
      ),
    ),
    recent: lastMoves,
    roots: [
      { seq: 41_214, at: fakeNow - 4068, text: 'web.yaml modified' },
      {
        seq: 41_207,
        at: fakeNow - 9380,
        text: 'kubectl deleted pod default/api-gateway-6c9d5f7b44-tq8vn',
      },
      { seq: 41_160, at: fakeNow - 19_000, text: 'audit-tail.yaml removed' },
      { seq: 41_119, at: fakeNow - 52_100, text: 'probe manifest taken away and put back' },
    ],
    api: { pods: 17, mirrors: 6 },
    podConfig: { ops: { ADD: 3, UPDATE: 0, REMOVE: 3, RECONCILE: 9, DELETE: 1 } },
    podManager: { pods: 17, mirrors: 6, uidLinks: 6, orphans: 1 },
    pairs: { paired: 4, unpaired: 3 },
    mirrorClient: {
      calls: 2,
      lastCall: { at: fakeNow - 240_000, text: 'DELETE' },
    },
    statusManager: {
      cached: 17,
      unsent: 0,
      last: { at: fakeNow - 620, podName: 'checkout-7d4b9c6f8-w5trb', version: 12 },
    },
    syncLoop: { iterations: 18_204, last: { at: fakeNow - 78, text: 'sync tick, 3 due' } },
    pleg: { relistPeriodMs: 1000, lastRelistAt: fakeNow - 366 },
    prober: {
      workers: 9,
      failing: 1,
      lines: [
        {
          podName: 'checkout-7d4b9c6f8-w5trb',
          container: 'checkout',
          type: 'liveness',
          periodSeconds: 10,
          result: 'failure',
        },
      ],
    },
    volumes: {
      mounted: 21,
      waiting: 1,
      configMaps: 4,
      secrets: 2,
      lines: [
        {
          podName: 'migrate-hx2lk',
          volume: 'settings',
          plugin: 'kubernetes.io/configmap',
          isMounted: false,
        },
      ],
      objects: ['configmaps default/settings'],
    },
    images: {
      pulling: ['registry.example/migrate:2'],
      present: 12,
      unused: 3,
      lines: [{ name: 'busybox:1.36', sizeBytes: 4_300_000, isUsed: true }],
    },
    workers: { forgotten: 2 },
  })
}

function web(
  seq: number,
  uid: string,
  agoMs: number,
  input: Omit<TraceInput, 'subject' | 'causes'>,
): TraceEvent {
  return {
    ...input,
    subject: { kind: 'pod', uid, namespace: 'default', name: 'web-scope-node-1' },
    causes: [seq - 1],
    seq,
    at: fakeNow - agoMs,
    cluster: 'sandbox',
    node: 'scope-node-1',
    // In each literal below, kind and data match; only the type of their union loses that.
  } as TraceEvent
}

/** The third source, and the counts of the example. */
export function withHttp(cluster: ClusterView): ClusterView {
  return {
    ...cluster,
    nodes: cluster.nodes.map((node) => ({
      ...node,
      sources: [
        ...node.sources.map((source) => ({ ...source, pods: source.source === 'api' ? 17 : 4 })),
        {
          source: 'http',
          location: 'http://127.0.0.1:8099/pods.yaml',
          ready: true,
          pods: 2,
          problems: [],
          revision: 0,
        },
      ],
    })),
  }
}

/** The effects of the edit of web.yaml. */
export const exampleChain: CausalChain = {
  seq: 41_214,
  isCut: false,
  events: [
    web(41_214, '', 4068, {
      kind: 'manifest.changed',
      data: { path: '/home/ada/.nodescope/manifests/web.yaml', change: 'modified' },
    }),
    web(41_215, oldWeb, 4067, {
      kind: 'config.merged',
      data: { source: 'file', op: 'REMOVE', mirror: false },
    }),
    web(41_216, newWeb, 4067, {
      kind: 'config.merged',
      data: { source: 'file', op: 'ADD', mirror: false },
    }),
    web(41_217, newWeb, 4065, {
      kind: 'loop.config',
      data: { source: 'file', op: 'REMOVE', pods: 1, names: ['web-scope-node-1'] },
    }),
    web(41_219, oldWeb, 4065, {
      kind: 'podManager.changed',
      data: { op: 'removed', mirror: false },
    }),
    web(41_220, newWeb, 4065, { kind: 'podManager.changed', data: { op: 'set', mirror: false } }),
    web(41_221, oldWeb, 4064, {
      kind: 'worker.updated',
      data: {
        updateType: 'kill',
        outcome: 'pending',
        transition: 'killed',
        gracePeriodSeconds: 30,
        message: '',
      },
    }),
    web(41_222, newWeb, 4064, {
      kind: 'worker.updated',
      data: {
        updateType: 'create',
        outcome: 'pending',
        transition: '',
        gracePeriodSeconds: null,
        message: '',
      },
    }),
    web(41_226, oldWeb, 4049, {
      kind: 'container.killing',
      data: { container: 'web', containerId: '9c1e', gracePeriodSeconds: 30, why: '' },
    }),
    web(41_227, oldWeb, 4049, {
      kind: 'container.signalled',
      data: { container: 'web', containerId: '9c1e', signal: 'SIGTERM' },
    }),
  ],
}

const cycle: readonly FlowArrow[] = [
  'api-podConfig',
  'podConfig-syncLoop',
  'syncLoop-podWorkers',
  'podWorkers-statusManager',
  'statusManager-apiServer',
  'runtime-pleg',
  'pleg-syncLoop',
  'syncLoop-podManager',
]

/** The flow a second later. */
export function movedFlow(flow: FlowView, now: number): FlowView {
  const round = flow.syncLoop?.iterations ?? 0
  const moved = new Set([cycle[round % cycle.length], cycle[(round + 1) % cycle.length]])
  return {
    ...flow,
    now,
    arrows: flow.arrows.map((view) =>
      moved.has(view.arrow) && view.last !== null
        ? {
            ...view,
            total: view.total + 1 + (round % 3),
            last: { ...view.last, at: now, seq: view.last.seq + 100 + round },
          }
        : view,
    ),
    syncLoop: { iterations: round + 1, last: { at: now, text: 'sync tick, 3 due' } },
  }
}
