import type { ContainerStatus, Pod, PodStatus } from '../../../shared/kubernetes/objects.ts'
import { isSidecar } from '../container/container-spec.ts'

/**
 * Why a status may not follow another (semantics 6.2 step 3): a container that ended for good must not
 * be said to run or wait again. Undefined when it may. Sidecars and restartPolicy Always are exempt.
 */
export function illegalContainerTransition(
  pod: Pod,
  old: PodStatus,
  next: PodStatus,
): string | undefined {
  const { restartPolicy, initContainers = [] } = pod.spec
  if (restartPolicy === undefined || restartPolicy === 'Always') return undefined
  const mayRestart = (exitCode: number): boolean => restartPolicy === 'OnFailure' && exitCode !== 0
  const restarted = restartedContainer(old.containerStatuses, next.containerStatuses, mayRestart)
  if (restarted !== undefined) {
    return `terminated container ${restarted} attempted illegal transition to non-terminated state`
  }
  const sidecars = new Set(initContainers.filter(isSidecar).map(({ name }) => name))
  const restartedInit = restartedContainer(
    (old.initContainerStatuses ?? []).filter(({ name }) => !sidecars.has(name)),
    next.initContainerStatuses,
    mayRestart,
  )
  return restartedInit === undefined
    ? undefined
    : `terminated init container ${restartedInit} attempted illegal transition to non-terminated state`
}

function restartedContainer(
  old: readonly ContainerStatus[] = [],
  next: readonly ContainerStatus[] = [],
  mayRestart: (exitCode: number) => boolean,
): string | undefined {
  return old.find(({ name, state }) => {
    const ended = state?.terminated
    if (ended === undefined || mayRestart(ended.exitCode)) return false
    const status = next.find((one) => one.name === name)
    return status !== undefined && status.state?.terminated === undefined
  })?.name
}
