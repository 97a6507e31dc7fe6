/** What is compared of the resources of containers, and how an allocation takes their place in a pod. */
import { isJsonObject } from '../../../shared/json.ts'
import type { Container, Pod, ResourceRequirements } from '../../../shared/kubernetes/objects.ts'
import { isSidecar } from '../../../shared/kubernetes/pod-containers.ts'
import { compareQuantities, parseQuantity } from '../../../shared/kubernetes/quantity.ts'
import { isSemanticallyEqual } from '../status/semantic-equality.ts'

/** The resources of a pod's containers, by the container's name. */
export type ContainerAllocations = ReadonlyMap<string, ResourceRequirements>

type Amounts = ResourceRequirements['requests']

/** Containers whose CPU and memory can change while they run (allocation.IsResizableContainer). */
export function resizableContainers({ spec }: Pod): readonly Container[] {
  return [...(spec.initContainers ?? []).filter(isSidecar), ...spec.containers]
}

/** What is recorded of a pod (allocationFromPod). */
export function allocationOf(pod: Pod): ContainerAllocations {
  return new Map(resizableContainers(pod).map(({ name, resources = {} }) => [name, resources]))
}

function areAmountsEqual(a: Amounts = {}, b: Amounts = {}): boolean {
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  return names.every((name) => Object.hasOwn(b, name) && isSameAmount(a[name], b[name]))
}

/** An amount that is absent is 0, as in Go. */
function isSameAmount(a: string | undefined, b: string | undefined): boolean {
  if (a === b) return true
  const [one, other] = [parseQuantity(a ?? '0'), parseQuantity(b ?? '0')]
  return one !== undefined && other !== undefined && compareQuantities(one, other) === 0
}

function areResourcesEqual(a: ResourceRequirements, b: ResourceRequirements): boolean {
  if (a === b) return true
  const claimsOf = (resources: object): unknown =>
    isJsonObject(resources) ? resources['claims'] : undefined
  return (
    areAmountsEqual(a.requests, b.requests) &&
    areAmountsEqual(a.limits, b.limits) &&
    isSemanticallyEqual(claimsOf(a), claimsOf(b))
  )
}

/** Whether CPU and memory of two are the same. */
export function areResizableAmountsEqual(
  a: ResourceRequirements,
  b: ResourceRequirements,
): boolean {
  return (['cpu', 'memory'] as const).every(
    (name) =>
      isSameAmount(a.requests?.[name], b.requests?.[name]) &&
      isSameAmount(a.limits?.[name], b.limits?.[name]),
  )
}

/** The pod with the allocated resources; the same object where its spec asks for just those (updatePodFromAllocation). */
export function updatePodFromAllocation(pod: Pod, allocations: ContainerAllocations): Pod {
  let isUpdated = false
  const allocated = (container: Container): Container => {
    const resources = allocations.get(container.name)
    if (resources === undefined || areResourcesEqual(container.resources ?? {}, resources))
      return container
    isUpdated = true
    return { ...container, resources }
  }
  const containers = pod.spec.containers.map(allocated)
  const initContainers = pod.spec.initContainers?.map(allocated)
  if (!isUpdated) return pod
  const spec = { ...pod.spec, containers }
  return { ...pod, spec: initContainers === undefined ? spec : { ...spec, initContainers } }
}
