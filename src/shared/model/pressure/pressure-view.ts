/** A node under pressure, or not, as the Pressure screen shows it. Times are ms on the cluster's clock. */
import type { DecidingKey, RankKeys } from './ranking.ts'
import type { PressureCondition, Signal, StarvedResource } from './signals.ts'

export interface ThresholdView {
  readonly isHard: boolean
  /** As it was configured: `100Mi`, `10%`. */
  readonly value: string
  /** What is available at the threshold, in the unit of the signal. */
  readonly at: number
  /** How much more has to be available again; 0: nothing. */
  readonly minReclaim: number
  readonly gracePeriodMs: number
  /** Since when it is met without a break; null: it is not met. */
  readonly metSince: number | null
}

export interface SignalView {
  readonly signal: Signal
  readonly resource: StarvedResource
  /** In bytes, inodes or processes, as of now. Null: not known. */
  readonly available: number | null
  readonly capacity: number | null
  /** The hard one first. */
  readonly thresholds: readonly ThresholdView[]
  /** What the last rounds of the eviction manager found, the oldest first. */
  readonly history: readonly { readonly at: number; readonly available: number }[]
  /** What is removed before a pod is evicted. */
  readonly reclaims: readonly ('dead containers' | 'unused images')[]
  /** Of containerfs, whose thresholds cannot be set; else null. */
  readonly follows: 'nodefs' | 'imagefs' | null
}

export interface RankedPod {
  readonly uid: string
  readonly namespace: string
  readonly name: string
  readonly keys: RankKeys
  /** Why the kubelet never evicts it, as a sentence; empty: it may. */
  readonly never: string
}

/** The order in which pods would go, the first one first; those that are never evicted are in their places too. */
export interface RankingView {
  /** One of the signals that rank alike: memory.available stands for allocatableMemory.available too. */
  readonly signal: Signal
  readonly resource: StarvedResource
  readonly pods: readonly RankedPod[]
}

export interface ConditionView {
  readonly condition: PressureCondition
  readonly isTrue: boolean
  /** When a threshold of it was last met; null: never by this kubelet. */
  readonly lastObservedAt: number | null
}

/** An eviction by this kubelet, under pressure or for a limit of local storage. */
export interface EvictionView {
  readonly at: number
  readonly uid: string
  readonly namespace: string
  readonly name: string
  /** The signal, or what the metric calls a limit of local storage. */
  readonly signal: string
  readonly message: string
  readonly gracePeriodSeconds: number
}

/** What the machine uses besides its pods, which only a simulated one lets change. */
export interface OtherUseView {
  readonly memoryBytes: number
  readonly diskBytes: number
  readonly inodes: number
  readonly processes: number
}

export interface PressureView {
  readonly now: number
  /** Whether the eviction manager watches anything. */
  readonly isOn: boolean
  readonly signals: readonly SignalView[]
  readonly conditions: readonly ConditionView[]
  readonly rankings: readonly RankingView[]
  /** The newest first; of the last 50. */
  readonly evictions: readonly EvictionView[]
  /** Null: the first one is still to come. */
  readonly lastRoundAt: number | null
  /** Null: a round is under way, or waits until an evicted pod is cleaned up. */
  readonly nextRoundAt: number | null
  readonly pressureTransitionPeriodMs: number
  readonly maxPodGracePeriodSeconds: number
  readonly other: OtherUseView | null
  /** Why the container runtime could not be asked; else empty. */
  readonly error: string
}

/** Why a pod goes before the next one. */
export interface DecidedPlace {
  readonly pod: RankedPod
  /** From 1; null: it is never evicted. */
  readonly place: number | null
  /** Against the next one that may be evicted; null: there is none. */
  readonly key: DecidingKey | null
  readonly next: RankedPod | null
}
