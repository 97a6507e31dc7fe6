/** The ways in which a running pod is lost, next to each other: what each would do, and what it did to a copy of the pod. */
import type { PodPhase } from '../../kubernetes/objects.ts'
import type { ActFacts } from '../act.ts'
import type { DrainFate } from '../seen/drain.ts'

export const lossWays = [
  'pressure',
  'byHand',
  'evictionApi',
  'drain',
  'schedulerPreemption',
  'kubeletPreemption',
  'taint',
  'shutdown',
  'podGc',
] as const

export type LossWay = (typeof lossWays)[number]

/** `caller`: the user or program that asks the API server, which writes for it. */
export type LossWriter = 'kubelet' | 'kube-scheduler' | 'kube-controller-manager' | 'caller'

/** The taint that a rehearsal sets; only a pod that tolerates every taint tolerates it. */
export const lossTaint = { key: 'nodescope.dev/lost', effect: 'NoExecute' } as const

/** What must be known of a pod to say how it is lost. */
export interface LossFacts {
  readonly facts: ActFacts
  /** How long it may stay with the taint, ms; null: it tolerates it for good. */
  readonly tolerationMs: number | null
  /** What `kubectl drain --ignore-daemonsets --delete-emptydir-data --force` does with it. */
  readonly drain: { readonly fate: DrainFate; readonly why: string }
}

/** `reason`: `status.reason`, empty for none. */
export interface LossEnd {
  readonly phase: PodPhase
  readonly reason: string
}

/** The condition DisruptionTarget. */
export interface LossCondition {
  readonly reason: string
  /** Ends with `…` where only the beginning is known before. */
  readonly message: string
  readonly writer: LossWriter
}

/** `held`: it stays with a deletionTimestamp, for its finalizers. */
export type LostObject = 'stays' | 'goes' | 'held'

/** Whether the eviction API's budget counts: it is obeyed, the scheduler only prefers other victims, or it is not asked. */
export type LossBudget = 'obeyed' | 'preferred' | 'notAsked'

/** Whether the pod's owner makes another one. `ownerDecides`: by rules of its own, as a Job; `unknown`: not a kind of the sandbox. */
export type LossReplacement = 'yes' | 'no' | 'ownerDecides' | 'unknown'

export interface LossForecast {
  readonly way: LossWay
  /** Why the pod is not lost this way, as a sentence; empty: it is lost. */
  readonly kept: string
  /** How long the pod tolerates it first, in seconds. */
  readonly delaySeconds: number
  /** What the kubelet's worker uses; null: no kubelet stops the pod. */
  readonly graceSeconds: number | null
  /** The last status: the first where a container fails or is killed, the second, if there is one, where all exit with 0. */
  readonly ends: readonly LossEnd[]
  /** False: the second end is not certain where all exit with 0. */
  readonly isSure: boolean
  /** `status.message` of the first end; ends with `…` where only the beginning is known before. */
  readonly message: string
  readonly condition: LossCondition
  readonly object: LostObject
  /** Who asks for the deletion, and who removes the object in the end; null: it is not deleted. */
  readonly deletedBy: LossWriter | null
  readonly removedBy: LossWriter | null
  readonly budget: LossBudget
  readonly replacement: LossReplacement
}

/** A write of the copy's object. `what`: `status`, `deletionTimestamp`, `removed`, or `object` for anything else. */
export interface LossWrite {
  /** Seconds after the act. */
  readonly atSeconds: number
  readonly writer: LossWriter
  readonly what: 'status' | 'deletionTimestamp' | 'removed' | 'object'
}

/** What happened to a copy of the pod in a sandbox of its own. */
export interface LossResult {
  readonly way: LossWay
  /** Of the copy, from its state just before. */
  readonly forecast: LossForecast
  readonly isLost: boolean
  /** What answered the act where it was refused; else empty. */
  readonly refusal: string
  readonly graceSeconds: number | null
  /** The status that the API showed last. */
  readonly end: LossEnd
  readonly message: string
  readonly condition: LossCondition | null
  readonly object: LostObject
  readonly deletedBy: LossWriter | null
  readonly removedBy: LossWriter | null
  /** What the budgets of the copy had to do with it; `none`: it has none. */
  readonly budget: 'none' | 'refused' | 'counted' | 'notCounted'
  /** The pod that its owner made in its place; empty: none in the minute after. */
  readonly replacement: string
  /** Whether all containers that ran, sidecars aside, exited with 0. */
  readonly haveAllExitedZero: boolean
  /** From the act until the end. */
  readonly seconds: number
  readonly writes: readonly LossWrite[]
}

/** A field of a forecast that is compared with what happened. */
export type LossField =
  | 'lost'
  | 'grace'
  | 'end'
  | 'message'
  | 'condition'
  | 'object'
  | 'writers'
  | 'budget'
  | 'replacement'
