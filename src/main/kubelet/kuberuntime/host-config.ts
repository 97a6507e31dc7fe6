/** What configs hold beyond names, labels and commands where containers really run (`ContainerHost`). */
import type { Container, ContainerPort, Pod } from '../../../shared/kubernetes/objects.ts'
import { ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { podCgroupPath } from '../cm/pod-cgroup.ts'
import type { PortMapping } from '../cri-types.ts'
import { podNamespace } from '../pod/identity.ts'
import { nodenameForKernel, podHostname } from '../pod/pod-hostname.ts'
import type { ContainerConfig, ContainerHost, PodSandboxConfig, RuntimeImage } from '../ports.ts'
import { linuxContainerResources, linuxSandboxResources } from './linux-resources.ts'
import { containerSecurityContext, sandboxSecurityContext, sysctlsOf } from './linux-security.ts'
import { podDns } from './pod-dns.ts'
import type { PodDns } from './pod-dns.ts'

/** kubelet BuildPodLogsDirectory. */
function podLogsFolder(pod: Pod, host: ContainerHost): string {
  const { name, uid } = pod.metadata
  return `${host.podLogsFolder}/${podNamespace(pod)}_${name}_${uid}`
}

/** kubelet BuildContainerLogsDirectory. */
export function containerLogsFolder(pod: Pod, container: Container, host: ContainerHost): string {
  return `${podLogsFolder(pod, host)}/${container.name}`
}

/** kubelet MakePortMappings: a name twice counts once. */
function portMappings({ ports = [] }: Container): readonly PortMapping[] {
  const named = new Map<string, ContainerPort>()
  for (const port of ports) {
    const { name = '', protocol = 'TCP', hostIP = '', containerPort, hostPort = 0 } = port
    const key = name === '' ? `${protocol}-${hostIP}:${containerPort}:${hostPort}` : name
    if (!named.has(key)) named.set(key, port)
  }
  return [...named.values()].map(({ protocol, hostIP = '', containerPort, hostPort = 0 }) => ({
    protocol: protocol === 'UDP' || protocol === 'SCTP' ? protocol : 'TCP',
    containerPort,
    hostPort,
    hostIp: hostIP,
  }))
}

/** What a sandbox's config has in addition, and warnings about its DNS. The error is why no config can be made. */
export function hostSandboxConfig(
  pod: Pod,
  host: ContainerHost,
): Result<Partial<PodSandboxConfig> & Pick<PodDns, 'warnings'>, string> {
  const isOnHost = pod.spec.hostNetwork === true
  const hostname = nodenameForKernel(pod, podHostname(pod, host.clusterDomain))
  if (!isOnHost && !hostname.ok) return hostname
  const dns = podDns(pod, host)
  return ok({
    logDirectory: podLogsFolder(pod, host),
    ...(isOnHost || !hostname.ok ? {} : { hostname: hostname.value }),
    dnsConfig: dns.config,
    portMappings: pod.spec.containers.flatMap(portMappings),
    linux: {
      cgroupParent: podCgroupPath(pod, host),
      securityContext: sandboxSecurityContext(pod),
      sysctls: sysctlsOf(pod),
      ...linuxSandboxResources(pod, host),
    },
    warnings: dns.warnings,
  })
}

/** What a container's config has in addition. */
export function hostContainerConfig(
  pod: Pod,
  container: Container,
  {
    attempt,
    image,
    targetId,
  }: {
    readonly attempt: number
    readonly image: RuntimeImage | undefined
    /** Of the container whose processes an ephemeral one sees. */
    readonly targetId?: string | undefined
  },
  host: ContainerHost,
): Partial<ContainerConfig> {
  const workingDir = container['workingDir']
  return {
    ...(typeof workingDir === 'string' ? { workingDir } : {}),
    logPath: `${container.name}/${attempt}.log`,
    stdin: container['stdin'] === true,
    stdinOnce: container['stdinOnce'] === true,
    tty: container['tty'] === true,
    linux: {
      resources: linuxContainerResources(pod, container, host),
      securityContext: containerSecurityContext(pod, container, image, host, targetId),
    },
  }
}
