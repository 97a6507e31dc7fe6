import { objectAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { Container, Pod } from '../../../shared/kubernetes/objects.ts'
import { parseQuantity } from '../../../shared/kubernetes/quantity.ts'
import { err } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { containerResourceValue } from '../pod/resource-field.ts'
import type { ResourceList } from '../pod/resource-field.ts'

/** What a container without a limit may use at most. Source: pkg/kubelet/kubelet_resources.go defaultPodLimitsForDownwardAPI. */
function defaultLimits(pod: Pod, allocatable: ResourceList): ResourceList {
  const limits = objectAt(objectAt(pod.spec, 'resources'), 'limits')
  const ofPod = ['cpu', 'memory']
    .map((resource) => [resource, textAt(limits, resource)] as const)
    .filter(([resource, limit]) => resource in allocatable && !!parseQuantity(limit)?.nanos)
  return { ...allocatable, ...Object.fromEntries(ofPod) }
}

/**
 * The value of a variable's `resourceFieldRef`, of `own` if it names no container. The error is the kubelet's sentence. Source:
 * pkg/kubelet/kubelet_pods.go containerResourceRuntimeValue.
 */
export function resourceFieldValue(
  reference: JsonObject,
  pod: Pod,
  own: Container,
  allocatable: ResourceList,
): Result<string, string> {
  const name = textAt(reference, 'containerName')
  const isNamed = (container: Container): boolean => container.name === name
  const container = name === '' ? own : pod.spec.containers.find(isNamed)
  if (container !== undefined)
    return containerResourceValue(reference, container, defaultLimits(pod, allocatable))
  const init = pod.spec.initContainers?.find(isNamed)
  // Nothing is defaulted in the init containers of the pod.
  return init === undefined
    ? err(`container ${name} not found`)
    : containerResourceValue(reference, init, {})
}
