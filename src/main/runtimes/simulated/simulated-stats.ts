import type { UseSample } from '../../../shared/model/inside-pod/pod-use.ts'
import { usageAt, usageUntil } from '../../../shared/simulated-behavior.ts'
import type { SimulatedBehavior, UsageCurve } from '../../../shared/simulated-behavior.ts'
import type {
  ContainerStats,
  CpuUsage,
  FilesystemUsage,
  MemoryUsage,
} from '../../kubelet/cri-types.ts'
import type {
  PodSandbox,
  PodSandboxStats,
  RuntimeContainerStatus,
  UsePeriod,
} from '../../kubelet/ports.ts'

/** Without annotations a container uses constant processor time and memory, derived from the id of its image. */
const leastNanoCores = 200_000
const spreadNanoCores = 1_800_000
const leastMemoryBytes = 600_000
const spreadMemoryBytes = 24_000_000
const leastLayer = { usedBytes: 12_288, inodesUsed: 3 } as const
const pageBytes = 4096

/** A number from 0 to 1, from the digits of the image's id. */
function shareOf(imageRef: string): number {
  const digits = Number.parseInt(imageRef.replace(/^sha256:/, '').slice(0, 6), 16)
  return Number.isNaN(digits) ? 0 : digits / 0xff_ff_ff
}

/** In bytes and nanocores. */
interface UsageCurves {
  readonly memory: UsageCurve
  readonly cpu: UsageCurve
}

function constant(value: number): UsageCurve {
  return { from: value, to: value, overMs: 0, isRepeated: false }
}

function defaultMemory({ imageRef }: RuntimeContainerStatus): UsageCurve {
  return constant(leastMemoryBytes + shareOf(imageRef) * spreadMemoryBytes)
}

/** What it wants; its limits are not looked at. */
function curvesOf(status: RuntimeContainerStatus, asked: SimulatedBehavior): UsageCurves {
  const share = shareOf(status.imageRef)
  return {
    memory: asked.memory ?? defaultMemory(status),
    cpu: asked.cpu ?? constant(Math.round(leastNanoCores + share * spreadNanoCores)),
  }
}

/** In nanocores. The kernel throttles what wants more. */
function cpuLimit({ resources }: RuntimeContainerStatus): number {
  const { cpuQuota = 0, cpuPeriod = 0 } = resources ?? {}
  return cpuQuota > 0 && cpuPeriod > 0 ? (cpuQuota * 1e9) / cpuPeriod : Infinity
}

function memoryLimit({ resources }: RuntimeContainerStatus): number {
  const { memoryLimitInBytes = 0 } = resources ?? {}
  return memoryLimitInBytes > 0 ? memoryLimitInBytes : Infinity
}

/** Processor time that was used before the limits or the annotations changed last, and when that was. */
export interface UsedBefore {
  readonly at: number
  readonly coreNanoSeconds: number
}

/** A container with what its pod's annotations ask. */
export interface UsingContainer {
  readonly status: RuntimeContainerStatus
  readonly asked: SimulatedBehavior
  /** Undefined: neither has ever changed. */
  readonly usedBefore: UsedBefore | undefined
  /** The end of its process; Infinity while it runs. */
  readonly usedUntil: number
}

/** Bytes of its log beyond what it prints, as its annotations ask; an ended container keeps what it has. Pure. */
export function askedLogBytes({ status, asked, usedUntil }: UsingContainer, at: number): number {
  return asked.logSize === undefined
    ? 0
    : Math.round(usageAt(asked.logSize, Math.min(at, usedUntil) - status.startedAt))
}

/** Of its file system; an ended container keeps what it has. Pure. */
export function writableLayerOf(
  { status, asked, usedUntil }: UsingContainer,
  at: number,
): Pick<FilesystemUsage, 'usedBytes' | 'inodesUsed'> {
  if (asked.disk === undefined && asked.inodes === undefined) return leastLayer
  const age = Math.min(at, usedUntil) - status.startedAt
  const more = (curve: UsageCurve | undefined): number =>
    curve === undefined ? 0 : Math.round(usageAt(curve, age))
  return {
    usedBytes: leastLayer.usedBytes + more(asked.disk),
    inodesUsed: leastLayer.inodesUsed + more(asked.inodes),
  }
}

/** Pure. */
export function processesOf({ status, asked }: UsingContainer, at: number): number {
  return asked.processes === undefined
    ? 1
    : Math.max(1, Math.round(usageAt(asked.processes, at - status.startedAt)))
}

/** All processor time until then. Pure. */
export function coreNanoSecondsUntil(
  { status, asked, usedBefore }: UsingContainer,
  at: number,
): number {
  const { startedAt } = status
  const { cpu } = curvesOf(status, asked)
  const until = (time: number): number =>
    usageUntil(cpu, Math.max(0, time - startedAt), cpuLimit(status))
  const before = usedBefore ?? { at: startedAt, coreNanoSeconds: 0 }
  return before.coreNanoSeconds + until(at) - until(before.at)
}

/**
 * What a container used between two moments: at its start and its end, and at multiples of `stepMs`. Only since its limits or
 * annotations changed last, because what they were before is not known. Pure.
 */
export function pastUseOf(
  { status, asked, usedBefore, usedUntil }: UsingContainer,
  { from, to, stepMs }: UsePeriod,
): readonly UseSample[] {
  if (status.startedAt === 0) return []
  const first = Math.max(from, status.startedAt, usedBefore?.at ?? 0)
  const last = Math.min(to, usedUntil)
  if (first > last) return []
  const times = [first]
  for (let at = (Math.floor(first / stepMs) + 1) * stepMs; at < last; at += stepMs) times.push(at)
  if (last > first) times.push(last)
  const { memory, cpu } = curvesOf(status, asked)
  const most = { memory: memoryLimit(status), cpu: cpuLimit(status) }
  return times.map((at) => {
    const ageMs = at - status.startedAt
    const wanted = usageAt(cpu, ageMs)
    return {
      at,
      memoryBytes: Math.round(Math.min(usageAt(memory, ageMs), most.memory)),
      cpuMillis: Math.min(wanted, most.cpu) / 1e6,
      isThrottled: wanted > most.cpu,
    }
  })
}

/** What its processes use at that moment. Pure. */
export function memoryBytesAt({ status, asked }: UsingContainer, timestamp: number): number {
  const memory = asked.memory ?? defaultMemory(status)
  const wanted = Math.round(usageAt(memory, timestamp - status.startedAt))
  return Math.min(wanted, memoryLimit(status))
}

function memoryOf(container: UsingContainer, timestamp: number): MemoryUsage {
  const limit = memoryLimit(container.status)
  const bytes = memoryBytesAt(container, timestamp)
  return {
    timestamp,
    workingSetBytes: bytes,
    availableBytes: limit === Infinity ? 0 : limit - bytes,
    usageBytes: bytes,
    rssBytes: bytes,
    pageFaults: Math.round(bytes / pageBytes),
    majorPageFaults: 0,
  }
}

function cpuOf(container: UsingContainer, timestamp: number): CpuUsage {
  const { status, asked } = container
  const ageMs = Math.max(0, timestamp - status.startedAt)
  return {
    timestamp,
    usageCoreNanoSeconds: Math.round(coreNanoSecondsUntil(container, timestamp)),
    usageNanoCores: Math.round(
      Math.min(usageAt(curvesOf(status, asked).cpu, ageMs), cpuLimit(status)),
    ),
  }
}

/** The statistics of a running container by a simple model. Pure. */
export function containerStatsOf(
  container: UsingContainer,
  timestamp: number,
  mountpoint: string,
): ContainerStats {
  const { id, name, attempt, labels, annotations } = container.status
  return {
    id,
    name,
    attempt,
    labels,
    annotations,
    cpu: cpuOf(container, timestamp),
    memory: memoryOf(container, timestamp),
    writableLayer: { timestamp, mountpoint, ...writableLayerOf(container, timestamp) },
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
  processCount: number,
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
    process: { timestamp, processCount },
    containers,
  }
}
