/** What a node's kubelet knows of the use of CPU and memory (kubelet pkg/kubelet/apis/stats/v1alpha1, stats/cri_stats_provider.go). */
import { toTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { ContainerStats, FilesystemUsage } from '../cri-types.ts'
import type { Clock, PodSandbox, RuntimeService } from '../ports.ts'

/** Times are in ms. */
export interface CpuStats {
  readonly time: number
  readonly usageNanoCores: number
  readonly usageCoreNanoSeconds: number
}

export interface MemoryStats {
  readonly time: number
  readonly availableBytes?: number
  readonly usageBytes: number
  readonly workingSetBytes: number
  readonly rssBytes: number
  readonly pageFaults?: number
  readonly majorPageFaults?: number
}

/** A container that runs. */
export interface ContainerSummary {
  readonly name: string
  /** When it was created. */
  readonly startTime: number
  readonly cpu: CpuStats
  readonly memory: MemoryStats
  readonly rootfs: Pick<FilesystemUsage, 'usedBytes' | 'inodesUsed'> & { readonly time: number }
}

/** A pod with at least one container that runs. */
export interface PodSummary {
  readonly podRef: { readonly name: string; readonly namespace: string; readonly uid: string }
  /** When its sandbox was created. */
  readonly startTime: number
  readonly containers: readonly ContainerSummary[]
  /** The sum of its containers. */
  readonly cpu: CpuStats
  readonly memory: MemoryStats
}

export interface Summary {
  /** The sum of its pods: what else the machine runs is not counted. */
  readonly node: { readonly nodeName: string; readonly cpu: CpuStats; readonly memory: MemoryStats }
  readonly pods: readonly PodSummary[]
}

interface SummaryProviderDeps {
  readonly nodeName: string
  readonly clock: Clock
  readonly runtimeService: Pick<
    RuntimeService,
    'listContainers' | 'listPodSandboxes' | 'listContainerStats'
  >
}

function sumOf<T>(items: readonly T[], valueOf: (item: T) => number | undefined): number {
  return items.reduce((total, item) => total + (valueOf(item) ?? 0), 0)
}

/** As of the last one (kubelet addPodCPUMemoryStats). */
function cpuOf(all: readonly CpuStats[], now: number): CpuStats {
  return {
    time: all.at(-1)?.time ?? now,
    usageNanoCores: sumOf(all, ({ usageNanoCores }) => usageNanoCores),
    usageCoreNanoSeconds: sumOf(all, ({ usageCoreNanoSeconds }) => usageCoreNanoSeconds),
  }
}

function memoryOf(all: readonly MemoryStats[], now: number): MemoryStats {
  return {
    time: all.at(-1)?.time ?? now,
    availableBytes: sumOf(all, ({ availableBytes }) => availableBytes),
    usageBytes: sumOf(all, ({ usageBytes }) => usageBytes),
    workingSetBytes: sumOf(all, ({ workingSetBytes }) => workingSetBytes),
    rssBytes: sumOf(all, ({ rssBytes }) => rssBytes),
    pageFaults: sumOf(all, ({ pageFaults }) => pageFaults),
    majorPageFaults: sumOf(all, ({ majorPageFaults }) => majorPageFaults),
  }
}

/** kubelet makeContainerStats. */
function containerOf(
  { name, cpu, memory, writableLayer }: ContainerStats,
  startTime: number,
): ContainerSummary {
  const { usageNanoCores, usageCoreNanoSeconds } = cpu
  const { usageBytes, workingSetBytes, rssBytes } = memory
  const { usedBytes, inodesUsed } = writableLayer
  return {
    name,
    startTime,
    cpu: { time: cpu.timestamp, usageNanoCores, usageCoreNanoSeconds },
    memory: { time: memory.timestamp, usageBytes, workingSetBytes, rssBytes },
    rootfs: { time: writableLayer.timestamp, usedBytes, inodesUsed },
  }
}

function podOf(
  { metadata, createdAt }: PodSandbox,
  containers: readonly ContainerSummary[],
  now: number,
): PodSummary {
  const { name, namespace, uid } = metadata
  return {
    podRef: { name, namespace, uid },
    startTime: createdAt,
    containers,
    cpu: cpuOf(
      containers.map(({ cpu }) => cpu),
      now,
    ),
    memory: memoryOf(
      containers.map(({ memory }) => memory),
      now,
    ),
  }
}

/** Asks the runtime for the statistics of its containers. */
export class SummaryProvider {
  readonly #deps: SummaryProviderDeps

  constructor(deps: SummaryProviderDeps) {
    this.#deps = deps
  }

  /** As of now. The error says which call of the runtime failed, and why. */
  async get(): Promise<Result<Summary, string>> {
    const { runtimeService, nodeName, clock } = this.#deps
    const containers = await runtimeService.listContainers({ state: 'running' })
    if (!containers.ok)
      return err(
        `failed to get pod or container map: failed to list all containers: ${containers.error.message}`,
      )
    const sandboxes = await runtimeService.listPodSandboxes()
    if (!sandboxes.ok)
      return err(
        `failed to get pod or container map: failed to list all pod sandboxes: ${sandboxes.error.message}`,
      )
    const stats = await runtimeService.listContainerStats()
    if (!stats.ok) return err(`failed to list all container stats: ${stats.error.message}`)
    const running = new Map(containers.value.map((container) => [container.id, container]))
    const now = clock.now()
    const bySandbox = new Map<string, ContainerSummary[]>()
    for (const one of stats.value) {
      const container = running.get(one.id)
      if (container === undefined) continue
      const own = bySandbox.get(container.podSandboxId) ?? []
      own.push(containerOf(one, container.createdAt))
      bySandbox.set(container.podSandboxId, own)
    }
    const pods = sandboxes.value.flatMap((sandbox) => {
      const own = bySandbox.get(sandbox.id)
      return own === undefined ? [] : [podOf(sandbox, own, now)]
    })
    const cpu = cpuOf(
      pods.map((pod) => pod.cpu),
      now,
    )
    const { availableBytes: _, ...memory } = memoryOf(
      pods.map((pod) => pod.memory),
      now,
    )
    return ok({ node: { nodeName, cpu, memory }, pods })
  }
}

/** The answer of /stats/summary: times as the API writes them. */
export function summaryJson(summary: Summary): string {
  const written = (key: string, value: unknown): unknown =>
    (key === 'time' || key === 'startTime') && typeof value === 'number'
      ? toTimestamp(value)
      : value
  return JSON.stringify(summary, written, 1)
}
