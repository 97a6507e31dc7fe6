import type { DiffLine } from '../apply/line-diff.ts'
import type { OwnerKind } from './workloads.ts'

export const ownerActs = ['scale', 'restart', 'undo', 'run', 'pause', 'resume', 'delete'] as const

/** What can be done with an owner of pods; each as kubectl does it. */
export type OwnerAct = (typeof ownerActs)[number]

export const cascades = ['background', 'foreground', 'orphan'] as const

/** kubectl delete --cascade. */
export type Cascade = (typeof cascades)[number]

/** `replicas` is for `scale`, `cascade` for `delete`, `revision` for `undo`; 0: the one before the present one. */
export interface OwnerActArgs {
  readonly cluster: string
  /** UID. */
  readonly owner: string
  readonly act: OwnerAct
  readonly replicas: number
  readonly revision: number
  readonly cascade: Cascade
}

/** One template that an owner of pods has had. */
export interface RevisionView {
  readonly revision: number
  /** Its template is the present one. */
  readonly isCurrent: boolean
  /** Of the annotation kubernetes.io/change-cause; empty without it. */
  readonly changeCause: string
}

/** What an act would do. Every text is made of whole sentences. */
export interface OwnerForecast {
  readonly title: string
  readonly summary: string
  /** What happens then, in order. */
  readonly steps: readonly string[]
  readonly kubectl: string
  /** For `undo`: the newest first; else empty. */
  readonly revisions: readonly RevisionView[]
  /** Which of them the forecast is about; 0 without one. */
  readonly revision: number
  /** From the present template to the one of that revision; for other acts empty. */
  readonly diff: readonly DiffLine[]
  /** Word of the button. */
  readonly confirm: string
  readonly isAllowed: boolean
  /** Why it is not allowed; else empty. */
  readonly refusal: string
}

const actsOf: Readonly<Record<OwnerKind, readonly OwnerAct[]>> = {
  CronJob: ['run', 'pause', 'resume', 'delete'],
  DaemonSet: ['restart', 'undo', 'delete'],
  Deployment: ['scale', 'restart', 'undo', 'pause', 'resume', 'delete'],
  Job: ['pause', 'resume', 'delete'],
  ReplicaSet: ['scale', 'delete'],
  ReplicationController: ['scale', 'delete'],
  StatefulSet: ['scale', 'restart', 'undo', 'delete'],
}

/** Whether it is paused by its field `suspend`, not by `paused`. */
export function suspends(kind: OwnerKind): boolean {
  return kind === 'Job' || kind === 'CronJob'
}

/** The acts that an owner of a kind has now: a paused one can be resumed, another one paused. Pure. */
export function actsFor(kind: OwnerKind, isPaused: boolean): readonly OwnerAct[] {
  const unfit = isPaused ? 'pause' : 'resume'
  return actsOf[kind].filter((act) => act !== unfit)
}
