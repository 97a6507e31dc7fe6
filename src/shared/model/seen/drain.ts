import type { PodKey } from '../pod-row.ts'

/** What can be done to a node whose kubelet is not this program. */
export const seenNodeActs = ['cordon', 'uncordon', 'drain'] as const

export type SeenNodeAct = (typeof seenNodeActs)[number]

/** The options of `kubectl drain` with their names. `gracePeriodSeconds` null: each pod's own. */
export interface DrainOptions {
  readonly ignoreDaemonSets: boolean
  readonly deleteEmptyDirData: boolean
  readonly force: boolean
  readonly gracePeriodSeconds: number | null
}

/**
 * What a drain does with a pod. `evicts`: asks for its eviction; `skips`: leaves it; `refuses`: kubectl does not begin at
 * all because of it, `blocks`: its eviction would be refused now, and the drain tries again every 5 s.
 */
export type DrainFate = 'evicts' | 'skips' | 'refuses' | 'blocks'

export interface DrainedPod {
  readonly key: PodKey
  readonly namespace: string
  readonly name: string
  readonly fate: DrainFate
  /** Why it is skipped, refused or blocked, or a warning (a pod without a controller is not recreated); else empty. */
  readonly why: string
  /** Name of the disruption budget that guards it; empty for none. */
  readonly budget: string
  readonly graceSeconds: number
  /** `Kind name`; empty for none. */
  readonly controlledBy: string
}

/** What an act on a node will do, before it is done. Sentences are whole. */
export interface SeenNodeForecast {
  readonly act: SeenNodeAct
  /** False: `refusal` says why, in one sentence. */
  readonly isAllowed: boolean
  readonly refusal: string
  readonly title: string
  readonly summary: string
  /** What cannot be known of real processes. */
  readonly unknown: readonly string[]
  readonly kubectl: string
  /** Words on the last button; they name the cluster. */
  readonly confirm: string
  /** Of a drain, in kubectl's order; else empty. */
  readonly pods: readonly DrainedPod[]
  /** Whether the API server answered a dry run of each eviction; false: `blocks` is computed from the budgets. */
  readonly isRehearsed: boolean
  /** Why it was not rehearsed, or what of the rehearsal failed; else empty. */
  readonly note: string
}

/** The API server's answer to a dry run of an eviction. */
export interface EvictionRehearsal {
  readonly isAccepted: boolean
  /** HTTP status; 0: no answer. */
  readonly code: number
  /** The server's words: which budget, what it needs and has; else empty. */
  readonly message: string
}

/** How a drain that was begun stands. Kept in the cluster's view until the next drain of the node. */
export interface DrainProgress {
  readonly node: string
  /** ms on the system clock. */
  readonly startedAt: number
  readonly state: 'running' | 'done' | 'stopped'
  readonly evicted: number
  /** Pods that have not gone, `namespace/name`, with the last refusal. */
  readonly waiting: readonly { readonly pod: string; readonly why: string }[]
  /** Why it stopped; else empty. */
  readonly problem: string
}
