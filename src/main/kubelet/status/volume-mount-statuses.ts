import { isJsonObject, textAt } from '../../../shared/json.ts'
import type { Container, ContainerStatus } from '../../../shared/kubernetes/objects.ts'

/**
 * `volumeMounts` of the status of a container that has not started, from its spec; empty without mounts
 * (kubelet_pods.go convertToAPIContainerStatuses). Recursive read-only mounts are not supported.
 */
export function volumeMountStatuses({ volumeMounts = [] }: Container): Partial<ContainerStatus> {
  const mounts = volumeMounts.filter(isJsonObject).map((mount) => ({
    name: textAt(mount, 'name'),
    mountPath: textAt(mount, 'mountPath'),
    ...(mount['readOnly'] === true ? { readOnly: true, recursiveReadOnly: 'Disabled' } : {}),
  }))
  return mounts.length === 0 ? {} : { volumeMounts: mounts }
}
