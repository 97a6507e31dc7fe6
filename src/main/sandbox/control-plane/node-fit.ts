import { areHostPortsTaken, hostPorts } from '../../../shared/kubernetes/host-ports.ts'
import { matchesNodeAffinity } from '../../../shared/kubernetes/node-affinity.ts'
import type { Node, Pod, Taint } from '../../../shared/kubernetes/objects.ts'
import { podRequests, resourceAmount } from '../../../shared/kubernetes/pod-requests.ts'
import type { ResourceAmounts } from '../../../shared/kubernetes/pod-requests.ts'
import { toleratesTaint } from '../../../shared/kubernetes/taints.ts'

/** Why a node does not take a pod. `isFinal`: evicting others would not help. */
export interface Misfit {
  readonly reasons: readonly string[]
  readonly isFinal: boolean
}

function final(reason: string): Misfit {
  return { reasons: [reason], isFinal: true }
}

const unschedulableTaint: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }

function isTolerated(pod: Pod, taint: Taint): boolean {
  return (pod.spec.tolerations ?? []).some((toleration) => toleratesTaint(toleration, taint))
}

function taintMisfit(pod: Pod, node: Node): Misfit | undefined {
  const untolerated = (node.spec?.taints ?? []).find(
    (taint) => taint.effect !== 'PreferNoSchedule' && !isTolerated(pod, taint),
  )
  return untolerated === undefined ? undefined : final('node(s) had untolerated taint(s)')
}

function affinityMisfit(pod: Pod, { metadata }: Node): Misfit | undefined {
  const node = { name: metadata.name, labels: metadata.labels ?? {} }
  if (matchesNodeAffinity(pod.spec, node)) return undefined
  return final("node(s) didn't match Pod's node affinity/selector")
}

function usedBy(pods: readonly Pod[]): ResourceAmounts {
  const used = new Map<string, bigint>()
  for (const pod of pods) {
    for (const [name, amount] of podRequests(pod)) used.set(name, (used.get(name) ?? 0n) + amount)
  }
  return used
}

function resourceMisfit(pod: Pod, node: Node, pods: readonly Pod[]): Misfit | undefined {
  const allocatable = node.status?.allocatable ?? {}
  const used = usedBy(pods)
  const reasons: string[] = []
  if (BigInt(pods.length + 1) > resourceAmount('pods', allocatable['pods']))
    reasons.push('Too many pods')
  for (const [name, wanted] of podRequests(pod)) {
    const left = resourceAmount(name, allocatable[name]) - (used.get(name) ?? 0n)
    if (wanted > 0n && wanted > left) reasons.push(`Insufficient ${name}`)
  }
  return reasons.length === 0 ? undefined : { reasons, isFinal: false }
}

function portMisfit(pod: Pod, pods: readonly Pod[]): Misfit | undefined {
  if (!areHostPortsTaken(hostPorts(pod), pods.flatMap(hostPorts))) return undefined
  const reason = "node(s) didn't have free ports for the requested pod ports"
  return { reasons: [reason], isFinal: false }
}

/**
 * Why this node does not take the pod, by the first of the scheduler's filters that says so;
 * `undefined` when it does. `pods` are those on the node that have not ended. Pod affinity, topology
 * spread and volumes are not looked at.
 */
export function nodeMisfit(pod: Pod, node: Node, pods: readonly Pod[]): Misfit | undefined {
  if (node.spec?.unschedulable === true && !isTolerated(pod, unschedulableTaint)) {
    return final('node(s) were unschedulable')
  }
  return (
    taintMisfit(pod, node) ??
    affinityMisfit(pod, node) ??
    portMisfit(pod, pods) ??
    resourceMisfit(pod, node, pods)
  )
}

function counted(reasons: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .toSorted()
    .join(', ')
}

/** The scheduler's sentence when no node takes a pod. Source: pkg/scheduler/framework FitError.Error (v1.34). */
export function misfitMessage(misfits: readonly Misfit[]): string {
  if (misfits.length === 0) return 'no nodes available to schedule pods'
  const prefix = `0/${misfits.length} nodes are available:`
  const preemption = counted(
    misfits.map(({ isFinal }) =>
      isFinal
        ? 'Preemption is not helpful for scheduling'
        : 'No preemption victims found for incoming pod',
    ),
  )
  const reasons = counted(misfits.flatMap((misfit) => misfit.reasons))
  return `${prefix} ${reasons}. no new claims to deallocate, preemption: ${prefix} ${preemption}.`
}
