import { usageAt, usageUntil } from '../../../shared/simulated-behavior.ts'
import type { SimulatedBehavior, UsageCurve } from '../../../shared/simulated-behavior.ts'
import type {
  ContainerStats,
  CpuUsage,
  FilesystemUsage,
  LinuxContainerResources,
  MemoryUsage,
} from '../../kubelet/cri-types.ts'
import type { PodSandbox, PodSandboxStats, RuntimeContainerStatus } from '../../kubelet/ports.ts'

/** Without annotations a container uses constant processor time and memory, derived from the id of its image. */
const leastNanoCores = 200_000
const spreadNanoCores = 1_800_000
const leastMemoryBytes = 600_000
const spreadMemoryBytes = 24_000_000
const writableLayerBytes = 12_288
const pageBytes = 4096

/** A number from 0 to 1, from the digits of the image's id. */
function shareOf(imageRef: string): number {
  const digits = Number.parseInt(imageRef.replace(/^sha256:/, '').slice(0, 6), 16)
  return Number.isNaN(digits) ? 0 : digits / 0xff_ff_ff
}

function memoryOf(
  status: RuntimeContainerStatus,
  timestamp: number,
  { memory }: SimulatedBehavior,
): MemoryUsage {
  const limit = status.resources?.memoryLimitInBytes ?? 0
  const wanted = Math.round(
    memory === undefined
      ? leastMemoryBytes + shareOf(status.imageRef) * spreadMemoryBytes
      : usageAt(memory, timestamp - status.startedAt),
  )
  const bytes = limit > 0 ? Math.min(wanted, limit) : wanted
  return {
    timestamp,
    workingSetBytes: bytes,
    availableBytes: limit > 0 ? limit - bytes : 0,
    usageBytes: bytes,
    rssBytes: bytes,
    pageFaults: Math.round(bytes / pageBytes),
    majorPageFaults: 0,
  }
}

/** The kernel gives no more than the limit. */
function throttled(
  cpu: UsageCurve,
  { cpuQuota = 0, cpuPeriod = 0 }: LinuxContainerResources = {},
): UsageCurve {
  if (cpuQuota <= 0 || cpuPeriod <= 0) return cpu
  const limit = (cpuQuota / cpuPeriod) * 1e9
  return { ...cpu, from: Math.min(cpu.from, limit), to: Math.min(cpu.to, limit) }
}

function cpuOf(
  { imageRef, startedAt, resources }: RuntimeContainerStatus,
  timestamp: number,
  { cpu }: SimulatedBehavior,
): CpuUsage {
  const ageMs = Math.max(0, timestamp - startedAt)
  if (cpu !== undefined) {
    const given = throttled(cpu, resources)
    return {
      timestamp,
      usageCoreNanoSeconds: Math.round(usageUntil(given, ageMs)),
      usageNanoCores: Math.round(usageAt(given, ageMs)),
    }
  }
  const usageNanoCores = Math.round(leastNanoCores + shareOf(imageRef) * spreadNanoCores)
  return {
    timestamp,
    usageCoreNanoSeconds: Math.round((usageNanoCores * ageMs) / 1000),
    usageNanoCores,
  }
}

/** The statistics of a running container by a simple model. Pure. */
export function containerStatsOf(
  status: RuntimeContainerStatus,
  timestamp: number,
  mountpoint: string,
  behavior: SimulatedBehavior,
): ContainerStats {
  const { id, name, attempt, labels, annotations } = status
  return {
    id,
    name,
    attempt,
    labels,
    annotations,
    cpu: cpuOf(status, timestamp, behavior),
    memory: memoryOf(status, timestamp, behavior),
    writableLayer: fileSystemUsage(timestamp, mountpoint, writableLayerBytes, 3),
  }
}

export function fileSystemUsage(
  timestamp: number,
  mountpoint: string,
  usedBytes: number,
  inodesUsed: number,
): FilesystemUsage {
  return { timestamp, mountpoint, usedBytes, inodesUsed }
}

function sum<T>(items: readonly T[], valueOf: (item: T) => number): number {
  return items.reduce((total, item) => total + valueOf(item), 0)
}

/** The statistics of a sandbox: the sum of its running containers, without network traffic. Pure. */
export function podSandboxStatsOf(
  sandbox: PodSandbox,
  containers: readonly ContainerStats[],
  timestamp: number,
): PodSandboxStats {
  const { id, metadata, labels, annotations } = sandbox
  const memory = (field: Exclude<keyof MemoryUsage, 'timestamp'>): number =>
    sum(containers, (container) => container.memory[field])
  return {
    id,
    metadata,
    labels,
    annotations,
    cpu: {
      timestamp,
      usageCoreNanoSeconds: sum(containers, ({ cpu }) => cpu.usageCoreNanoSeconds),
      usageNanoCores: sum(containers, ({ cpu }) => cpu.usageNanoCores),
    },
    memory: {
      timestamp,
      workingSetBytes: memory('workingSetBytes'),
      availableBytes: memory('availableBytes'),
      usageBytes: memory('usageBytes'),
      rssBytes: memory('rssBytes'),
      pageFaults: memory('pageFaults'),
      majorPageFaults: 0,
    },
    network: {
      timestamp,
      defaultInterface: { name: 'eth0', rxBytes: 0, rxErrors: 0, txBytes: 0, txErrors: 0 },
    },
    process: { timestamp, processCount: containers.length },
    containers,
  }
}
