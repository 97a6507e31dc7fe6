/** What the kernel is given for an amount of CPU (kubelet cm/helpers_linux.go). CPU in thousandths, times in microseconds. */
const shares = { perCpu: 1024n, least: 2n, most: 262_144n } as const
const leastQuota = 1000n

export const quotaPeriod = 100_000n

/** MilliCPUToShares. */
export function milliCpuToShares(milliCpu: bigint): bigint {
  const wanted = (milliCpu * shares.perCpu) / 1000n
  if (wanted < shares.least) return shares.least
  return wanted > shares.most ? shares.most : wanted
}

/** MilliCPUToQuota. 0: no limit. */
export function milliCpuToQuota(milliCpu: bigint): bigint {
  if (milliCpu === 0n) return 0n
  const quota = (milliCpu * quotaPeriod) / 1000n
  return quota < leastQuota ? leastQuota : quota
}

/** The shares that cAdvisor reads from a `cpu.weight` (cadvisor container/common/helpers.go convertCPUWeightToCPULimit). */
export function weightToShares(weight: number): number {
  return Number(shares.least) + Math.floor(((weight - 1) * 262_142) / 9999)
}

/** `cpu.weight` of cgroups v2 (kubelet cm/cgroup_v2_manager_linux.go cpuSharesToCPUWeight). */
export function sharesToWeight(cpuShares: number): number {
  return Math.floor(((cpuShares - Number(shares.least)) * 9999) / 262_142) + 1
}
