import { isJsonObject } from '../../../shared/json.ts'
import type { Container, Pod, ResourceRequirements } from '../../../shared/kubernetes/objects.ts'
import { isSidecar } from '../../../shared/kubernetes/pod-containers.ts'
import { recordedQosClass } from '../../../shared/kubernetes/qos.ts'
import {
  parseQuantity,
  quantityMilliValue,
  quantityValue,
} from '../../../shared/kubernetes/quantity.ts'
import type { LinuxContainerResources } from '../cri-types.ts'
import { isNodeCriticalPod } from '../pod/identity.ts'
import type { ContainerHost } from '../ports.ts'

/** The kubelet's cm/helpers_linux.go; times in microseconds. */
const shares = { perCpu: 1024n, least: 2n, most: 262_144n } as const
const quotaPeriod = 100_000n
const leastQuota = 1000n

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

function sharesOf(milliCpu: bigint): bigint {
  const wanted = (milliCpu * shares.perCpu) / 1000n
  if (wanted < shares.least) return shares.least
  return wanted > shares.most ? shares.most : wanted
}

function quotaOf(milliCpu: bigint): bigint {
  if (milliCpu === 0n) return 0n
  const quota = (milliCpu * quotaPeriod) / 1000n
  return quota < leastQuota ? leastQuota : quota
}

/** `spec.resources`, which limits a container that has no limit of its own. */
function podLimits(pod: Pod): Amounts {
  const resources = pod.spec['resources']
  return isJsonObject(resources) && isJsonObject(resources['limits'])
    ? (resources['limits'] as Amounts)
    : undefined
}

/** What the kernel enforces for a container (kubelet generateLinuxContainerResources). Huge pages and swap are not limited. */
export function linuxContainerResources(
  pod: Pod,
  container: Container,
  host: ContainerHost,
): LinuxContainerResources {
  const { requests, limits } = container.resources ?? {}
  const milliLimit = milliOf(limits, 'cpu') || milliOf(podLimits(pod), 'cpu')
  const bytesLimit = bytesOf(limits) || bytesOf(podLimits(pod))
  const milliRequest = requests?.['cpu'] === undefined ? milliLimit : milliOf(requests, 'cpu')
  return {
    cpuShares: Number(sharesOf(milliRequest)),
    cpuQuota: Number(quotaOf(milliLimit)),
    cpuPeriod: Number(quotaPeriod),
    ...(bytesLimit === 0n ? {} : { memoryLimitInBytes: Number(bytesLimit) }),
    oomScoreAdj: oomScoreAdjust(pod, container, host.memoryBytes),
    // All processes of the container end together when it has no memory left.
    ...(host.hasCgroup2 ? { unified: { 'memory.oom.group': '1' } } : {}),
  }
}

/** How likely the kernel ends a container when memory is short (kubelet GetContainerOOMScoreAdjust), without `spec.resources`. */
function oomScoreAdjust(pod: Pod, container: Container, memoryBytes: number): number {
  if (isNodeCriticalPod(pod)) return oomScores.guaranteed
  const qos = recordedQosClass(pod)
  if (qos === 'Guaranteed') return oomScores.guaranteed
  if (qos === 'BestEffort') return oomScores.bestEffort
  const scoreOf = (bytes: bigint): number =>
    1000 - Number((1000n * bytes) / BigInt(Math.max(1, memoryBytes)))
  const own = scoreOf(bytesOf(container.resources?.requests))
  const regular = pod.spec.containers.map(({ resources }) => bytesOf(resources?.requests))
  const least = regular.reduce((a, b) => (b < a ? b : a), regular[0] ?? 0n)
  const score = isSidecar(container) ? Math.min(own, scoreOf(least)) : own
  if (score < oomScores.leastBurstable) return oomScores.leastBurstable
  return score === oomScores.bestEffort ? score - 1 : score
}
