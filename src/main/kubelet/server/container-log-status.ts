import type { ContainerStatus, PodStatus } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'

function statusOf(
  { containerStatuses, initContainerStatuses, ephemeralContainerStatuses }: PodStatus,
  container: string,
): ContainerStatus | undefined {
  return [containerStatuses, initContainerStatuses, ephemeralContainerStatuses]
    .flatMap((list = []) => list)
    .find(({ name }) => name === container)
}

function waitingError(podName: string, container: string, reason: string): string {
  const start = `container ${JSON.stringify(container)} in pod ${JSON.stringify(podName)} is waiting to start`
  switch (reason) {
    case 'ErrImagePull':
      return `${start}: image can't be pulled`
    case 'ImagePullBackOff':
      return `${start}: trying and failing to pull image`
    default:
      return `${start}: ${reason}`
  }
}

/**
 * The id (`containerd://…`) of the container whose log is meant: the running one, else the last that has ended. The error is
 * the kubelet's (kubelet_pods.go validateContainerLogStatus).
 */
export function containerOfLog(
  podName: string,
  status: PodStatus,
  container: string,
  options: { readonly previous: boolean },
): Result<string, string> {
  const [shown, pod] = [JSON.stringify(container), JSON.stringify(podName)]
  const found = statusOf(status, container)
  if (found === undefined) return err(`container ${shown} in pod ${pod} is not available`)
  const { waiting, running, terminated } = found.state ?? {}
  const last = found.lastState?.terminated
  const lastId = last?.containerID ?? ''
  const isTerminated = err(`container ${shown} in pod ${pod} is terminated`)
  if (options.previous)
    return lastId === ''
      ? err(`previous terminated container ${shown} in pod ${pod} not found`)
      : ok(lastId)
  if (running !== undefined) return ok(found.containerID ?? '')
  if (terminated !== undefined) {
    // Without an id the next container did not start.
    const id = (terminated.containerID ?? '') || lastId
    return id === '' ? isTerminated : ok(id)
  }
  if (last !== undefined) return lastId === '' ? isTerminated : ok(lastId)
  if (waiting !== undefined) return err(waitingError(podName, container, waiting.reason ?? ''))
  return err(`container ${shown} in pod ${pod} is waiting to start - no logs yet`)
}
