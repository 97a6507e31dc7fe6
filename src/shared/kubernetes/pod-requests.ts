import { isJsonObject, objectAt } from '../json.ts'
import type { Container, Pod } from './objects.ts'
import { isSidecar } from './pod-containers.ts'
import { parseQuantity, quantityMilliValue, quantityValue } from './quantity.ts'
import type { Quantity } from './quantity.ts'
import { isHugePagesResource } from './resource-names.ts'

/** Amounts by resource name: cpu in thousandths, all else in whole units. */
export type ResourceAmounts = ReadonlyMap<string, bigint>

/** An amount as the scheduler counts it: milli-CPUs for cpu, whole units (bytes, pods) for the rest. Unreadable counts as 0. */
export function resourceAmount(resource: string, quantity: unknown): bigint {
  const parsed = parseQuantity(quantity)
  if (parsed === undefined) return 0n
  return rounded(resource, parsed)
}

/** Billionths by resource name: amounts are added as they were asked for, and rounded as a whole. */
type Nanos = ReadonlyMap<string, bigint>

function nanosOf(list: Readonly<Record<string, unknown>> | undefined): Nanos {
  return new Map(
    Object.entries(list ?? {}).map(([resource, quantity]) => [
      resource,
      parseQuantity(quantity)?.nanos ?? 0n,
    ]),
  )
}

function add(sum: Map<string, bigint>, more: Nanos): void {
  for (const [resource, nanos] of more) sum.set(resource, (sum.get(resource) ?? 0n) + nanos)
}

function raise(sum: Map<string, bigint>, other: Nanos): void {
  for (const [resource, nanos] of other) {
    const before = sum.get(resource)
    if (before === undefined || nanos > before) sum.set(resource, nanos)
  }
}

function rounded(resource: string, quantity: Quantity): bigint {
  return resource === 'cpu' ? quantityMilliValue(quantity) : quantityValue(quantity)
}

function roundedNanos(resource: string, nanos: bigint): bigint {
  return rounded(resource, { nanos, format: 'decimal' })
}

/** What a container asks for, or what limits it. */
type ContainerNanos = (container: Container, field: 'requests' | 'limits') => Nanos

const ofSpec: ContainerNanos = ({ resources }, field) => nanosOf(resources?.[field])

/** Regular containers and sidecars together, or the greediest moment of the init containers if that is more. */
function containerNanos(
  pod: Pod,
  field: 'requests' | 'limits',
  nanosIn: ContainerNanos = ofSpec,
): Map<string, bigint> {
  const total = new Map<string, bigint>()
  for (const container of pod.spec.containers) add(total, nanosIn(container, field))
  const sidecars = new Map<string, bigint>()
  const duringInit = new Map<string, bigint>()
  for (const container of pod.spec.initContainers ?? []) {
    const own = nanosIn(container, field)
    if (isSidecar(container)) {
      add(total, own)
      add(sidecars, own)
      raise(duringInit, sidecars)
    } else {
      const together = new Map(sidecars)
      add(together, own)
      raise(duringInit, together)
    }
  }
  raise(total, duringInit)
  return total
}

/** A pod may ask for these as a whole; they then take the place of what its containers ask for. */
export function isPodLevelResource(resource: string): boolean {
  return resource === 'cpu' || resource === 'memory' || isHugePagesResource(resource)
}

function podLevelList(pod: Pod, field: 'requests' | 'limits'): Nanos {
  const { resources } = pod.spec
  // Not modelled in PodSpec.
  if (!isJsonObject(resources)) return new Map()
  return new Map(
    [...nanosOf(objectAt(resources, field))].filter(([resource]) => isPodLevelResource(resource)),
  )
}

function overheadOf(pod: Pod): Nanos {
  const { overhead } = pod.spec
  // Not modelled in PodSpec; validation lets only quantities by name through.
  return nanosOf(isJsonObject(overhead) ? overhead : undefined)
}

/**
 * What a pod asks of its node: what it asks for as a whole, else what its containers do, plus overhead.
 * Source: component-helpers resource.PodRequests.
 */
export function podRequests(pod: Pod): ResourceAmounts {
  const total = nanosWithoutOverhead(pod, 'requests')
  add(total, overheadOf(pod))
  return roundedAmounts(total)
}

/**
 * What limits a pod: as a whole, else what limits its containers; overhead is added to what is limited.
 * Source: component-helpers resource.PodLimits.
 */
export function podLimits(pod: Pod): ResourceAmounts {
  const total = nanosWithoutOverhead(pod, 'limits')
  add(
    total,
    new Map([...overheadOf(pod)].filter(([resource]) => (total.get(resource) ?? 0n) !== 0n)),
  )
  return roundedAmounts(total)
}

/** Of what a container asks for, what it was given and what it has, the most; without what it asks for if the node can never give it. */
function nanosWithStatus(pod: Pod): ContainerNanos {
  const { containerStatuses = [], initContainerStatuses = [], conditions = [] } = pod.status ?? {}
  const statuses = new Map(
    [...initContainerStatuses, ...containerStatuses].map((one) => [one.name, one]),
  )
  const isInfeasible = conditions.some(
    ({ type, reason }) => type === 'PodResizePending' && reason === 'Infeasible',
  )
  const regular = new Set(pod.spec.containers)
  return (container, field) => {
    const asked = ofSpec(container, field)
    const status =
      regular.has(container) || isSidecar(container) ? statuses.get(container.name) : undefined
    if (status?.resources === undefined) return asked
    const most = new Map(isInfeasible ? [] : asked)
    raise(most, nanosOf(status.resources.requests))
    raise(most, nanosOf(status.allocatedResources))
    return most
  }
}

/** What a pod asks for while it is resized (resource.PodRequests with UseStatusResources). */
export function podRequestsWithStatus(pod: Pod): ResourceAmounts {
  const total = containerNanos(pod, 'requests', nanosWithStatus(pod))
  for (const [resource, nanos] of podLevelList(pod, 'requests')) total.set(resource, nanos)
  add(total, overheadOf(pod))
  return roundedAmounts(total)
}

// Source: pkg/scheduler/util DefaultMilliCPURequest, DefaultMemoryRequest: 100m and 200 MB.
const nonzeroDefaults: Nanos = new Map([
  ['cpu', 100_000_000n],
  ['memory', 200n * 1024n * 1024n * 1_000_000_000n],
])

function orDefaults(nanosIn: ContainerNanos, defaults: Nanos): ContainerNanos {
  return (container, field) => new Map([...defaults, ...nanosIn(container, field)])
}

/** CPU in thousandths, memory in bytes. */
export interface NonzeroRequests {
  readonly cpu: bigint
  readonly memory: bigint
}

function nonzeroAmounts(total: Map<string, bigint>, pod: Pod): NonzeroRequests {
  add(total, overheadOf(pod))
  return {
    cpu: roundedNanos('cpu', total.get('cpu') ?? 0n),
    memory: roundedNanos('memory', total.get('memory') ?? 0n),
  }
}

/**
 * What the scheduler's scores count for a pod on a node: containers that ask for nothing count as if they asked for a little.
 * Source: pkg/scheduler/framework PodInfo.CalculateResource.
 */
export function nonzeroRequestsOnNode(pod: Pod): NonzeroRequests {
  const asked = podLevelList(pod, 'requests')
  const nanosIn = nanosWithStatus(pod)
  const known =
    asked.size === 0
      ? new Map<string, bigint>()
      : new Map([...containerNanos(pod, 'requests', nanosIn), ...asked, ...overheadOf(pod)])
  const defaults = new Map([...nonzeroDefaults].filter(([resource]) => !known.has(resource)))
  const total = containerNanos(pod, 'requests', orDefaults(nanosIn, defaults))
  for (const [resource, nanos] of asked) total.set(resource, nanos)
  return nonzeroAmounts(total, pod)
}

/** The same of a pod that is to be scheduled; requests of the pod as a whole do not count (noderesources LeastAllocated). */
export function nonzeroRequests(pod: Pod): NonzeroRequests {
  return nonzeroAmounts(containerNanos(pod, 'requests', orDefaults(ofSpec, nonzeroDefaults)), pod)
}

/** The same, or what limits it, without overhead (resource.PodRequests, PodLimits with ExcludeOverhead). */
export function amountsWithoutOverhead(pod: Pod, field: 'requests' | 'limits'): ResourceAmounts {
  return roundedAmounts(nanosWithoutOverhead(pod, field))
}

/** What its containers ask for, or what limits them (resource.AggregateContainerRequests, AggregateContainerLimits). */
export function containerAmounts(pod: Pod, field: 'requests' | 'limits'): ResourceAmounts {
  return roundedAmounts(containerNanos(pod, field))
}

function nanosWithoutOverhead(pod: Pod, field: 'requests' | 'limits'): Map<string, bigint> {
  const total = containerNanos(pod, field)
  for (const [resource, nanos] of podLevelList(pod, field)) total.set(resource, nanos)
  return total
}

function roundedAmounts(all: Nanos): ResourceAmounts {
  return new Map([...all].map(([resource, nanos]) => [resource, roundedNanos(resource, nanos)]))
}

/**
 * What ending a pod would free of one resource, as the kubelet's preemption counts: `pods` is 1, overhead
 * counts only where something is asked for, and what a pod asks for as a whole hides all that its
 * containers ask for. Source: pkg/api/v1/resource GetResourceRequest.
 */
export function freedRequest(pod: Pod, resource: string): bigint {
  return resource === 'pods' ? 1n : roundedNanos(resource, requestedNanos(pod, resource))
}

/** The same of any resource in billionths (pkg/api/v1/resource GetResourceRequestQuantity). */
export function requestedNanos(pod: Pod, resource: string): bigint {
  const podLevel = podLevelList(pod, 'requests')
  const hasPodLevel = podLevel.size > 0 || podLevelList(pod, 'limits').size > 0
  const asked = (hasPodLevel ? podLevel : containerNanos(pod, 'requests')).get(resource) ?? 0n
  const overhead = asked === 0n ? 0n : (overheadOf(pod).get(resource) ?? 0n)
  return asked + overhead
}
