import type { Container, Pod } from './objects.ts'
import { parseQuantity, quantityMilliValue, quantityValue } from './quantity.ts'
import type { Quantity } from './quantity.ts'

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

function nanosOf(list: Readonly<Record<string, string>> | undefined): Nanos {
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
    if (nanos > (sum.get(resource) ?? 0n)) sum.set(resource, nanos)
  }
}

function rounded(resource: string, quantity: Quantity): bigint {
  return resource === 'cpu' ? quantityMilliValue(quantity) : quantityValue(quantity)
}

function isSidecar(container: Container): boolean {
  return container.restartPolicy === 'Always'
}

/**
 * What a pod asks of its node: regular containers and sidecars together, or the greediest moment of its
 * init containers if that is more, plus overhead. Source: component-helpers resource.PodRequests.
 */
export function podRequests(pod: Pod): ResourceAmounts {
  const total = new Map<string, bigint>()
  for (const container of pod.spec.containers) add(total, nanosOf(container.resources?.requests))
  const sidecars = new Map<string, bigint>()
  const duringInit = new Map<string, bigint>()
  for (const container of pod.spec.initContainers ?? []) {
    const own = nanosOf(container.resources?.requests)
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
  const { overhead } = pod.spec
  // Not modelled in PodSpec; validation lets only quantities by name through.
  add(total, nanosOf(overhead as Readonly<Record<string, string>> | undefined))
  return new Map(
    [...total].map(([resource, nanos]) => [
      resource,
      rounded(resource, { nanos, format: 'decimal' }),
    ]),
  )
}
