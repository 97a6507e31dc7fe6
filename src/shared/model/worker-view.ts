import type { WorkerStateWord } from './pod-row.ts'
import type { PodWorkType } from './trace-event.ts'

/** What a worker remembers of the updates that it took (pod-workers#active-update). */
export interface ActiveUpdateView {
  /** The pod's `resourceVersion`, empty for one that is in no API; null: only the runtime knows the pod. */
  readonly podVersion: string | null
  readonly mirrorUid: string | null
  /** It is to stop what only the runtime lists. */
  readonly isRunningPod: boolean
  readonly evict: boolean
  readonly gracePeriodSecondsOverride: number | null
}

/** The sync that a worker has under way. */
export interface CurrentSyncView {
  readonly workType: PodWorkType
  readonly startedAt: number
  /** Its grace when it began, despite later requests (termination#cancellation); null: none, or the pod's own. */
  readonly gracePeriodSeconds: number | null
}

/** The whole worker record of one pod uid, as the kubelet keeps it (pod-workers#worker-record). Times are ms on the cluster's clock. */
export interface WorkerView {
  readonly state: WorkerStateWord
  readonly reason: string
  readonly fullName: string
  readonly working: boolean
  readonly pendingUpdate: 'create' | 'update' | 'sync' | 'kill' | null
  readonly activeUpdate: ActiveUpdateView | null
  readonly currentSync: CurrentSyncView | null
  /** The sync under way, or the last one, was canceled. */
  readonly cancelled: boolean
  readonly syncedAt: number | null
  readonly startedAt: number | null
  /** The uid that holds the full name of a static pod which waits to start. */
  readonly blockedByUid: string | null
  readonly terminatingAt: number | null
  /** Why termination was requested, in the record's words: `deletionTimestamp`, `terminal phase`, `evicted`, `killed`, … */
  readonly terminatingBecause: string
  readonly acknowledgedTerminating: boolean
  /** What was asked for so far (termination#grace-period); `currentSync` says what the call under way was given. */
  readonly gracePeriodSeconds: number | null
  /** How many kills wait for the containers to stop. */
  readonly waitingForEnd: number
  /** How many kills want to change the status; the last one counts. */
  readonly statusFunctions: number
  readonly terminatedAt: number | null
  readonly deleted: boolean
  readonly evicted: boolean
  readonly finished: boolean
  readonly restartRequested: boolean
  /** The runtime listed the pod while no source had it. */
  readonly observedRuntime: boolean
  /** The answers of the pod state provider (pod-workers#queries). */
  readonly knownTerminated: boolean
  readonly couldHaveRunningContainers: boolean
  readonly shouldBeFinished: boolean
  readonly terminationRequested: boolean
  readonly containersShouldBeTerminating: boolean
  readonly runtimeMayBeRemoved: boolean
  readonly contentMayBeRemoved: boolean
  readonly mirrorIsGuarded: boolean
  /** When the work queue wakes the worker next, if it is queued. */
  readonly nextSyncAt: number | null
  readonly statusVersion: number | null
  readonly statusVersionSent: number | null
}
