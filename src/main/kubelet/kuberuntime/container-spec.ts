import type { Container, Pod } from '../../../shared/kubernetes/objects.ts'

/** A restartable init container: restartPolicy Always on an init container (containers#init-containers). */
export function isSidecar(container: Container): boolean {
  return container.restartPolicy === 'Always'
}

/** Regular, init and ephemeral containers, in this order. */
export function allContainers(pod: Pod): readonly Container[] {
  const { containers, initContainers = [], ephemeralContainers = [] } = pod.spec
  return [...containers, ...initContainers, ...ephemeralContainers]
}

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
