import type { ContainerStatus, Pod } from '../../shared/kubernetes/objects.ts'
import { configHashAnnotation } from '../../shared/kubernetes/static-pods.ts'
import { fromTimestamp } from '../../shared/kubernetes/timestamps.ts'
import { containerConfig, podSandboxConfig } from '../kubelet/kuberuntime/container-config.ts'
import { runtimeContainerId } from '../kubelet/status/container-statuses.ts'
import type { FoundContainer, SimulatedRuntime } from '../runtimes/simulated/simulated-runtime.ts'

/** The pod as its kubelet names it: a mirror has the UID of its static pod in an annotation. */
function kubeletPod(pod: Pod): Pod {
  const uid = pod.metadata.annotations?.[configHashAnnotation] ?? pod.metadata.uid
  return { ...pod, metadata: { ...pod.metadata, uid } }
}

/** The end of a container's last run; undefined where it ran until the machine stopped. */
function endOf({ state, lastState }: ContainerStatus): FoundContainer['end'] {
  if (state?.running !== undefined) return undefined
  const ended = state?.terminated ?? lastState?.terminated
  if (ended === undefined) return undefined
  const { exitCode, reason = '', message = '', finishedAt } = ended
  return { exitCode, reason, message, finishedAt: fromTimestamp(finishedAt) ?? 0 }
}

function foundOf(pod: Pod): readonly FoundContainer[] {
  const { containers, initContainers = [], ephemeralContainers = [] } = pod.spec
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {}
  const { ephemeralContainerStatuses = [] } = pod.status ?? {}
  const statuses = [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses]
  return [...initContainers, ...containers, ...ephemeralContainers].flatMap((container) => {
    const status = statuses.find(({ name }) => name === container.name)
    const id = runtimeContainerId(status?.containerID ?? '')
    if (status === undefined || id === '') return []
    const config = containerConfig(pod, container, status.imageID, status.restartCount, {
      envs: [],
    })
    if (!config.ok) return []
    const { startedAt } = status.state?.running ?? status.state?.terminated ?? {}
    return [
      {
        id,
        config: config.value,
        image: status.image,
        startedAt: fromTimestamp(startedAt) ?? 0,
        end: endOf(status),
      },
    ]
  })
}

/**
 * Lets the runtime have the last container of each name, as a boot finds it on the disk of the machine: a kubelet counts restarts by
 * them, and says when they ended.
 */
export function recallContainers(pods: readonly Pod[], runtime: SimulatedRuntime): void {
  for (const pod of pods.map(kubeletPod)) {
    const found = foundOf(pod)
    if (found.length > 0) runtime.recall(podSandboxConfig(pod, 0), found)
  }
}
