import type { JsonObject } from '../../../shared/json.ts'
import { textAt } from '../../../shared/json.ts'
import type { Container, Pod } from '../../../shared/kubernetes/objects.ts'
import {
  parseQuantity,
  quantityMilliValue,
  quantityValue,
} from '../../../shared/kubernetes/quantity.ts'
import { isHugePagesResource } from '../../../shared/kubernetes/resource-names.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'

export type ResourceList = Readonly<Record<string, string>>

const zero = { nanos: 0n, format: 'decimal' } as const
const counted: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage'])

/**
 * What a `resourceFieldRef` says of a container, rounded up to whole divisors. A missing or zero limit is what the node can
 * give. Source: pkg/api/v1/resource ExtractContainerResourceValue, MergeContainerResourceLimits.
 */
export function containerResourceValue(
  field: JsonObject,
  { resources = {} }: Container,
  allocatable: ResourceList,
): Result<string, string> {
  const [, list, resource = ''] = /^(limits|requests)\.(.*)$/.exec(textAt(field, 'resource')) ?? []
  if (list === undefined || !(counted.has(resource) || isHugePagesResource(resource)))
    return err(`unsupported container resource : ${textAt(field, 'resource')}`)
  const given = parseQuantity(resources[list === 'limits' ? 'limits' : 'requests']?.[resource])
  const isUnlimited = list === 'limits' && counted.has(resource) && !given?.nanos
  const quantity = (isUnlimited ? parseQuantity(allocatable[resource]) : given) ?? given ?? zero
  const written = parseQuantity(field['divisor'])
  const divisor = written === undefined || written.nanos === 0n ? parseQuantity('1') : written
  const value = resource === 'cpu' ? quantityMilliValue : quantityValue
  // As doubles, as Go divides them.
  return ok(String(Math.ceil(Number(value(quantity)) / Number(value(divisor ?? zero)))))
}

/** The same of the container with this name. Source: ExtractResourceValueByContainerNameAndNodeAllocatable. */
export function podResourceValue(
  field: JsonObject,
  pod: Pod,
  allocatable: ResourceList,
): Result<string, string> {
  const name = textAt(field, 'containerName')
  const { containers, initContainers = [] } = pod.spec
  const container = [...containers, ...initContainers].find((one) => one.name === name)
  if (container === undefined) return err(`container ${name} not found`)
  return containerResourceValue(field, container, allocatable)
}
