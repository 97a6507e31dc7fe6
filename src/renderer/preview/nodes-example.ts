import type { ClusterView, NodeView } from '../../shared/model/cluster-view.ts'
import type { GotchaView } from '../../shared/model/scenarios/gotcha.ts'
import type { PodRow } from '../../shared/model/pod-row.ts'
import { fakeNode, fakeRowOn } from '../bridge/fake-nodes.ts'
import { fakeCluster, fakeNow } from '../bridge/fake-views.ts'

/** The states of the other nodes. */
const nodeViews: readonly Partial<NodeView>[] = [
  {},
  { status: 'Ready,SchedulingDisabled' },
  { status: 'Unknown', agent: 'stopped', leaseRenewedAt: fakeNow - 75_000 },
  { status: 'NotReady', machine: 'off', agent: 'stopped' },
]

/** The example's cluster with more nodes. */
export function withNodes(cluster: ClusterView, count: number): ClusterView {
  const more = Array.from({ length: count - 1 }, (_, index) =>
    fakeNode(`scope-node-${index + 2}`, nodeViews[index % nodeViews.length]),
  )
  return { ...cluster, nodes: [...cluster.nodes, ...more] }
}

export function rowsOfNodes(count: number): readonly PodRow[] {
  return Array.from({ length: (count - 1) * 3 }, (_, index) =>
    fakeRowOn(`scope-node-${2 + (index % (count - 1))}`, {
      name: `checkout-7d4b9c6f8-${(index + 1296).toString(36)}`,
      namespace: 'shop',
      ...(index % 7 === 3 ? { status: 'CrashLoopBackOff', tone: 'bad', restarts: 4 } : {}),
    }),
  )
}

const mirror = fakeRowOn(
  'edge-1',
  {
    name: 'web-edge-1',
    uid: '4db90dbbbce93ceba5f383ef323ded3f',
    kind: 'static',
    source: 'file',
    mirror: 'deleting',
    mirrorUid: 'b0c6f30e-3a0f-4a53-9a50-e9a7dd9d0d6b',
    mirrorReason: 'Its mirror was deleted and waits for the kubelet.',
  },
  'scenario-mirror-comes-back',
)

export const gotchas: readonly GotchaView[] = [
  {
    id: 'mirror-comes-back',
    title: 'The static pod that cannot be deleted',
    category: 'Mirror pods',
    confusion: '“kubectl delete pod” says deleted, and a moment later the pod is there again.',
    truth: 'Only the mirror was deleted. The kubelet recreates it; the containers never stop.',
    sections: ['mirror-pods#scenarios', 'pod-manager#asymmetries'],
  },
  {
    id: 'evicted-completed',
    title: 'Evicted, but kubectl says Completed',
    category: 'How pods end',
    confusion: 'A pod was evicted by the kubelet, and kubectl says Completed.',
    truth: 'Every container exited 0 on SIGTERM, so the phase is Succeeded, without a reason.',
    sections: ['eviction#evicting-one-pod'],
  },
]

/** The cluster of the first gotcha while it is open. */
export const openGotcha: { readonly cluster: ClusterView; readonly rows: readonly PodRow[] } = {
  cluster: fakeCluster({
    id: mirror.cluster,
    label: 'scenario-mirror-comes-back',
    nodes: [fakeNode('edge-1')],
    clock: { now: fakeNow, virtual: true, paused: true, speed: 1, achieved: null },
    scenario: {
      name: 'mirror-comes-back',
      title: 'The static pod that cannot be deleted',
      sentence: '“kubectl delete pod” says deleted, and a moment later the pod is there again.',
      truth: 'Only the mirror was deleted. The kubelet recreates it; the containers never stop.',
      isGotcha: true,
      steps: [
        'web.yaml was put into the folder of edge-1, and the pod runs with its mirror.',
        'kubectl delete pod web-edge-1 was called.',
      ],
      lookAt: 'The mirror has a deletionTimestamp; its static pod has none and runs.',
      next: 'The kubelet deletes the mirror with its UID as precondition and creates another with a new UID.',
      pod: mirror.key,
    },
  }),
  rows: [mirror],
}
