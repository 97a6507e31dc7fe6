import { ownField } from '../../../shared/json.ts'
import { areHostPortsTaken, hostPorts } from '../../../shared/kubernetes/host-ports.ts'
import { matchesNodeAffinity, requiredNodeNames } from '../../../shared/kubernetes/node-affinity.ts'
import type { Node, Pod, Taint } from '../../../shared/kubernetes/objects.ts'
import { podRequests, resourceAmount } from '../../../shared/kubernetes/pod-requests.ts'
import { toleratesTaint } from '../../../shared/kubernetes/taints.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { nodeLoad } from './node-load.ts'
import type { NodeLoad } from './node-load.ts'

/** Why a pod does not fit a node. `isFinal`: preemption would not help (UnschedulableAndUnresolvable). */
interface Misfit {
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

function resourceMisfit(pod: Pod, node: Node, { pods, requested }: NodeLoad): Misfit | undefined {
  const allocatable = node.status?.allocatable ?? {}
  const reasons: string[] = []
  let isFinal = false
  if (BigInt(pods.length + 1) > resourceAmount('pods', allocatable['pods']))
    reasons.push('Too many pods')
  for (const [name, wanted] of podRequests(pod)) {
    const all = resourceAmount(name, ownField(allocatable, name))
    if (wanted === 0n || wanted <= all - (requested.get(name) ?? 0n)) continue
    reasons.push(`Insufficient ${name}`)
    if (wanted > all) isFinal = true
  }
  return reasons.length === 0 ? undefined : { reasons, isFinal }
}

function portMisfit(pod: Pod, { ports }: NodeLoad): Misfit | undefined {
  if (!areHostPortsTaken(hostPorts(pod), ports)) return undefined
  const reason = "node(s) didn't have free ports for the requested pod ports"
  return { reasons: [reason], isFinal: false }
}

/**
 * Why the pod does not fit this node, by the first of the scheduler's filters that fails; `undefined` if it fits. Pod
 * affinity, topology spread and volumes are not checked.
 */
export function nodeMisfit(pod: Pod, node: Node, load: NodeLoad): Misfit | undefined {
  if (node.spec?.unschedulable === true && !isTolerated(pod, unschedulableTaint)) {
    return final('node(s) were unschedulable')
  }
  return (
    taintMisfit(pod, node) ??
    affinityMisfit(pod, node) ??
    portMisfit(pod, load) ??
    resourceMisfit(pod, node, load)
  )
}

/** Why preemption of pods with lower priority would not help the pod on this node. Source: defaultpreemption SelectVictimsOnNode. */
function preemptionReasons(pod: Pod, node: Node, load: NodeLoad): readonly string[] {
  const priority = pod.spec.priority ?? 0
  const kept = load.pods.filter((other) => (other.spec.priority ?? 0) >= priority)
  if (kept.length === load.pods.length) return ['No preemption victims found for incoming pod']
  return nodeMisfit(pod, node, nodeLoad(kept))?.reasons ?? [doesNotPreempt]
}

const doesNotPreempt = "The sandbox's scheduler does not preempt"
const notHelpful = 'Preemption is not helpful for scheduling'

function counted(reasons: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .toSorted()
    .join(', ')
}

/** A node with the load of its pods. */
export interface LoadedNode {
  readonly node: Node
  readonly load: NodeLoad
}

/**
 * The nodes that a pod fits; if there are none, the scheduler's message. Source: schedule_one.go findNodesThatFitPod, framework
 * FitError.Error (v1.34). Where the message says that the sandbox does not preempt, a real scheduler would.
 */
export function findNodesThatFitPod(
  pod: Pod,
  nodes: readonly LoadedNode[],
): Result<readonly LoadedNode[], string> {
  if (nodes.length === 0) return err('no nodes available to schedule pods')
  const names = requiredNodeNames(pod.spec)
  const fitting: LoadedNode[] = []
  const reasons: string[] = []
  const preemption: string[] = []
  for (const one of nodes) {
    const { node, load } = one
    const misfit =
      names?.has(node.metadata.name) === false
        ? final("node(s) didn't satisfy plugin(s) [NodeAffinity]")
        : nodeMisfit(pod, node, load)
    if (misfit === undefined) fitting.push(one)
    else if (fitting.length === 0) {
      reasons.push(...misfit.reasons)
      preemption.push(...(misfit.isFinal ? [notHelpful] : preemptionReasons(pod, node, load)))
    }
  }
  if (fitting.length > 0) return ok(fitting)
  const prefix = `0/${nodes.length} nodes are available:`
  // Without the state that its own PreFilter writes, the PostFilter of dynamicresources ends with this error.
  if (names?.size === 0) return err(`${prefix} pod affinity terms conflict. not found`)
  return err(
    `${prefix} ${counted(reasons)}. no new claims to deallocate, preemption: ${prefix} ${counted(preemption)}.`,
  )
}
