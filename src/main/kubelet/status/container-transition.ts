import type {
  Container,
  ContainerStatus,
  Pod,
  PodStatus,
} from '../../../shared/kubernetes/objects.ts'
import { isSidecar } from '../../../shared/kubernetes/pod-containers.ts'

/**
 * Why a status may not follow another (status#cache-updates step 3): a container that ended for good must not
 * be said to run or wait again. Undefined when it may. Sidecars and restartPolicy Always are exempt.
 * Also refused after a status whose init containers are not those of the pod, in their order.
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
  const oldInit = old.initContainerStatuses ?? []
  // The kubelet finds an init container by its place.
  const isMismatch = ({ name }: ContainerStatus, index: number): boolean =>
    initContainers[index]?.name !== name
  const mismatch = oldInit.findIndex(isMismatch)
  const known = oldInit.slice(0, mismatch === -1 ? oldInit.length : mismatch)
  const restartedInit = restartedContainer(
    known.filter((_, index) => !isSidecarAt(initContainers, index)),
    next.initContainerStatuses,
    mayRestart,
  )
  if (restartedInit !== undefined) {
    return `terminated init container ${restartedInit} attempted illegal transition to non-terminated state`
  }
  return mismatch === -1
    ? undefined
    : `found mismatch between pod spec and status, container: ${oldInit[mismatch]?.name}`
}

function isSidecarAt(containers: readonly Container[], index: number): boolean {
  const container = containers[index]
  return container !== undefined && isSidecar(container)
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
