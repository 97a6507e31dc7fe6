/** What a container used at one moment. */
export interface UseSample {
  /** ms on the cluster's clock. */
  readonly at: number
  /** The working set, as `kubectl top` shows it. */
  readonly memoryBytes: number
  /** In thousandths of a CPU; null: not known yet. */
  readonly cpuMillis: number | null
  /** Whether it wanted more CPU than its limit; null: the runtime does not say. */
  readonly isThrottled: boolean | null
}

/** From one start of a container to its end. Between two runs is a gap. */
export interface UseRun {
  readonly containerId: string
  /** Oldest first; at least one. */
  readonly samples: readonly UseSample[]
}

/** Null: none. */
export interface RequestAndLimit {
  readonly request: number | null
  readonly limit: number | null
}

/** One container of the pod's spec. */
export interface ContainerUse {
  readonly container: string
  /** In bytes. */
  readonly memory: RequestAndLimit
  /** In thousandths of a CPU. */
  readonly cpu: RequestAndLimit
  /** Oldest first; only what is known. */
  readonly runs: readonly UseRun[]
}

/** What the containers of a pod have used lately. */
export interface PodUse {
  /** The time that `runs` are about, ms on the cluster's clock. */
  readonly from: number
  readonly to: number
  readonly containers: readonly ContainerUse[]
  /** Why the runtime could not be asked; else empty. */
  readonly error: string
}
