import type { Lease, Node, Pod } from '../../../shared/kubernetes/objects.ts'
import { podRequests } from '../../../shared/kubernetes/pod-requests.ts'
import type { ResourceAmounts } from '../../../shared/kubernetes/pod-requests.ts'
import { timeOf } from '../../../shared/kubernetes/printers/age.ts'
import { nodeColumns } from '../../../shared/kubernetes/printers/node-columns.ts'
import type { SeenCondition, SeenNode } from '../../../shared/model/seen-cluster.ts'
import { isMirrorPod } from '../../kubelet/pod/identity.ts'
import { nodeObject } from '../../nodes/node-object.ts'
import type { Renewals } from './lease-renewals.ts'
import { nodeLoss } from './node-loss.ts'

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

function hasEnded(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'
}

/** By spec: a pod's changes are mostly of its status, and then its spec is the same object. */
const requestsBySpec = new WeakMap<Pod['spec'], ResourceAmounts>()

function requestsOf(pod: Pod): ResourceAmounts {
  const known = requestsBySpec.get(pod.spec)
  if (known !== undefined) return known
  const amounts = podRequests(pod)
  requestsBySpec.set(pod.spec, amounts)
  return amounts
}

/** As kubectl describe node adds them up: of the pods that have not ended. */
function requestedOf(pods: readonly Pod[]): SeenNode['requested'] {
  const sum = new Map<string, number>()
  for (const pod of pods)
    for (const [resource, amount] of requestsOf(pod))
      sum.set(resource, (sum.get(resource) ?? 0) + Number(amount))
  return Object.fromEntries(sum)
}

/** A node with what the API server has about it. `pods`: those bound to it; `renewals`: seen so far. Pure. */
export function seenNode(
  node: Node,
  parts: {
    readonly pods: readonly Pod[]
    readonly lease: Lease | undefined
    readonly renewals: Renewals
    /** gitVersion of the API server; empty: not known. */
    readonly serverVersion: string
    /** ms since 1970. */
    readonly now: number
    /** How far the cluster's clock is ahead of ours: leases and taints have its times, and the view has ours. */
    readonly skewMs: number
  },
): SeenNode {
  const { pods, lease, renewals, serverVersion, now, skewMs } = parts
  const renewTime = timeOf(lease?.spec?.renewTime)
  const renewedAt = renewTime === null ? null : renewTime - skewMs
  const living = pods.filter((pod) => !hasEnded(pod))
  return {
    name: node.metadata.name,
    ...nodeObject(node),
    status: nodeColumns(node, now).status,
    pods: living.length,
    mirrors: pods.filter(isMirrorPod).length,
    statics: null,
    conditions: seenConditions(node),
    capacity: node.status?.capacity ?? {},
    allocatable: node.status?.allocatable ?? {},
    requested: requestedOf(living),
    loss: nodeLoss(node, { pods: living, renewedAt, serverVersion, now, skewMs }),
    lease:
      renewedAt === null
        ? null
        : {
            renewedAt,
            durationSeconds: lease?.spec?.leaseDurationSeconds ?? defaultLeaseSeconds,
            renewals: renewals.times.map((at) => at - skewMs),
            count: renewals.count,
          },
  }
}
