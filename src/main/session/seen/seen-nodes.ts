import type { Lease, Node, Pod, Taint } from '../../../shared/kubernetes/objects.ts'
import { timeOf } from '../../../shared/kubernetes/printers/age.ts'
import { nodeColumns, nodeRoles } from '../../../shared/kubernetes/printers/node-columns.ts'
import type { SeenCondition, SeenNode } from '../../../shared/model/seen-cluster.ts'
import { isMirrorPod } from '../../kubelet/pod/identity.ts'

/** As the kubelet's default, where a Lease does not say. */
const defaultLeaseSeconds = 40

function seenConditions(node: Node): readonly SeenCondition[] {
  return (node.status?.conditions ?? []).map((condition) => ({
    type: condition.type,
    status: condition.status,
    reason: condition.reason ?? '',
    message: condition.message ?? '',
    since: timeOf(condition.lastTransitionTime),
  }))
}

/** `key=value:Effect`, as kubectl describe writes it. */
function taintText({ key, value = '', effect }: Taint): string {
  return `${key}${value === '' ? '' : `=${value}`}:${effect}`
}

function hasEnded(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'
}

/** A node with what the API server has about it. `pods`: those bound to it; `renewals`: seen so far, oldest first. Pure. */
export function seenNode(
  node: Node,
  parts: {
    readonly pods: readonly Pod[]
    readonly lease: Lease | undefined
    readonly renewals: readonly number[]
    /** ms since 1970. */
    readonly now: number
  },
): SeenNode {
  const { pods, lease, renewals, now } = parts
  const renewedAt = timeOf(lease?.spec?.renewTime)
  return {
    name: node.metadata.name,
    status: nodeColumns(node, now).status,
    roles: nodeRoles(node),
    kubeletVersion: node.status?.nodeInfo?.['kubeletVersion'] ?? '',
    createdAt: timeOf(node.metadata.creationTimestamp),
    pods: pods.filter((pod) => !hasEnded(pod)).length,
    mirrors: pods.filter(isMirrorPod).length,
    conditions: seenConditions(node),
    taints: (node.spec?.taints ?? []).map(taintText),
    isUnschedulable: node.spec?.unschedulable === true,
    capacity: node.status?.capacity ?? {},
    allocatable: node.status?.allocatable ?? {},
    requested: {},
    loss: { kind: 'none' },
    lease:
      renewedAt === null
        ? null
        : {
            renewedAt,
            durationSeconds: lease?.spec?.leaseDurationSeconds ?? defaultLeaseSeconds,
            renewals,
          },
  }
}
