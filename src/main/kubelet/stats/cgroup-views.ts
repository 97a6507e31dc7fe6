/** The cgroups of a node as cAdvisor finds them, with what they use. */
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { allContainers } from '../../../shared/kubernetes/pod-containers.ts'
import { ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { milliCpuToShares, quotaPeriod, sharesToWeight, weightToShares } from '../cm/cpu-values.ts'
import { podCgroupPath, podCgroupResources } from '../cm/pod-cgroup.ts'
import type { ContainerStats, LinuxContainerResources } from '../cri-types.ts'
import { podUidLabel } from '../kuberuntime/container-labels.ts'
import { linuxContainerResources } from '../kuberuntime/linux-resources.ts'
import { podNamespace } from '../pod/identity.ts'
import type { ContainerHost, RuntimeContainer, RuntimeError, RuntimeService } from '../ports.ts'

/** Of a container, or the sum of several. Times are ms since the epoch. */
export interface CgroupUse {
  readonly time: number
  readonly coreNanoSeconds: number
  readonly usageBytes: number
  readonly workingSetBytes: number
  readonly rssBytes: number
}

export interface CgroupView {
  /** The path of the cgroup: `/` is the whole node. */
  readonly id: string
  readonly pod: string
  readonly namespace: string
  /** Empty for the cgroups of pods and of the node; so are the next two. */
  readonly container: string
  /** The container's id. */
  readonly name: string
  readonly image: string
  /** When it was created, in ms. */
  readonly createdAt: number
  readonly resources: Pick<
    LinuxContainerResources,
    'cpuShares' | 'cpuQuota' | 'cpuPeriod' | 'memoryLimitInBytes'
  >
  readonly use: CgroupUse
}

export interface CgroupViewsDeps {
  readonly runtimeService: Pick<RuntimeService, 'listContainers' | 'listContainerStats'>
  readonly host: ContainerHost
  /** The pod with what was allocated to it; undefined: the kubelet does not know it. */
  readonly podOf: (uid: string) => Pod | undefined
  /** When the node was started, in ms. */
  readonly startedAt: number
}

interface RunningContainer {
  readonly container: RuntimeContainer
  readonly stats: ContainerStats
}

/** The node, its pods and their running containers. */
export async function cgroupViews(
  deps: CgroupViewsDeps,
): Promise<Result<readonly CgroupView[], RuntimeError>> {
  const { runtimeService } = deps
  const listed = await runtimeService.listContainers({ state: 'running' })
  if (!listed.ok) return listed
  const measured = await runtimeService.listContainerStats()
  if (!measured.ok) return measured
  const statsById = new Map(measured.value.map((stats) => [stats.id, stats]))
  const running = listed.value.flatMap((container): readonly RunningContainer[] => {
    const stats = statsById.get(container.id)
    return stats === undefined ? [] : [{ container, stats }]
  })
  const byPod = new Map<string, RunningContainer[]>()
  for (const one of running) {
    const uid = one.container.labels[podUidLabel] ?? ''
    byPod.set(uid, [...(byPod.get(uid) ?? []), one])
  }
  const ofPods = [...byPod].flatMap(([uid, own]) => {
    const pod = deps.podOf(uid)
    return pod === undefined ? [] : viewsOfPod(pod, own, deps)
  })
  return ok([rootView(running, deps), ...ofPods])
}

function rootView(
  running: readonly RunningContainer[],
  { host, startedAt }: Pick<CgroupViewsDeps, 'host' | 'startedAt'>,
): CgroupView {
  return {
    ...noContainer,
    id: '/',
    pod: '',
    namespace: '',
    createdAt: startedAt,
    resources: {
      // In cgroups v2 the root has no weight.
      cpuShares: host.hasCgroup2 ? 0 : Number(milliCpuToShares(1000n)),
      memoryLimitInBytes: host.memoryBytes,
    },
    use: sumOf(running),
  }
}

const noContainer = { container: '', name: '', image: '' }

function viewsOfPod(
  pod: Pod,
  running: readonly RunningContainer[],
  { host }: Pick<CgroupViewsDeps, 'host'>,
): readonly CgroupView[] {
  const path = podCgroupPath(pod, host)
  const names = { pod: pod.metadata.name, namespace: podNamespace(pod) }
  const whole: CgroupView = {
    ...noContainer,
    ...names,
    id: path,
    createdAt: Math.min(...running.map(({ container }) => container.createdAt)),
    resources: asRead(podCgroupResources(pod), host),
    use: sumOf(running),
  }
  const specs = new Map(allContainers(pod).map((container) => [container.name, container]))
  const containers = running.map(({ container, stats }): CgroupView => {
    const spec = specs.get(container.name)
    return {
      ...names,
      id: containerPath(path, container.id, host),
      container: container.name,
      name: container.id,
      image: container.image,
      createdAt: container.createdAt,
      resources: spec === undefined ? {} : asRead(linuxContainerResources(pod, spec, host), host),
      use: useOf(stats),
    }
  })
  // Without cgroups of pods theirs is not there.
  return path === '' ? containers : [whole, ...containers]
}

/** cgroups v2 have weights, from which shares do not come back as they were. */
function asRead(
  resources: CgroupView['resources'],
  { hasCgroup2 }: Pick<ContainerHost, 'hasCgroup2'>,
): CgroupView['resources'] {
  const { cpuShares } = resources
  if (!hasCgroup2 || cpuShares === undefined) return resources
  return { ...resources, cpuShares: weightToShares(sharesToWeight(cpuShares)) }
}

/** As containerd names it, below the pod's. */
function containerPath(
  parent: string,
  id: string,
  { cgroupDriver }: Pick<ContainerHost, 'cgroupDriver'>,
): string {
  return cgroupDriver === 'SYSTEMD' ? `${parent}/cri-containerd-${id}.scope` : `${parent}/${id}`
}

function useOf({ cpu, memory }: ContainerStats): CgroupUse {
  const { usageBytes, workingSetBytes, rssBytes } = memory
  const coreNanoSeconds = cpu.usageCoreNanoSeconds
  return { time: cpu.timestamp, coreNanoSeconds, usageBytes, workingSetBytes, rssBytes }
}

function sumOf(running: readonly RunningContainer[]): CgroupUse {
  const none = { time: 0, coreNanoSeconds: 0, usageBytes: 0, workingSetBytes: 0, rssBytes: 0 }
  return running
    .map(({ stats }) => useOf(stats))
    .reduce(
      (total, one) => ({
        time: Math.max(total.time, one.time),
        coreNanoSeconds: total.coreNanoSeconds + one.coreNanoSeconds,
        usageBytes: total.usageBytes + one.usageBytes,
        workingSetBytes: total.workingSetBytes + one.workingSetBytes,
        rssBytes: total.rssBytes + one.rssBytes,
      }),
      none,
    )
}

/** microseconds: the period of a cgroup for which none was set. */
export const defaultCpuPeriod = Number(quotaPeriod)
