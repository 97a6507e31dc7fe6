import { isJsonObject, objectAt, objectsAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
} from '../../../../shared/kubernetes/quantity.ts'
import type { Quantity } from '../../../../shared/kubernetes/quantity.ts'
import { isSidecar } from '../../../../shared/kubernetes/pod-containers.ts'

/** Quantities by the name of their resource. */
export type Amounts = ReadonlyMap<string, Quantity>

export const zero: Quantity = { nanos: 0n, format: 'decimal' }

/** The quantities of a resource list. */
export function amountsOf(list: JsonObject): Amounts {
  const entries = Object.entries(list).flatMap(([name, value]): [string, Quantity][] => {
    const quantity = parseQuantity(value)
    return quantity === undefined ? [] : [[name, quantity]]
  })
  return new Map(entries)
}

export function added(...lists: readonly Amounts[]): Amounts {
  const sum = new Map<string, Quantity>()
  for (const list of lists) {
    for (const [name, quantity] of list) {
      const before = sum.get(name)
      sum.set(name, before === undefined ? quantity : addQuantities(before, quantity))
    }
  }
  return sum
}

function largest(one: Amounts, other: Amounts): Amounts {
  const most = new Map(one)
  for (const [name, quantity] of other) {
    const before = most.get(name)
    if (before === undefined || compareQuantities(quantity, before) > 0) most.set(name, quantity)
  }
  return most
}

/** The difference; what would be negative is zero. */
export function subtracted(one: Amounts, other: Amounts): Amounts {
  const entries = [...one].map(([name, { nanos, format }]): [string, Quantity] => {
    const rest = nanos - (other.get(name)?.nanos ?? 0n)
    return [name, { nanos: rest < 0n ? 0n : rest, format }]
  })
  return new Map(entries)
}

/** `cpu=1,memory=1Gi`, sorted. */
export function amountsText(amounts: Amounts): string {
  const texts = [...amounts].map(([name, quantity]) => `${name}=${formatQuantity(quantity)}`)
  return texts.toSorted().join(',')
}

export function resourceList(amounts: Amounts): JsonObject {
  const entries = [...amounts].map(([name, quantity]) => [name, formatQuantity(quantity)])
  return Object.fromEntries(entries.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)))
}

function containerAmounts(container: JsonObject, list: 'requests' | 'limits'): Amounts {
  return amountsOf(objectAt(objectAt(container, 'resources'), list))
}

/**
 * What the containers of a pod request, or what limits them. Source: plugin/pkg/admission/limitranger podRequests, podLimits
 * (v1.34).
 */
export function podAmounts(spec: JsonObject, list: 'requests' | 'limits'): Amounts {
  let sidecars: Amounts = new Map()
  let started: Amounts = new Map()
  for (const container of objectsAt(spec, 'initContainers')) {
    const own = containerAmounts(container, list)
    if (isSidecar(container)) sidecars = added(sidecars, own)
    started = largest(started, isSidecar(container) ? sidecars : added(own, sidecars))
  }
  const running = objectsAt(spec, 'containers').map((one) => containerAmounts(one, list))
  const total = largest(added(...running, sidecars), started)
  const whole = spec['resources']
  if (!isJsonObject(whole)) return total
  return new Map([...total, ...amountsOf(objectAt(whole, list))])
}
