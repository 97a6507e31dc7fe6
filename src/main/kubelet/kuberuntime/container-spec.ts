import type { Container, Pod } from '../../../shared/kubernetes/objects.ts'
import { allContainers } from '../../../shared/kubernetes/pod-containers.ts'

/** The container of that name, of whatever kind. */
export function findContainerSpec(pod: Pod, name: string): Container | undefined {
  return allContainers(pod).find((container) => container.name === name)
}

/** Where an event about a container points: `spec.containers{c}`; undefined when the pod has no such container. */
export function containerFieldPath(pod: Pod, name: string): string | undefined {
  const lists = {
    containers: pod.spec.containers,
    initContainers: pod.spec.initContainers ?? [],
    ephemeralContainers: pod.spec.ephemeralContainers ?? [],
  }
  for (const [field, containers] of Object.entries(lists)) {
    if (containers.some((container) => container.name === name)) return `spec.${field}{${name}}`
  }
  return undefined
}
