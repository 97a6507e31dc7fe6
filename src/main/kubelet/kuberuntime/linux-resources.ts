import { isJsonObject, withFields } from '../../../shared/json.ts'
import type { Container, Pod, ResourceRequirements } from '../../../shared/kubernetes/objects.ts'
import { isSidecar } from '../../../shared/kubernetes/pod-containers.ts'
import { recordedQosClass } from '../../../shared/kubernetes/qos.ts'
import {
  parseQuantity,
  quantityMilliValue,
  quantityValue,
} from '../../../shared/kubernetes/quantity.ts'
import {
  amountsWithoutOverhead,
  containerAmounts,
} from '../../../shared/kubernetes/pod-requests.ts'
import { isHugePagesResource } from '../../../shared/kubernetes/resource-names.ts'
import { milliCpuToQuota, milliCpuToShares, quotaPeriod } from '../cm/cpu-values.ts'
import type { LinuxContainerResources, LinuxPodSandboxConfig } from '../cri-types.ts'
import { isNodeCriticalPod } from '../pod/identity.ts'
import type { ContainerHost } from '../ports.ts'

/** The kubelet's qos/policy.go. */
const oomScores = { guaranteed: -997, bestEffort: 1000, leastBurstable: 3 } as const

type Amounts = ResourceRequirements['requests']

function milliOf(amounts: Amounts, resource: string): bigint {
  const quantity = parseQuantity(amounts?.[resource])
  return quantity === undefined ? 0n : quantityMilliValue(quantity)
}

function bytesOf(amounts: Amounts): bigint {
  const quantity = parseQuantity(amounts?.['memory'])
  return quantity === undefined ? 0n : quantityValue(quantity)
}

/** `spec.resources`: its limits are those of a container that has none of its own. */
function podLevel(pod: Pod, field: 'requests' | 'limits'): Amounts {
  const resources = pod.spec['resources']
  const amounts = isJsonObject(resources) ? resources[field] : undefined
  return isJsonObject(amounts) ? (amounts as Amounts) : undefined
}

/** calculateLinuxResources: CPU in thousandths. `milliRequest` absent: as the limit. */
function calculated(
  amounts: {
    readonly milliRequest: bigint | undefined
    readonly milliLimit: bigint
    readonly bytesLimit: bigint
  },
  { hasCgroup2 }: ContainerHost,
): LinuxContainerResources {
  const { milliLimit, bytesLimit, milliRequest = milliLimit } = amounts
  return {
    cpuShares: Number(milliCpuToShares(milliRequest)),
    cpuQuota: Number(milliCpuToQuota(milliLimit)),
    cpuPeriod: Number(quotaPeriod),
    ...(bytesLimit === 0n ? {} : { memoryLimitInBytes: Number(bytesLimit) }),
    // All processes of the container end together when it has no memory left.
    ...(hasCgroup2 ? { unified: { 'memory.oom.group': '1' } } : {}),
  }
}

/** What a runtime may set for a whole pod (kuberuntime_sandbox_linux.go applySandboxResources). */
export function linuxSandboxResources(
  pod: Pod,
  host: ContainerHost,
): Pick<LinuxPodSandboxConfig, 'resources' | 'overhead'> {
  const requests = amountsWithoutOverhead(pod, 'requests')
  const limits = amountsWithoutOverhead(pod, 'limits')
  const amounts = {
    milliRequest: requests.get('cpu'),
    milliLimit: limits.get('cpu') ?? 0n,
    bytesLimit: limits.get('memory') ?? 0n,
  }
  const { overhead } = pod.spec
  return {
    resources: calculated(amounts, host),
    overhead: isJsonObject(overhead) ? calculated(overheadAmounts(overhead as Amounts), host) : {},
  }
}

/** As much as it may use is kept for it. */
function overheadAmounts(overhead: Amounts): Parameters<typeof calculated>[0] {
  const milliCpu = milliOf(overhead, 'cpu')
  return { milliRequest: milliCpu, milliLimit: milliCpu, bytesLimit: bytesOf(overhead) }
}

/** What the kernel enforces for a container (kubelet generateLinuxContainerResources). */
export function linuxContainerResources(
  pod: Pod,
  container: Container,
  host: ContainerHost,
): LinuxContainerResources {
  const { requests, limits } = container.resources ?? {}
  const milliLimit = milliOf(limits, 'cpu') || milliOf(podLevel(pod, 'limits'), 'cpu')
  const bytesLimit = bytesOf(limits) || bytesOf(podLevel(pod, 'limits'))
  const milliRequest = requests?.['cpu'] === undefined ? undefined : milliOf(requests, 'cpu')
  return withFields(withoutSwap(calculated({ milliRequest, milliLimit, bytesLimit }, host), host), {
    oomScoreAdj: oomScoreAdjust(pod, container, host.memoryBytes),
    ...hugePageLimits(pod, container, host.hugePageSizes),
  })
}

/** What limits huge pages, of each size that the machine has (GetHugepageLimitsFromResources). */
function hugePageLimits(
  pod: Pod,
  { resources }: Container,
  sizes: readonly string[],
): Pick<LinuxContainerResources, 'hugepageLimits'> {
  if (sizes.length === 0) return {}
  const wanted = { ...podLevel(pod, 'limits'), ...resources?.limits }
  const limits = new Map(
    Object.entries(wanted)
      .filter(([name]) => isHugePagesResource(name))
      .map(([name, amount]) => [hugePageSizeName(name), parseQuantity(amount)] as const),
  )
  const hugepageLimits = sizes.map((pageSize) => {
    const limit = limits.get(pageSize)
    return { pageSize, limit: limit === undefined ? 0 : Number(quantityValue(limit)) }
  })
  return { hugepageLimits }
}

/** `hugepages-2Mi` is about pages of `2MB` (HugePageUnitSizeFromByteSize). */
export function hugePageSizeName(resource: string): string {
  const quantity = parseQuantity(resource.slice('hugepages-'.length))
  let size = quantity === undefined ? 0n : quantityValue(quantity)
  let unit = 0
  for (; size > 0n && size % 1024n === 0n && unit < pageUnits.length - 1; unit++) size /= 1024n
  return `${size}${pageUnits[unit]}`
}

const pageUnits = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const

/** No container may swap, the kubelet's memorySwap.swapBehavior (configureContainerSwapResources). */
function withoutSwap(
  resources: LinuxContainerResources,
  { hasCgroup2, hasSwapController }: ContainerHost,
): LinuxContainerResources {
  if (!hasSwapController) return resources
  if (hasCgroup2)
    return withFields(resources, {
      unified: withFields(resources.unified ?? {}, { 'memory.swap.max': '0' }),
    })
  const { memoryLimitInBytes } = resources
  return memoryLimitInBytes === undefined
    ? resources
    : withFields(resources, { memorySwapLimitInBytes: memoryLimitInBytes })
}

/** What a pod asks for as a whole and no container asks for, divided among them (remainingPodMemReqPerContainer). */
function unclaimedBytes(pod: Pod): bigint {
  const { containers, initContainers = [] } = pod.spec
  const whole = bytesOf(podLevel(pod, 'requests'))
  if (whole === 0n) return 0n
  const claimed = containerAmounts(pod, 'requests').get('memory') ?? 0n
  return (whole - claimed) / BigInt(containers.length + initContainers.length)
}

/** How likely the kernel ends a container when memory is short (kubelet GetContainerOOMScoreAdjust). */
function oomScoreAdjust(pod: Pod, container: Container, memoryBytes: number): number {
  if (isNodeCriticalPod(pod)) return oomScores.guaranteed
  const qos = recordedQosClass(pod)
  if (qos === 'Guaranteed') return oomScores.guaranteed
  if (qos === 'BestEffort') return oomScores.bestEffort
  const share = unclaimedBytes(pod)
  const scoreOf = (bytes: bigint): number =>
    1000 - Number((1000n * (bytes + share)) / BigInt(Math.max(1, memoryBytes)))
  const own = scoreOf(bytesOf(container.resources?.requests))
  const regular = pod.spec.containers.map(({ resources }) => bytesOf(resources?.requests))
  const least = regular.reduce((a, b) => (b < a ? b : a), regular[0] ?? 0n)
  const score = isSidecar(container) ? Math.min(own, scoreOf(least)) : own
  if (score < oomScores.leastBurstable) return oomScores.leastBurstable
  return score === oomScores.bestEffort ? score - 1 : score
}
