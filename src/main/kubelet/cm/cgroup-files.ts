import { formatQuantity } from '../../../shared/kubernetes/quantity.ts'
import type { CgroupFile } from '../../../shared/model/inside-pod/pod-cgroups.ts'
import type { LinuxContainerResources } from '../cri-types.ts'
import { quotaPeriod, sharesToWeight } from './cpu-values.ts'

function bytesText(bytes: number): string {
  return formatQuantity({ nanos: BigInt(bytes) * 1_000_000_000n, format: 'binary' })
}

function written(name: string, value: number | string, amount = ''): CgroupFile {
  return { name, value: String(value), amount, isSet: true }
}

function unset(name: string, value: string): CgroupFile {
  return { name, value, amount: '', isSet: false }
}

/** The share of the CPUs that a quota is. */
function quotaText({
  cpuQuota = 0,
  cpuPeriod = Number(quotaPeriod),
}: LinuxContainerResources): string {
  return cpuQuota > 0 ? `${Math.round((cpuQuota * 1000) / cpuPeriod)}m` : ''
}

function cpuFiles(resources: LinuxContainerResources, version: 1 | 2): readonly CgroupFile[] {
  const { cpuShares = 0, cpuQuota, cpuPeriod = Number(quotaPeriod) } = resources
  const amount = quotaText(resources)
  const isSet = cpuQuota !== undefined
  if (version === 2) {
    const quota = cpuQuota !== undefined && cpuQuota > 0 ? cpuQuota : 'max'
    return [
      written('cpu.weight', sharesToWeight(cpuShares), `${cpuShares}`),
      { name: 'cpu.max', value: `${quota} ${cpuPeriod}`, amount, isSet },
    ]
  }
  return [
    written('cpu.shares', cpuShares),
    { name: 'cpu.cfs_quota_us', value: `${cpuQuota || -1}`, amount, isSet: Boolean(cpuQuota) },
    { name: 'cpu.cfs_period_us', value: `${cpuPeriod}`, amount: '', isSet },
  ]
}

function memoryFile(
  { memoryLimitInBytes = 0 }: LinuxContainerResources,
  version: 1 | 2,
): CgroupFile {
  const name = version === 2 ? 'memory.max' : 'memory.limit_in_bytes'
  return memoryLimitInBytes > 0
    ? written(name, memoryLimitInBytes, bytesText(memoryLimitInBytes))
    : unset(name, version === 2 ? 'max' : '-1')
}

function hugePageFiles(
  { hugepageLimits = [] }: LinuxContainerResources,
  version: 1 | 2,
): readonly CgroupFile[] {
  const last = version === 2 ? 'max' : 'limit_in_bytes'
  return hugepageLimits.map(({ pageSize, limit }) =>
    written(`hugetlb.${pageSize}.${last}`, limit, limit > 0 ? bytesText(limit) : ''),
  )
}

/** The files of a pod's cgroup. The kubelet's podPidsLimit is -1 by default: none. */
export function podCgroupFiles(
  resources: LinuxContainerResources,
  version: 1 | 2,
): readonly CgroupFile[] {
  return [
    ...cpuFiles(resources, version),
    memoryFile(resources, version),
    ...hugePageFiles(resources, version),
    unset('pids.max', 'max'),
  ]
}

/** What the runtime is asked to set for a container, and `oom_score_adj` of its processes. */
export function containerCgroupFiles(
  resources: LinuxContainerResources,
  version: 1 | 2,
): readonly CgroupFile[] {
  const { oomScoreAdj, unified = {}, memorySwapLimitInBytes } = resources
  return [
    ...cpuFiles(resources, version),
    memoryFile(resources, version),
    ...(memorySwapLimitInBytes === undefined
      ? []
      : [
          written(
            'memory.memsw.limit_in_bytes',
            memorySwapLimitInBytes,
            bytesText(memorySwapLimitInBytes),
          ),
        ]),
    ...Object.entries(unified).map(([name, value]) => written(name, value)),
    ...hugePageFiles(resources, version),
    ...(oomScoreAdj === undefined ? [] : [written('oom_score_adj', oomScoreAdj)]),
  ]
}
