import type { ClusterView } from '../../shared/model/cluster-view.ts'
import type { InspectRow, InspectView } from '../../shared/model/inspect/inspect-view.ts'
import { unreadNode } from '../../shared/model/inspect/unread-node.ts'
import type { ChangesView, SeenNode, SeenView } from '../../shared/model/seen-cluster.ts'
import type { KubeconfigContext, KubeconfigView } from '../../shared/model/seen/kubeconfigs.ts'
import type { RightsView } from '../../shared/model/seen/rights.ts'
import { fakeCluster, fakeNow } from './fake-views.ts'

/** A node that is Ready, with three renewals of its lease. */
export function fakeSeenNode(name: string, part: Partial<SeenNode> = {}): SeenNode {
  const condition = (type: string, status: string): SeenNode['conditions'][number] => ({
    type,
    status,
    reason: '',
    message: '',
    since: fakeNow - 3_600_000,
  })
  return {
    name,
    status: 'Ready',
    roles: [],
    kubeletVersion: 'v1.34.1',
    createdAt: fakeNow - 86_400_000,
    pods: 4,
    mirrors: 1,
    statics: null,
    labels: {},
    conditions: [condition('MemoryPressure', 'False'), condition('Ready', 'True')],
    taints: [],
    isUnschedulable: false,
    capacity: {},
    allocatable: {},
    lease: {
      renewedAt: fakeNow - 4000,
      durationSeconds: 40,
      renewals: [fakeNow - 24_000, fakeNow - 14_000, fakeNow - 4000],
      count: 3,
    },
    requested: {},
    loss: { kind: 'none' },
    ...part,
  }
}

/** `prod-eu1`, read-only, with the nodes `worker-1` and `worker-2`. */
export function fakeSeenCluster(
  part: Partial<SeenView> = {},
  changes: ChangesView = { kind: 'readOnly', isFixed: false },
): ClusterView {
  return fakeCluster({
    id: 'prod-eu1',
    label: 'prod-eu1',
    kind: 'seen',
    server: 'https://k8s.eu1.acme.example:6443',
    clock: { now: fakeNow, virtual: false, paused: false, speed: 1, achieved: null },
    nodes: [],
    loops: [],
    exportLine: '',
    manifestsPath: '',
    isCutOff: null,
    seen: {
      context: 'prod-eu1',
      user: 'jana@acme',
      namespace: 'shop',
      version: 'v1.34.1',
      skewMs: 400,
      nodes: [fakeSeenNode('worker-1'), fakeSeenNode('worker-2')],
      watches: [
        {
          resource: 'nodes',
          count: 2,
          lastAt: fakeNow - 2000,
          state: 'watching',
          problem: '',
          missingRule: '',
        },
      ],
      color: 0,
      plugin: '',
      pluginRun: null,
      drains: [],
      changes,
      ...part,
    },
  })
}

export function fakeContext(
  name: string,
  part: Partial<KubeconfigContext> = {},
): KubeconfigContext {
  return {
    name,
    clusterName: name,
    server: `https://${name}.example:6443`,
    userName: 'jana',
    namespace: 'default',
    signIn: { kind: 'token' },
    impersonates: '',
    proxy: '',
    lastOpenedAt: null,
    cluster: '',
    color: null,
    problem: '',
    ...part,
  }
}

export function fakeKubeconfig(contexts: readonly KubeconfigContext[]): KubeconfigView {
  return {
    source: { kind: 'environment' },
    files: [{ path: '/home/jana/.kube/config', changedAt: fakeNow - 86_400_000 }],
    currentContext: contexts[0]?.name ?? '',
    contexts,
    isRecent: false,
    lastOpenedAt: null,
    problem: '',
  }
}

/** Deleting pods is allowed, logs are not. */
export const fakeRights: RightsView = {
  user: 'jana@acme',
  groups: ['oidc:sre'],
  askedAt: fakeNow,
  namespace: '',
  look: [
    {
      id: 'logs',
      title: 'Logs of pods',
      verbs: ['get'],
      resources: ['pods/log'],
      apiGroup: '',
      namespace: '',
      allowed: 'no',
      missingVerbs: ['get'],
      note: 'The Logs tab stays empty.',
      warning: '',
      rule: 'kind: ClusterRole\n',
    },
  ],
  change: [
    {
      id: 'deletePods',
      title: 'Delete pods',
      verbs: ['delete'],
      resources: ['pods'],
      apiGroup: '',
      namespace: '',
      allowed: 'yes',
      missingVerbs: [],
      note: '',
      warning: '',
      rule: '',
    },
  ],
  impossible: [{ title: 'Kill at the worker', why: 'A kubelet has no such request.' }],
  missingRules: 'kind: ClusterRole\n',
  incomplete: '',
}

const healthyRow: InspectRow = {
  uid: 'u-cart',
  apiUid: 'u-cart',
  namespace: 'shop',
  name: 'cart',
  isStatic: false,
  mirror: null,
  status: 'Running',
  ready: '1/1',
  worker: 'SyncPod',
  certainty: 'possible',
  because: 'It is bound and Running.',
  evidence: [],
  notKnown: '',
  stop: null,
  why: null,
  disagreement: null,
}

/** worker-1: a pod that runs without an object in the API, and one whose kubelet was not asked about it. */
export const fakeInspection: InspectView = {
  ...unreadNode,
  node: 'worker-1',
  at: fakeNow,
  apiReadAt: fakeNow,
  rows: [
    {
      ...healthyRow,
      uid: 'u-payments',
      apiUid: null,
      name: 'payments',
      status: null,
      ready: null,
      told: null,
      running: [{ name: 'main', state: 'up' }],
      worker: 'TerminatingPod',
      certainty: 'likely',
      disagreement: { kind: 'ghost', text: 'not in the API, runs, 2m14s' },
    },
    healthyRow,
  ],
  lease: { renewedAt: fakeNow - 4000, durationMs: 40_000 },
  conditions: [{ type: 'Ready', status: 'True', since: null }],
  kubelet: {
    ...unreadNode.kubelet,
    contact: 'answers',
    way: 'direct',
    address: '10.0.0.7:10250',
  },
  healthz: 'ok',
  syncLoop: 'ok',
}
