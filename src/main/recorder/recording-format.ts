import type { ClusterView } from '../../shared/model/cluster-view.ts'
import type { FlowContent } from '../../shared/model/flow.ts'
import type { InspectView } from '../../shared/model/inspect/inspect-view.ts'
import type { PodDetail } from '../../shared/model/pod-detail.ts'
import type { PodKey, PodRow } from '../../shared/model/pod-row.ts'
import type { SeenView } from '../../shared/model/seen-cluster.ts'
import type { WorkloadsView } from '../../shared/model/workloads/workloads.ts'
import type { TraceEvent } from '../../shared/model/trace-event.ts'

/** The version of the format in docs/recordings.md. */
export const recordingSchema = 2
/** Version 1 has no details, views and flow. */
export const readableSchemas: readonly number[] = [1, recordingSchema]

/** The first line: what was recorded, by which version. */
export interface RecordingHeader {
  readonly schema: number
  readonly program: 'nodescope'
  readonly version: string
  /** Time of the system clock at the start, RFC 3339. */
  readonly startedAt: string
  readonly cluster: string
  readonly server: string
  readonly nodes: readonly string[]
  /** `startAt`: ms since the epoch on the cluster's clock. */
  readonly clock: { readonly virtual: boolean; readonly startAt: number }
  /** Random seed of the sandbox; null for a joined cluster. */
  readonly seed: number | null
}

/** One event of the cluster's trace. */
export interface EventLine {
  readonly event: TraceEvent
  /** When it became known, if that was later than its own time: the API tells of what happened before. */
  readonly at?: number
}

/** Rows of pods at `at`. `whole`: all rows; else those that changed since the previous line of rows. */
export interface RowsLine {
  readonly at: number
  readonly whole: boolean
  readonly rows: readonly PodRow[]
  readonly removed: readonly PodKey[]
  /** What the drawer shows of the pods of `rows`; absent with schema 1. */
  readonly details?: readonly RecordedDetail[]
}

/** Without what the row and the events say already. */
export type RecordedDetail = { readonly key: PodKey } & Omit<PodDetail, 'row' | 'trace'>

/** The cluster's view without its clock, and without what the events say or nobody else needs. */
export type RecordedView = Omit<
  ClusterView,
  | 'clock'
  | 'loops'
  | 'exportLine'
  | 'manifestsPath'
  | 'scenario'
  | 'recording'
  | 'isPageJoined'
  | 'recorder'
  | 'seen'
> & {
  /** Of a cluster that is looked at; absent for the others and in older files. */
  readonly seen?: SeenView
}

export interface ViewLine {
  readonly at: number
  readonly view: RecordedView
}

export interface FlowLine {
  readonly at: number
  readonly node: string
  readonly flow: FlowContent
}

export interface InspectLine {
  readonly at: number
  readonly node: string
  /** Null: the node is no longer inspected. */
  readonly inspect: InspectView | null
}

export interface WorkloadsLine {
  readonly at: number
  /** Null: no page looks at them any more. */
  readonly workloads: WorkloadsView | null
}

/** This many lines were lost here because the disk was too slow. */
export interface DroppedLine {
  readonly dropped: number
}

/** The last line of a complete recording. */
export interface EndLine {
  readonly end: {
    readonly at: number
    /** Time of the system clock, RFC 3339. */
    readonly endedAt: string
    /** Events written, and lines lost. */
    readonly events: number
    readonly dropped: number
  }
}

/** Any line after the first. */
export type RecordingLine =
  EventLine | RowsLine | ViewLine | FlowLine | InspectLine | WorkloadsLine | DroppedLine | EndLine
