/** One group of a graceful node shutdown. */
export interface ShutdownGroupView {
  /** Pods of this priority and more, up to that of the next group. */
  readonly priority: number
  /** At most so long its pods are waited for. */
  readonly seconds: number
  /** `namespace/name`. */
  readonly pods: readonly string[]
  /** How many of them have stopped. */
  readonly stopped: number
  /** `empty`: passed over; `timedOut`: left behind while pods of it were still stopping. */
  readonly state: 'waiting' | 'running' | 'done' | 'timedOut' | 'empty'
  /** ms on the cluster's clock; null before. */
  readonly startedAt: number | null
  readonly endedAt: number | null
}

/**
 * How a graceful shutdown of the node stands. `done`: every group has ended, and the machine would go off now;
 * the node stays not Ready until it is booted or the shutdown is cancelled. Groups are in the order in which they end.
 */
export interface NodeShutdownView {
  readonly phase: 'off' | 'running' | 'done'
  readonly startedAt: number | null
  readonly endedAt: number | null
  /** It will be off again as soon as the groups have ended: nothing stops them. */
  readonly cancelRequested: boolean
  readonly groups: readonly ShutdownGroupView[]
}

/** No shutdown, or one that was cancelled. */
export const noShutdown: NodeShutdownView = {
  phase: 'off',
  startedAt: null,
  endedAt: null,
  cancelRequested: false,
  groups: [],
}
