/** The hosts file that the kubelet makes for a pod (pkg/kubelet/kubelet_pods.go). */
import { isJsonObject, listAt, textAt } from '../../../shared/json.ts'
import type { Container, Pod } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { Mount } from '../cri-types.ts'
import type { ContainerHost } from '../ports.ts'
import { podFolder } from './pod-folders.ts'
import { podHostname } from './pod-hostname.ts'

const hostsPath = '/etc/hosts'

const managedOnHostNetwork = '# Kubernetes-managed hosts file (host network).\n'

const managed = `# Kubernetes-managed hosts file.
127.0.0.1\tlocalhost
::1\tlocalhost ip6-localhost ip6-loopback
fe00::0\tip6-localnet
fe00::0\tip6-mcastprefix
fe00::1\tip6-allnodes
fe00::2\tip6-allrouters
`

/** hostsEntriesFromHostAliases. */
function aliases({ spec }: Pod): string {
  const entries = listAt(spec, 'hostAliases').filter(isJsonObject)
  if (entries.length === 0) return ''
  const lines = entries.map(
    (entry) => `${textAt(entry, 'ip')}\t${listAt(entry, 'hostnames').join('\t')}\n`,
  )
  return `\n# Entries added by HostAliases.\n${lines.join('')}`
}

/** managedHostsFileContent. */
function managedHosts(pod: Pod, podIPs: readonly string[], clusterDomain: string): string {
  const { hostname, domain } = podHostname(pod, clusterDomain)
  const names = domain === '' ? hostname : `${hostname}.${domain}\t${hostname}`
  // Joined: what is put together keeps its parts in memory as well, for every pod.
  const own = podIPs.map((ip) => [ip, '\t', names, '\n'].join('')).join('')
  return `${managed}${own}${aliases(pod)}`
}

/** Of a pod, on its node. */
export function hostsFileOf(host: Pick<ContainerHost, 'rootFolder'>, uid: string): string {
  return `${podFolder(host, uid)}/etc-hosts`
}

/**
 * Writes the pod's hosts file, and returns its mount (makeHostsMount, ensureHostsFile). Undefined: the pod has no address
 * yet (shouldMountHostsFile), or the container mounts one of its own. The error is Go's text.
 */
export async function makeHostsMount(
  pod: Pod,
  { volumeMounts = [] }: Container,
  podIPs: readonly string[],
  host: ContainerHost,
): Promise<Result<Mount | undefined, string>> {
  const isOnHost = pod.spec.hostNetwork === true
  const isTaken = volumeMounts.some((one) => isJsonObject(one) && one['mountPath'] === hostsPath)
  if (isTaken || (podIPs.length === 0 && !isOnHost)) return ok(undefined)
  const hostPath = hostsFileOf(host, pod.metadata.uid)
  let text = managedHosts(pod, podIPs, host.clusterDomain)
  if (isOnHost) {
    const read = await host.files.readText(hostsPath)
    if (!read.ok) return err(read.error.message)
    text = `${managedOnHostNetwork}${read.value}${aliases(pod)}`
  }
  const written = await host.files.write(hostPath, text, 0o644)
  return written.ok ? ok({ containerPath: hostsPath, hostPath }) : err(written.error.message)
}
