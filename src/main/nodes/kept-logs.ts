import type { Pod } from '../../shared/kubernetes/objects.ts'
import { configHashAnnotation } from '../../shared/kubernetes/static-pods.ts'
import type { ContainerHost } from '../kubelet/ports.ts'
import { containerLogsFolder } from '../kubelet/kuberuntime/host-config.ts'
import type { FileTree } from '../runtimes/simulated/files/file-tree.ts'

/** The pod as its kubelet names it: a mirror has the UID of its static pod in an annotation. */
function kubeletPod(pod: Pod): Pod {
  const uid = pod.metadata.annotations?.[configHashAnnotation] ?? pod.metadata.uid
  return { ...pod, metadata: { ...pod.metadata, uid } }
}

/**
 * Writes an empty log for the last container of each name, as a boot finds it on the disk of the machine. A kubelet counts the
 * restarts of containers that the runtime has forgotten by these files (calcRestartCountByLogDir).
 */
export function writeKeptLogs(pods: readonly Pod[], host: ContainerHost, tree: FileTree): void {
  for (const pod of pods) {
    const { containers, initContainers = [] } = pod.spec
    const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {}
    const statuses = [...containerStatuses, ...initContainerStatuses]
    for (const container of [...initContainers, ...containers]) {
      const status = statuses.find(({ name }) => name === container.name)
      if ((status?.containerID ?? '') === '') continue
      const folder = containerLogsFolder(kubeletPod(pod), container, host)
      tree.makeFolders(folder)
      tree.write(`${folder}/${status?.restartCount ?? 0}.log`, '')
    }
  }
}
