/** The folders of a pod below the kubelet's root directory (pkg/kubelet/kubelet_getters.go). */
import type { Result } from '../../../shared/result.ts'
import { ok } from '../../../shared/result.ts'
import type { ContainerHost } from '../ports.ts'

type Root = Pick<ContainerHost, 'rootFolder'>

/** getPodDir. */
export function podFolder({ rootFolder }: Root, uid: string): string {
  return `${rootFolder}/pods/${uid}`
}

/** getPodContainerDir: of what the kubelet keeps for each container of a name. */
export function podContainerFolder(root: Root, uid: string, container: string): string {
  return `${podFolder(root, uid)}/containers/${container}`
}

/**
 * Makes the folders of the pod, its volumes and its plugins (kubelet_pods.go makePodDataDirs), the first as what the others
 * are in. The error is Go's text.
 */
export async function makePodDataFolders(
  host: ContainerHost,
  uid: string,
): Promise<Result<undefined, string>> {
  const folder = podFolder(host, uid)
  for (const path of [`${folder}/volumes`, `${folder}/plugins`]) {
    const made = await host.files.makeFolder(path, 0o750)
    if (!made.ok) return { ok: false, error: made.error.message }
  }
  return ok(undefined)
}
