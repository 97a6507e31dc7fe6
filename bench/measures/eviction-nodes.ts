import type { NodeFigures, PodFigures } from '../../src/main/kubelet/eviction/stats.ts'
import type { Pod } from '../../src/shared/kubernetes/objects.ts'

const mi = 2 ** 20
const hard = { 'memory.available': '100Mi' }

/** A node that stays as it is, for a round of the eviction manager. */
export interface EvictionNode {
  readonly hard: Readonly<Record<string, string>>
  readonly node: NodeFigures
  readonly pods: readonly PodFigures[]
  readonly specs: readonly Pod[]
  /** How many pods each round evicts. */
  readonly evictions: number
}

/** What a round finds: nothing, limits of local storage that no pod exceeds, or too little memory. */
export const evictionCases = ['quiet', 'limits', 'pressure'] as const
export type EvictionCase = (typeof evictionCases)[number]

/** Scattered, and the same in each run. */
function scattered(index: number, below: number): number {
  return (index * 7919) % below
}

function specOf(index: number, hasLimits: boolean): Pod {
  const name = `pod-${String(index).padStart(5, '0')}`
  const requests = { memory: `${scattered(index, 64)}Mi` }
  const limits = hasLimits ? { 'ephemeral-storage': '1Gi' } : {}
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', uid: `uid-${name}` },
    spec: {
      priority: scattered(index, 5) * 1000,
      containers: ['main', 'side'].map((container) => ({
        name: container,
        image: 'registry.k8s.io/pause:3.10',
        resources: { requests, limits },
      })),
      volumes: [{ name: 'data', emptyDir: hasLimits ? { sizeLimit: '1Gi' } : {} }],
    },
    status: { phase: 'Running' },
  }
}

function figuresOf({ metadata, spec }: Pod, index: number): PodFigures {
  const used = { usedBytes: mi + scattered(index, mi), inodesUsed: 10 }
  const workingSetBytes = mi * (1 + scattered(index, 97))
  return {
    uid: metadata.uid,
    workingSetBytes: 2 * workingSetBytes,
    processes: 2,
    containers: spec.containers.map(({ name }) => ({
      name,
      workingSetBytes,
      rootfs: used,
      logs: used,
    })),
    volumes: [{ name: 'data', ...used }],
    ephemeralStorageBytes: 5 * used.usedBytes,
  }
}

/** A node with so many pods of two containers. */
export function evictionNode(what: EvictionCase, count: number): EvictionNode {
  const specs = Array.from({ length: count }, (_, index) => specOf(index, what === 'limits'))
  const disk = {
    availableBytes: 50_000 * mi,
    capacityBytes: 100_000 * mi,
    inodes: 1_000_000,
    inodesFree: 900_000,
  }
  const isShort = what === 'pressure'
  const node: NodeFigures = {
    memory: { availableBytes: (isShort ? 50 : 8000) * mi, workingSetBytes: 8000 * mi },
    nodeFs: disk,
    imageFs: disk,
    containerFs: disk,
    rlimit: { maxPid: 32_768, runningProcesses: 500 },
  }
  return { hard, node, pods: specs.map(figuresOf), specs, evictions: isShort ? 1 : 0 }
}
