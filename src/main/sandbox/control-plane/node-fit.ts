import {
  isJsonObject,
  objectAt,
  objectsAt,
  listAt,
  textAt,
  numberAt,
} from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { Container, Node, Pod, Taint, Toleration } from '../../../shared/kubernetes/objects.ts'
import { parseQuantity } from '../../../shared/kubernetes/quantity.ts'

/** Why a node does not take a pod. `isFinal`: evicting others would not help. */
export interface Misfit {
  readonly reasons: readonly string[]
  readonly isFinal: boolean
}

type Amounts = ReadonlyMap<string, bigint>

function final(reason: string): Misfit {
  return { reasons: [reason], isFinal: true }
}

/** Whether one of the tolerations tolerates the taint. Source: k8s.io/api core/v1 ToleratesTaint. */
export function toleratesTaint(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false
  if (toleration.key && toleration.key !== taint.key) return false
  if (toleration.operator === 'Exists') return true
  return Boolean(toleration.key) && (toleration.value ?? '') === (taint.value ?? '')
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

function matchesRequirement(value: string | undefined, requirement: JsonObject): boolean {
  const values = listAt(requirement, 'values').map(String)
  switch (textAt(requirement, 'operator')) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    case 'Gt':
      return Number(value) > Number(values[0])
    case 'Lt':
      return Number(value) < Number(values[0])
    default:
      return false
  }
}

function matchesTerm(node: Node, term: JsonObject): boolean {
  const expressions = objectsAt(term, 'matchExpressions')
  const fields = objectsAt(term, 'matchFields')
  // A term without requirements matches nothing.
  if (expressions.length + fields.length === 0) return false
  return (
    expressions.every((one) =>
      matchesRequirement(node.metadata.labels?.[textAt(one, 'key')], one),
    ) && fields.every((one) => matchesRequirement(node.metadata.name, one))
  )
}

function affinityMisfit(pod: Pod, node: Node): Misfit | undefined {
  const selector = Object.entries(pod.spec.nodeSelector ?? {})
  const isSelected = selector.every(([key, value]) => node.metadata.labels?.[key] === value)
  const affinity = objectAt(objectAt({ ...pod.spec }, 'affinity'), 'nodeAffinity')
  const required = affinity['requiredDuringSchedulingIgnoredDuringExecution']
  const isWanted =
    !isJsonObject(required) ||
    objectsAt(required, 'nodeSelectorTerms').some((term) => matchesTerm(node, term))
  if (isSelected && isWanted) return undefined
  return final("node(s) didn't match Pod's node affinity/selector")
}

function addAll(sums: Map<string, bigint>, list: Readonly<Record<string, unknown>> | undefined) {
  for (const [name, value] of Object.entries(list ?? {})) {
    const nanos = parseQuantity(value)?.nanos ?? 0n
    sums.set(name, (sums.get(name) ?? 0n) + nanos)
  }
}

/**
 * What a pod asks its node for: its containers and sidecars together, or the largest of its init
 * containers (with the sidecars before it), whichever is more. In billionths.
 * Source: k8s.io/component-helpers resource PodRequests.
 */
export function podRequests(pod: Pod): Amounts {
  const running = new Map<string, bigint>()
  const sidecars = new Map<string, bigint>()
  const peaks: Amounts[] = []
  const requestsOf = (container: Container) => container.resources?.requests
  for (const container of pod.spec.containers) addAll(running, requestsOf(container))
  for (const container of pod.spec.initContainers ?? []) {
    if (container.restartPolicy === 'Always') {
      addAll(sidecars, requestsOf(container))
      addAll(running, requestsOf(container))
    } else {
      const peak = new Map(sidecars)
      addAll(peak, requestsOf(container))
      peaks.push(peak)
    }
  }
  for (const peak of peaks) {
    for (const [name, nanos] of peak) {
      if (nanos > (running.get(name) ?? 0n)) running.set(name, nanos)
    }
  }
  return running
}

function usedBy(pods: readonly Pod[]): Amounts {
  const used = new Map<string, bigint>()
  for (const pod of pods) {
    for (const [name, nanos] of podRequests(pod)) used.set(name, (used.get(name) ?? 0n) + nanos)
  }
  return used
}

function resourceMisfit(pod: Pod, node: Node, pods: readonly Pod[]): Misfit | undefined {
  const allocatable = new Map<string, bigint>()
  addAll(allocatable, node.status?.allocatable)
  const used = usedBy(pods)
  const reasons: string[] = []
  const most = (allocatable.get('pods') ?? 0n) / 1_000_000_000n
  if (BigInt(pods.length + 1) > most) reasons.push('Too many pods')
  for (const [name, nanos] of podRequests(pod)) {
    if (nanos === 0n) continue
    if (nanos > (allocatable.get(name) ?? 0n) - (used.get(name) ?? 0n)) {
      reasons.push(`Insufficient ${name}`)
    }
  }
  return reasons.length === 0 ? undefined : { reasons, isFinal: false }
}

function hostPorts(pod: Pod): readonly string[] {
  return pod.spec.containers.flatMap((container) =>
    (container.ports ?? []).flatMap((port) => {
      const hostPort = numberAt({ ...port }, 'hostPort') ?? 0
      return hostPort === 0 ? [] : [`${port.protocol ?? 'TCP'}/${hostPort}`]
    }),
  )
}

function portMisfit(pod: Pod, pods: readonly Pod[]): Misfit | undefined {
  const taken = new Set(pods.flatMap(hostPorts))
  if (!hostPorts(pod).some((port) => taken.has(port))) return undefined
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
