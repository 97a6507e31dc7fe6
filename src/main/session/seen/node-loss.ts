import type { Node, Pod, Taint } from '../../../shared/kubernetes/objects.ts'
import { timeOf } from '../../../shared/kubernetes/printers/age.ts'
import { minTolerationMs } from '../../../shared/kubernetes/taints.ts'
import { afterLastLease } from '../../../shared/model/node/node-loss.ts'
import type { NodeLoss } from '../../../shared/model/seen-cluster.ts'

/** The taints with which the control plane answers a lost node (pkg/controller/nodelifecycle). */
const lossTaints: ReadonlySet<string> = new Set([
  'node.kubernetes.io/unreachable',
  'node.kubernetes.io/not-ready',
])

/** A lease is late after two renewals were missed: a kubelet renews it each 10 s. */
export const lateAfterMs = 25_000

/** node-monitor-grace-period, the default of the server's version. */
function monitorGraceSeconds(serverVersion: string): number {
  const [, major = '', minor = ''] = /^v(\d+)\.(\d+)/.exec(serverVersion) ?? []
  return major === '1' && Number(minor) < 32
    ? afterLastLease.graceBefore132
    : afterLastLease.unknown.earliest
}

function tainted(
  taint: Taint,
  pods: readonly Pod[],
  { taints, skewMs }: { readonly taints: readonly Taint[]; readonly skewMs: number },
): NodeLoss {
  const addedAt = timeOf(taint.timeAdded)
  const since = addedAt === null ? null : addedAt - skewMs
  const byTime = new Map<number, number>()
  let staying = 0
  for (const pod of pods) {
    if (pod.metadata.deletionTimestamp !== undefined) continue
    const afterMs = minTolerationMs(pod, taints)
    if (afterMs === Infinity) staying++
    else if (since !== null) byTime.set(since + afterMs, (byTime.get(since + afterMs) ?? 0) + 1)
  }
  const deletions = [...byTime]
    .map(([at, count]) => ({ at, pods: count }))
    .toSorted((one, other) => one.at - other.at)
  return { kind: 'tainted', taint: taint.key, since, deletions, staying }
}

/**
 * What the control plane does with a node whose kubelet it does not hear. The controller starts the tolerations when it sees
 * the taint, a moment after `timeAdded`. `pods`: those on it that have not ended. Times are ms since 1970. Pure.
 */
export function nodeLoss(
  node: Node,
  {
    pods,
    renewedAt,
    serverVersion,
    now,
    skewMs,
  }: {
    readonly pods: readonly Pod[]
    readonly renewedAt: number | null
    readonly serverVersion: string
    readonly now: number
    /** How far the cluster's clock is ahead of ours; the other times are ours. */
    readonly skewMs: number
  },
): NodeLoss {
  const taints = node.spec?.taints ?? []
  const taint = taints.find(({ key, effect }) => lossTaints.has(key) && effect === 'NoExecute')
  if (taint !== undefined) return tainted(taint, pods, { taints, skewMs })
  const ready = node.status?.conditions?.find(({ type }) => type === 'Ready')
  if (ready?.status !== 'True') return { kind: 'notReady' }
  return renewedAt !== null && now - renewedAt > lateAfterMs
    ? { kind: 'late', unknownAt: renewedAt + monitorGraceSeconds(serverVersion) * 1000 }
    : { kind: 'none' }
}
