/**
 * What happened on a node, as lanes of its pod workers over time. Every producer of a trace answers with it: our kubelet, a
 * recording, the log of a kubelet, and what was seen of a real node. Times are ms since 1970. A record is a line of a log
 * or an event of a trace, by its number from 1.
 */

import type { PodSource } from '../pod-source.ts'

/** `seen`: a record says so; `inferred`: it follows from others; `assumed`: before the first record about the pod, or from the API alone. */
export type TimelineCertainty = 'seen' | 'inferred' | 'assumed'

/** `waiting`: added, but its worker has not started; `finished`: the worker has nothing left to do. */
export type TimelineState = 'waiting' | 'sync' | 'terminating' | 'terminated' | 'finished'

/** A time in one state. */
export interface TimelineSpan {
  readonly state: TimelineState
  readonly certainty: TimelineCertainty
  /** Why this state, where it was not seen; else empty. */
  readonly because: string
  readonly from: number
  readonly to: number
  readonly fromLine: number
  /** The record that ended it; 0: none has. */
  readonly toLine: number
  /** The records that say so, at most four. */
  readonly evidence: readonly number[]
}

export const timelineMarkKinds = [
  'loop',
  'started',
  'died',
  'kill',
  'status',
  'statusFailed',
  'probe',
  'mirror',
  'evict',
  'error',
  'rejected',
] as const
export type TimelineMarkKind = (typeof timelineMarkKinds)[number]

export interface TimelineMark {
  readonly kind: TimelineMarkKind
  readonly at: number
  /** Its record. */
  readonly line: number
  readonly text: string
  /** How many marks of its kind were left out because they are as close as a pixel. */
  readonly hidden: number
}

/** One pod worker: a pod UID. */
export interface TimelineLane {
  /** Of a cluster, the pod's key. */
  readonly id: string
  readonly namespace: string
  readonly name: string
  /** Null: no record says it. */
  readonly uid: string | null
  readonly source: PodSource | 'unknown'
  readonly state: TimelineState
  readonly firstLine: number
  readonly lastLine: number
  readonly lastAt: number
  readonly segments: readonly TimelineSpan[]
  readonly marks: readonly TimelineMark[]
}

/** Something about the whole kubelet. */
export interface TimelineNodeMark {
  /** `start`: a kubelet started; `stall`: its sync loop waited; `gap`: no record for a minute; `pressure`: a resource ran short. */
  readonly kind: 'start' | 'stall' | 'gap' | 'pressure'
  readonly at: number
  readonly line: number
  readonly text: string
}

/** The most pods of a timeline at a time. */
export const maxTimelineLanes = 1000

export interface TimelineView {
  /** The first and the last moment that is known. */
  readonly from: number
  readonly to: number
  /** How many pods there are at any time. */
  readonly podCount: number
  /** What the numbers of its records count. */
  readonly records: 'line' | 'event'
  readonly pods: readonly TimelineLane[]
  readonly nodeMarks: readonly TimelineNodeMark[]
  /** Marks that were not kept because there are too many. */
  readonly marksLeftOut: number
}

/** A part of a timeline. `from`, `to` null: the whole. `width`: how many marks of a kind fit beside each other. */
export interface TimelineQuery {
  /** Null: of all nodes. */
  readonly node: string | null
  readonly from: number | null
  readonly to: number | null
  readonly width: number
  /** Words that namespace, name or UID must have; empty: all. */
  readonly filter: string
}
