import type { Container, Pod } from './objects.ts'

/** A restartable init container: restartPolicy Always on an init container (containers#init-containers). */
export function isSidecar({ restartPolicy }: { readonly restartPolicy?: unknown }): boolean {
  return restartPolicy === 'Always'
}

/** Init, regular and ephemeral containers, in this order (pkg/api/v1/pod VisitContainers). */
export function allContainers({ spec }: Pod): readonly Container[] {
  const { initContainers = [], containers, ephemeralContainers = [] } = spec
  return [...initContainers, ...containers, ...ephemeralContainers]
}

/** How pods named a container's AppArmor profile before the field came; the container's name follows. */
export const appArmorAnnotationPrefix = 'container.apparmor.security.beta.kubernetes.io/'
