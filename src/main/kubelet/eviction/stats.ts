/** What the eviction manager reads of its machine and its pods (kubelet stats/v1alpha1 Summary, as far as it counts here). */
import type { Result } from '../../../shared/result.ts'
import type { DiskLayout } from './container-fs-thresholds.ts'

/** `time`: of the measurement, in ms; absent: not known, and so as good as new. */
interface Measured {
  readonly time?: number | undefined
}

/** Bytes. */
export interface MemoryFigures extends Measured {
  readonly availableBytes?: number | undefined
  readonly workingSetBytes?: number | undefined
  readonly usageBytes?: number | undefined
}

export interface FsFigures extends Measured {
  readonly availableBytes?: number | undefined
  readonly capacityBytes?: number | undefined
  readonly usedBytes?: number | undefined
  readonly inodesFree?: number | undefined
  readonly inodes?: number | undefined
  readonly inodesUsed?: number | undefined
}

/** A field that is absent was not measured. */
export interface NodeFigures {
  readonly memory?: MemoryFigures | undefined
  /** The cgroup of all pods. */
  readonly podsMemory?: MemoryFigures | undefined
  readonly nodeFs?: FsFigures | undefined
  readonly imageFs?: FsFigures | undefined
  readonly containerFs?: FsFigures | undefined
  readonly rlimit?:
    | (Measured & {
        readonly maxPid?: number | undefined
        readonly runningProcesses?: number | undefined
      })
    | undefined
}

type Used = Pick<FsFigures, 'usedBytes' | 'inodesUsed'>

export interface ContainerFigures {
  readonly name: string
  readonly workingSetBytes?: number | undefined
  readonly rootfs?: Used | undefined
  readonly logs?: Used | undefined
}

export interface PodFigures {
  readonly uid: string
  readonly workingSetBytes?: number | undefined
  readonly processes?: number | undefined
  readonly containers: readonly ContainerFigures[]
  readonly volumes: readonly (Used & { readonly name: string })[]
  /** Of containers, logs, volumes of the node and the pod's own files together. */
  readonly ephemeralStorageBytes?: number | undefined
}

/** Where the figures come from. The two calls at one moment of the clock are about the same moment. */
export interface StatsProvider {
  /** Called every 10 s of the clock: it has to be cheap. */
  readonly node: () => Promise<Result<NodeFigures, string>>
  /** Pods that have something running; `uids`: only these. */
  readonly pods: (uids?: ReadonlySet<string>) => Promise<Result<readonly PodFigures[], string>>
  readonly diskLayout: () => Promise<Result<DiskLayout, string>>
}

/** By pod UID. */
export type PodStats = ReadonlyMap<string, PodFigures>
