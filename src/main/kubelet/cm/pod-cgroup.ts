/** The cgroup of a whole pod, as a kubelet makes it (containers#cgroups). Nodescope makes none. */
import { isJsonObject, objectAt } from '../../../shared/json.ts'
import type { Container, Pod } from '../../../shared/kubernetes/objects.ts'
import { isSidecar } from '../../../shared/kubernetes/pod-containers.ts'
import { podLimits, podRequests, resourceAmount } from '../../../shared/kubernetes/pod-requests.ts'
import { recordedQosClass } from '../../../shared/kubernetes/qos.ts'
import { isHugePagesResource } from '../../../shared/kubernetes/resource-names.ts'
import { hugePageSizeName } from '../kuberuntime/linux-resources.ts'
import type { LinuxContainerResources } from '../cri-types.ts'
import type { ContainerHost } from '../ports.ts'
import { milliCpuToQuota, milliCpuToShares, quotaPeriod } from './cpu-values.ts'

/**
 * The path of a pod's cgroup; empty if pods have none of their own.
 * Source: cm/pod_container_manager_linux.go GetPodContainerName.
 */
export function podCgroupPath(
  pod: Pod,
  { cgroupDriver }: Pick<ContainerHost, 'cgroupDriver'>,
): string {
  if (cgroupDriver === 'none') return ''
  const qos = recordedQosClass(pod)
  const parts = ['kubepods', ...(qos === 'Guaranteed' ? [] : [qos.toLowerCase()])]
  const all = [...parts, `pod${pod.metadata.uid}`]
  if (cgroupDriver === 'CGROUPFS') return `/${all.join('/')}`
  const escaped = all.map((part) => part.replaceAll('-', '_'))
  return escaped.map((_, index) => `/${escaped.slice(0, index + 1).join('-')}.slice`).join('')
}

/** Absent: the kubelet sets nothing. */
export type PodCgroupResources = Pick<
  LinuxContainerResources,
  'cpuShares' | 'cpuQuota' | 'cpuPeriod' | 'memoryLimitInBytes' | 'hugepageLimits'
>

/**
 * What limits a whole pod: a Burstable one only where every container is limited, or the pod as a whole is.
 * Expects the allocated pod. Source: cm/helpers_linux.go ResourceConfigForPod, with the gate MemoryQoS off and CFS
 * quotas on, as by default.
 */
export function podCgroupResources(pod: Pod): PodCgroupResources {
  const qos = recordedQosClass(pod)
  const requests = podRequests(pod)
  const limits = podLimits(pod)
  const hugepageLimits = [...requests]
    .filter(([resource]) => isHugePagesResource(resource))
    .map(([resource, bytes]) => ({ pageSize: hugePageSizeName(resource), limit: Number(bytes) }))
  if (qos === 'BestEffort') return { cpuShares: Number(milliCpuToShares(0n)), hugepageLimits }
  const isLimited = (resource: 'cpu' | 'memory'): boolean =>
    qos === 'Guaranteed' || isLimitDeclared(pod, resource)
  return {
    cpuShares: Number(milliCpuToShares(requests.get('cpu') ?? 0n)),
    ...(isLimited('cpu')
      ? {
          cpuQuota: Number(milliCpuToQuota(limits.get('cpu') ?? 0n)),
          cpuPeriod: Number(quotaPeriod),
        }
      : {}),
    ...(isLimited('memory') ? { memoryLimitInBytes: Number(limits.get('memory') ?? 0n) } : {}),
    hugepageLimits,
  }
}

/** An init container is limited too where a sidecar before it is: their limits are added. */
function isLimitDeclared(pod: Pod, resource: 'cpu' | 'memory'): boolean {
  const { resources, containers, initContainers = [] } = pod.spec
  const ofPod = isJsonObject(resources) ? objectAt(resources, 'limits')[resource] : undefined
  if (resourceAmount(resource, ofPod) > 0n) return true
  const isLimited = (container: Container): boolean =>
    resourceAmount(resource, container.resources?.limits?.[resource]) > 0n
  const sidecars = initContainers.filter((one) => isSidecar(one) && isLimited(one))
  const firstSidecar = sidecars[0]
  const from = firstSidecar === undefined ? Infinity : initContainers.indexOf(firstSidecar)
  return (
    containers.every(isLimited) &&
    initContainers.every((container, index) => index >= from || isLimited(container))
  )
}
