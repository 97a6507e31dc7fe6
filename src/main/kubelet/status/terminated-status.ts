import { defined } from '../../../shared/json.ts'
import type {
  ContainerState,
  ContainerStatus,
  Pod,
  PodStatus,
} from '../../../shared/kubernetes/objects.ts'
import { isSidecar } from '../../../shared/kubernetes/pod-containers.ts'
import { isStaticPod, isTerminalPhase } from '../pod/identity.ts'

const lost: ContainerState = {
  terminated: {
    exitCode: 137,
    reason: 'ContainerStatusUnknown',
    message: 'The container could not be located when the pod was terminated',
  },
}

/**
 * The status of a pod whose worker is done (status#calls TerminatePod): every container that could have
 * run is said to have ended, and the phase is terminal, except for static pods.
 */
export function terminatedStatus(pod: Pod, old: PodStatus): PodStatus {
  const { containerStatuses, initContainerStatuses, phase } = old
  const isEnding = !isStaticPod(pod) && (phase === undefined || !isTerminalPhase(phase))
  return {
    ...old,
    ...(isEnding ? { phase: 'Failed' } : {}),
    ...defined({
      containerStatuses: hasPodInitialized(pod) ? containerStatuses?.map(endedStatus) : undefined,
      initContainerStatuses: initContainerStatuses && endedInitStatuses(initContainerStatuses),
    }),
  }
}

function endedStatus(status: ContainerStatus): ContainerStatus {
  return status.state?.terminated === undefined ? { ...status, state: lost } : status
}

/** Whether regular containers can have started, by what the pod's own status shows (hasPodInitialized). */
function hasPodInitialized(pod: Pod): boolean {
  const { initContainers = [] } = pod.spec
  if (initContainers.length === 0) return true
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {}
  if (containerStatuses.some(hasLeftWaiting)) return true
  const last = initContainerStatuses.at(-1)
  // The kubelet finds it by its place.
  const container = initContainers[initContainerStatuses.length - 1]
  if (last === undefined || container?.name !== last.name) return false
  return isSidecar(container)
    ? last.state?.running !== undefined && last.started === true
    : last.lastState?.terminated?.exitCode === 0 || last.state?.terminated?.exitCode === 0
}

function hasLeftWaiting(status: ContainerStatus): boolean {
  return status.lastState?.terminated !== undefined || status.state?.waiting === undefined
}

/** All but the trailing ones that never started; at least the first. */
function endedInitStatuses(statuses: readonly ContainerStatus[]): readonly ContainerStatus[] {
  const lastStarted = statuses.findLastIndex(hasLeftWaiting)
  return statuses.map((status, index) =>
    index <= Math.max(lastStarted, 0) ? endedStatus(status) : status,
  )
}
