/** What the scheduler checked, checked again by the kubelet (pkg/kubelet/lifecycle/predicate.go; semantics 5.7 point 4). */
import { hostPorts } from '../../../shared/kubernetes/host-ports.ts'
import { matchesNodeAffinity } from '../../../shared/kubernetes/node-affinity.ts'
import type { AffinityNode } from '../../../shared/kubernetes/node-affinity.ts'
import type { Node, Pod } from '../../../shared/kubernetes/objects.ts'
import { podRequests, resourceAmount } from '../../../shared/kubernetes/pod-requests.ts'
import type { ResourceAmounts } from '../../../shared/kubernetes/pod-requests.ts'
import { toleratesTaint } from '../../../shared/kubernetes/taints.ts'
import { isStatic } from '../pod/identity.ts'
import type { AdmissionRefusal, PodAdmitter } from './pod-admitter.ts'

function affinityNode({ metadata }: Node): AffinityNode {
  return { name: metadata.name, labels: metadata.labels ?? {} }
}

function predicateFailure(name: string, description: string): AdmissionRefusal {
  return { reason: name, message: `Predicate ${name} failed: ${description}` }
}

function outOf(
  resource: string,
  requested: bigint,
  used: bigint,
  capacity: bigint,
): AdmissionRefusal {
  return {
    reason: `OutOf${resource}`,
    message: `Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${used}, capacity: ${capacity}`,
  }
}

/** One for all pods that ask for nothing. */
const nothing: ResourceAmounts = new Map()

/** What pods request, by spec: of a thousand that come one after the other, each would be read a thousand times. */
class KnownRequests {
  readonly #bySpec = new WeakMap<Pod['spec'], ResourceAmounts>()

  of(pod: Pod): ResourceAmounts {
    const known = this.#bySpec.get(pod.spec)
    if (known !== undefined) return known
    const own = podRequests(pod)
    const requests = own.size === 0 ? nothing : own
    this.#bySpec.set(pod.spec, requests)
    return requests
  }

  sum(pods: readonly Pod[], resource: string): bigint {
    let total = 0n
    for (const pod of pods) total += this.of(pod).get(resource) ?? 0n
    return total
  }
}

// cpu, memory and ephemeral-storage come first, then the rest by name.
const usualOrder = ['cpu', 'memory', 'ephemeral-storage']

function inOrder(requests: ResourceAmounts): readonly (readonly [string, bigint])[] {
  const rank = (resource: string): number => {
    const index = usualOrder.indexOf(resource)
    return index === -1 ? usualOrder.length : index
  }
  return [...requests].sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
}

/** One of Kubernetes' own has no domain or its (component-helpers IsExtendedResourceName). */
function isExtended(resource: string): boolean {
  return resource.includes('/') && !resource.includes('kubernetes.io/')
}

function resourceShortage(
  pod: Pod,
  activePods: readonly Pod[],
  node: Node,
  requests: KnownRequests,
): AdmissionRefusal | undefined {
  const allocatable = node.status?.allocatable ?? {}
  const podCapacity = resourceAmount('pods', allocatable['pods'])
  if (allocatable['pods'] !== undefined && BigInt(activePods.length) + 1n > podCapacity)
    return outOf('pods', 1n, BigInt(activePods.length), podCapacity)
  for (const [resource, requested] of inOrder(requests.of(pod))) {
    const quantity = allocatable[resource]
    if (requested === 0n) continue
    // An extended resource that the node does not know is left to whoever provides it.
    if (quantity === undefined && isExtended(resource)) continue
    const capacity = resourceAmount(resource, quantity)
    const taken = requests.sum(activePods, resource)
    if (requested > capacity - taken) return outOf(resource, requested, taken, capacity)
  }
  return undefined
}

function hasUntoleratedNoExecuteTaint(pod: Pod, node: Node): boolean {
  return (node.spec?.taints ?? []).some(
    (taint) =>
      taint.effect === 'NoExecute' &&
      !(pod.spec.tolerations ?? []).some((toleration) => toleratesTaint(toleration, taint)),
  )
}

function hasPortConflict(pod: Pod, activePods: readonly Pod[]): boolean {
  const wanted = hostPorts(pod)
  if (wanted.length === 0) return false
  const taken = new Set(activePods.flatMap(hostPorts))
  return wanted.some((port) => taken.has(port))
}

/**
 * Resources, node affinity and selector, node name, host ports, and NoExecute taints (not for static
 * pods), in the kubelet's order. Without a Node object nothing can be checked and all pods pass.
 */
export class NodePredicates implements PodAdmitter {
  readonly #nodeName: string
  readonly #node: () => Node | undefined
  readonly #requests = new KnownRequests()

  constructor(deps: { readonly nodeName: string; readonly node: () => Node | undefined }) {
    this.#nodeName = deps.nodeName
    this.#node = deps.node
  }

  readonly admit = (pod: Pod, activePods: readonly Pod[]): AdmissionRefusal | undefined => {
    const node = this.#node()
    if (node === undefined) return undefined
    const shortage = resourceShortage(pod, activePods, node, this.#requests)
    if (shortage !== undefined) return shortage
    if (!matchesNodeAffinity(pod.spec, affinityNode(node)))
      return predicateFailure('NodeAffinity', "node(s) didn't match Pod's node affinity/selector")
    if (pod.spec.nodeName && pod.spec.nodeName !== this.#nodeName)
      return predicateFailure('NodeName', "node(s) didn't match the requested node name")
    if (hasPortConflict(pod, activePods))
      return predicateFailure(
        'NodePorts',
        "node(s) didn't have free ports for the requested pod ports",
      )
    if (!isStatic(pod) && hasUntoleratedNoExecuteTaint(pod, node))
      return predicateFailure('TaintToleration', "node(s) had taints that the pod didn't tolerate")
    return undefined
  }
}
