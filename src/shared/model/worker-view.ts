import type { WorkerStateWord } from './pod-row.ts'

/** The whole worker record of one pod uid, as the kubelet keeps it (semantics 4.2). Times are ms on the cluster's clock. */
export interface WorkerView {
  readonly state: WorkerStateWord
  readonly reason: string
  readonly working: boolean
  readonly pendingUpdate: 'create' | 'update' | 'sync' | 'kill' | null
  readonly syncedAt: number | null
  readonly startedAt: number | null
  readonly terminatingAt: number | null
  /** Why termination was requested, in the record's words: `deletionTimestamp`, `terminal phase`, `evicted`, `killed`, … */
  readonly terminatingBecause: string
  readonly acknowledgedTerminating: boolean
  readonly gracePeriodSeconds: number | null
  readonly terminatedAt: number | null
  readonly deleted: boolean
  readonly evicted: boolean
  readonly finished: boolean
  readonly restartRequested: boolean
  /** The answers of the pod state provider (semantics 4.12). */
  readonly couldHaveRunningContainers: boolean
  readonly terminationRequested: boolean
  readonly runtimeMayBeRemoved: boolean
  readonly contentMayBeRemoved: boolean
  /** When the work queue wakes the worker next, if it is queued. */
  readonly nextSyncAt: number | null
  readonly statusVersion: number | null
  readonly statusVersionSent: number | null
}
