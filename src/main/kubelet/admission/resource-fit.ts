/** Whether a pod's requests fit on the node together with those of its pods (kube-scheduler noderesources.Fits). */
import { ownField } from '../../../shared/json.ts'
import type { Node, Pod } from '../../../shared/kubernetes/objects.ts'
import {
  podRequests,
  podRequestsWithStatus,
  resourceAmount,
} from '../../../shared/kubernetes/pod-requests.ts'
import type { ResourceAmounts } from '../../../shared/kubernetes/pod-requests.ts'
import { isExtendedResource, isScalarResource } from '../../../shared/kubernetes/resource-names.ts'
import type { InsufficientResource } from './predicate-failure.ts'

/** Shared by all pods without requests. */
const noRequests: ResourceAmounts = new Map()

// These come first, then the rest by name: there Go goes through a map.
const computeResources = ['cpu', 'memory', 'ephemeral-storage']

function inOrder(requests: ResourceAmounts): readonly (readonly [string, bigint])[] {
  const rank = (resource: string): number => {
    const index = computeResources.indexOf(resource)
    return index === -1 ? computeResources.length : index
  }
  return [...requests].sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
}

function isCounted(resource: string): boolean {
  return computeResources.includes(resource) || isScalarResource(resource)
}

/** Compares requests with a node. Remembers what pods request, by spec: of a thousand pods that come one after the other, each would be read a thousand times. */
export class ResourceFit {
  readonly #bySpec = new WeakMap<Pod['spec'], ResourceAmounts>()
  /** Of pods that have a status. */
  readonly #byPod = new WeakMap<Pod, ResourceAmounts>()

  /**
   * All resources that run short, `pods` first. An extended resource that the node does not name is left to
   * its device plugin; of any other that it does not name it has none.
   */
  shortages(pod: Pod, otherPods: readonly Pod[], node: Node): readonly InsufficientResource[] {
    const allocatable = node.status?.allocatable ?? {}
    const shortages: InsufficientResource[] = []
    const compare = (resource: string, requested: bigint, used: bigint): void => {
      const capacity = resourceAmount(resource, ownField(allocatable, resource))
      if (requested > capacity - used)
        shortages.push({ kind: 'insufficientResource', resource, requested, used, capacity })
    }
    compare('pods', 1n, BigInt(otherPods.length))
    for (const [resource, requested] of inOrder(this.#requests(pod))) {
      if (requested <= 0n || !isCounted(resource)) continue
      if (ownField(allocatable, resource) === undefined && isExtendedResource(resource)) continue
      compare(resource, requested, this.#sum(otherPods, resource))
    }
    return shortages
  }

  #requests(pod: Pod): ResourceAmounts {
    const known = this.#bySpec.get(pod.spec)
    if (known !== undefined) return known
    const own = podRequests(pod)
    const requests = own.size === 0 ? noRequests : own
    this.#bySpec.set(pod.spec, requests)
    return requests
  }

  #sum(pods: readonly Pod[], resource: string): bigint {
    let total = 0n
    for (const pod of pods) total += this.#used(pod).get(resource) ?? 0n
    return total
  }

  /** What another pod has or asks for: while it is resized, the most of both. */
  #used(pod: Pod): ResourceAmounts {
    if (pod.status?.containerStatuses === undefined) return this.#requests(pod)
    const known = this.#byPod.get(pod)
    if (known !== undefined) return known
    const used = podRequestsWithStatus(pod)
    this.#byPod.set(pod, used)
    return used
  }
}
