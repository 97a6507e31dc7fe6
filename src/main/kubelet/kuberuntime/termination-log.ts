import type { Container, Pod } from '../../../shared/kubernetes/objects.ts'
import type { Mount } from '../cri-types.ts'
import { podContainerFolder } from '../pod/pod-folders.ts'
import type { ContainerHost, Log, Random } from '../ports.ts'

/**
 * Creates the file of a container's termination message, and returns its mount. Undefined: the container wants none, or
 * the file cannot be made, which does not keep the container from running (kubelet_pods.go GenerateRunContainerOptions,
 * kuberuntime_container.go makeMounts).
 */
export async function makeTerminationLogMount(
  pod: Pod,
  container: Container,
  deps: { readonly host: ContainerHost; readonly random: Random; readonly log: Log },
): Promise<Mount | undefined> {
  const { terminationMessagePath: path = '' } = container
  if (path === '') return undefined
  const { host, random, log } = deps
  const folder = podContainerFolder(host, pod.metadata.uid, container.name)
  // A name for each start.
  const name = Math.floor(random.next() * 2 ** 32)
    .toString(16)
    .padStart(8, '0')
  const hostPath = `${folder}/${name}`
  const made = await host.files.makeFolder(folder, 0o750)
  const written = made.ok ? await host.files.write(hostPath, '', 0o666) : made
  if (written.ok) return { hostPath, containerPath: path.startsWith('/') ? path : `/${path}` }
  log.error('error on creating termination-log file', { error: written.error.message })
  return undefined
}
