import type { Container, Pod } from './objects.ts'
import { parseQuantity } from './quantity.ts'

/** How a pod fares when its node runs short: the order of eviction and of the OOM killer. */
export type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort'

const computeResources = ['cpu', 'memory'] as const

type ResourceList = Readonly<Record<string, unknown>> | undefined

// Zero counts as absent: `cpu: 0` asks for nothing.
function positiveNanos(list: ResourceList, resource: string): bigint {
  const nanos = parseQuantity(list?.[resource])?.nanos ?? 0n
  return nanos > 0n ? nanos : 0n
}

interface Sums {
  readonly requests: Map<string, bigint>
  readonly limits: Map<string, bigint>
}

function add(sums: Map<string, bigint>, resource: string, nanos: bigint): void {
  if (nanos > 0n) sums.set(resource, (sums.get(resource) ?? 0n) + nanos)
}

function addResources(sums: Sums, requests: ResourceList, limits: ResourceList): boolean {
  if (requests === undefined && limits === undefined) return false
  for (const resource of computeResources) {
    add(sums.requests, resource, positiveNanos(requests, resource))
    add(sums.limits, resource, positiveNanos(limits, resource))
  }
  return computeResources.every((resource) => positiveNanos(limits, resource) > 0n)
}

function podResources(
  pod: Pod,
): { readonly requests?: ResourceList; readonly limits?: ResourceList } | undefined {
  const resources = pod.spec['resources']
  // Pod-level resources are not modelled in PodSpec; anything but an object was refused by validation.
  return typeof resources === 'object' && resources !== null ? resources : undefined
}

function sumsOf(pod: Pod): { readonly sums: Sums; readonly allLimited: boolean } {
  const sums: Sums = { requests: new Map(), limits: new Map() }
  const atPodLevel = podResources(pod)
  if (atPodLevel !== undefined) {
    const allLimited = addResources(sums, atPodLevel.requests, atPodLevel.limits)
    return { sums, allLimited }
  }
  const containers: readonly Container[] = [
    ...pod.spec.containers,
    ...(pod.spec.initContainers ?? []),
  ]
  const limited = containers.map((container) =>
    addResources(sums, container.resources?.requests, container.resources?.limits),
  )
  return { sums, allLimited: limited.every(Boolean) }
}

/**
 * The QoS class by cpu and memory: BestEffort without any, Guaranteed when every container (init
 * containers too) limits both and requests equal limits, else Burstable. Expects requests defaulted
 * from limits (`defaultPod`). Source: pkg/apis/core/helper/qos ComputePodQOS (v1.34).
 */
export function podQosClass(pod: Pod): QosClass {
  const { sums, allLimited } = sumsOf(pod)
  const { requests, limits } = sums
  if (requests.size === 0 && limits.size === 0) return 'BestEffort'
  const isEqual =
    requests.size === limits.size &&
    [...requests].every(([resource, nanos]) => limits.get(resource) === nanos)
  return allLimited && isEqual ? 'Guaranteed' : 'Burstable'
}

/** The class that the pod's status names, where one was written, else the computed one (GetPodQOS). */
export function recordedQosClass(pod: Pod): QosClass {
  return pod.status?.qosClass || podQosClass(pod)
}
