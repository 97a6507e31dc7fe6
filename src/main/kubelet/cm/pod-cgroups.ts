import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { recordedQosClass } from '../../../shared/kubernetes/qos.ts'
import type { PodCgroups } from '../../../shared/model/inside-pod/pod-cgroups.ts'
import { linuxContainerResources } from '../kuberuntime/linux-resources.ts'
import type { ContainerHost } from '../ports.ts'
import { containerCgroupFiles, podCgroupFiles } from './cgroup-files.ts'
import { podCgroupPath, podCgroupResources } from './pod-cgroup.ts'
import type { PodCgroupResources } from './pod-cgroup.ts'

/** The cgroups of a pod and its containers as a kubelet would set them (containers#cgroups). Expects the allocated pod. */
export function podCgroups(
  pod: Pod,
  host: ContainerHost,
  { isSimulated }: { readonly isSimulated: boolean },
): PodCgroups {
  const { initContainers = [], containers, ephemeralContainers = [] } = pod.spec
  const version = host.hasCgroup2 ? 2 : 1
  return {
    qosClass: recordedQosClass(pod),
    path: podCgroupPath(pod, host),
    version,
    isSimulated,
    pod: podCgroupFiles(withAllPageSizes(podCgroupResources(pod), host), version),
    containers: [...initContainers, ...containers, ...ephemeralContainers].map((container) => ({
      name: container.name,
      files: containerCgroupFiles(linuxContainerResources(pod, container, host), version),
    })),
  }
}

/** Pages of a size that the pod does not request are limited to none (cm/cgroup_manager_linux.go maybeSetHugetlb). */
function withAllPageSizes(
  { hugepageLimits = [], ...resources }: PodCgroupResources,
  { hugePageSizes }: ContainerHost,
): PodCgroupResources {
  const requested = new Set(hugepageLimits.map(({ pageSize }) => pageSize))
  const others = hugePageSizes.filter((pageSize) => !requested.has(pageSize))
  return {
    ...resources,
    hugepageLimits: [...hugepageLimits, ...others.map((pageSize) => ({ pageSize, limit: 0 }))],
  }
}
