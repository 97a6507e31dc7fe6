import type { ContainerStatus, ResourceRequirements } from '../../../shared/kubernetes/objects.ts'
import {
  formatQuantity,
  parseQuantity,
  quantityMilliValue,
} from '../../../shared/kubernetes/quantity.ts'
import type { LinuxContainerResources } from '../cri-types.ts'
import type { RuntimeContainerStatus } from '../ports.ts'

/** cm/helpers_linux.go: SharesPerCPU, MinShares, MinMilliCPULimit. */
const cpu = { sharesPerCpu: 1024, leastShares: 2, leastMilliLimit: 10n } as const

type Amounts = Readonly<Record<string, string>>

/** What the runtime says that it enforces, as quantities (kubelet toKubeContainerResources). Absent: it does not say. */
interface EnforcedResources {
  readonly cpuLimit?: string
  readonly cpuRequest?: string
  readonly memoryLimit?: string
}

function milliText(milli: number): string {
  return formatQuantity({ nanos: BigInt(milli) * 1_000_000n, format: 'decimal' })
}

function enforcedOf(resources: LinuxContainerResources | undefined): EnforcedResources {
  const { cpuPeriod = 0, cpuQuota = 0, cpuShares = 0, memoryLimitInBytes = 0 } = resources ?? {}
  const limit = cpuPeriod > 0 && cpuQuota !== -1 ? Math.trunc((cpuQuota * 1000) / cpuPeriod) : 0
  const request =
    cpuShares >= cpu.leastShares ? Math.ceil((cpuShares * 1000) / cpu.sharesPerCpu) : 0
  const nanos = BigInt(memoryLimitInBytes) * 1_000_000_000n
  return {
    ...(limit > 0 ? { cpuLimit: milliText(limit) } : {}),
    ...(request > 0 ? { cpuRequest: milliText(request) } : {}),
    ...(memoryLimitInBytes > 0 ? { memoryLimit: formatQuantity({ nanos, format: 'binary' }) } : {}),
  }
}

function milliOf(amount: string | undefined): bigint {
  const quantity = parseQuantity(amount)
  return quantity === undefined ? 0n : quantityMilliValue(quantity)
}

/** `enforced` where it or `asked` is above what the kernel can express; nothing where the runtime does not say. */
function cpuAmount(
  enforced: string | undefined,
  asked: string | undefined,
  least: bigint,
  previous: string | undefined,
): Amounts {
  if (enforced === undefined) return previous === undefined ? {} : { cpu: previous }
  return milliOf(enforced) > least || milliOf(asked) > least ? { cpu: enforced } : {}
}

/** The runtime does not enforce what is asked of memory, so that what it was last given counts. */
function memoryRequest(asked: Amounts, actuated: ResourceRequirements | undefined): Amounts {
  if (asked['memory'] === undefined || actuated === undefined) return {}
  return { memory: actuated.requests?.['memory'] ?? '0' }
}

/**
 * `resources` of a container's status: what the runtime enforces while it runs, else what the spec asks for
 * (kubelet_pods.go convertContainerStatusResources). `sameBefore`: the status before, if it was of this container.
 */
export function containerStatusResources(
  allocated: ResourceRequirements,
  container: RuntimeContainerStatus,
  actuated: ResourceRequirements | undefined,
  sameBefore: ContainerStatus | undefined,
): ResourceRequirements {
  const asksForNothing = allocated.limits === undefined && allocated.requests === undefined
  if (container.state !== 'running' || asksForNothing) return withoutEmptyAmounts(allocated)
  const previous = sameBefore?.state?.running === undefined ? undefined : sameBefore.resources
  const { cpuLimit, cpuRequest, memoryLimit } = enforcedOf(container.resources)
  const { limits, requests } = allocated
  const memory = memoryLimit ?? previous?.limits?.['memory']
  const enforcedLimits = limits && {
    ...limits,
    ...cpuAmount(cpuLimit, limits['cpu'], cpu.leastMilliLimit, previous?.limits?.['cpu']),
    ...(memory === undefined ? {} : { memory }),
  }
  const least = BigInt(cpu.leastShares)
  const enforcedRequests = requests && {
    ...requests,
    ...cpuAmount(cpuRequest, requests['cpu'], least, previous?.requests?.['cpu']),
    ...memoryRequest(requests, actuated),
  }
  return withoutEmptyAmounts({
    ...allocated,
    ...(enforcedLimits === undefined ? {} : { limits: enforcedLimits }),
    ...(enforcedRequests === undefined ? {} : { requests: enforcedRequests }),
  })
}

/** As Go writes it. */
function withoutEmptyAmounts(resources: ResourceRequirements): ResourceRequirements {
  const kept = Object.entries(resources).filter(([, value]) => Object.keys(value).length > 0)
  return kept.length === Object.keys(resources).length ? resources : Object.fromEntries(kept)
}
