import type { PodKey, PodRow } from '../../shared/model/pod-row.ts'
import type { TraceEvent } from '../../shared/model/trace-event.ts'

/** The version of the format in docs/recordings.md. */
export const recordingSchema = 1

/** The first line: what was recorded, by which version. */
export interface RecordingHeader {
  readonly schema: typeof recordingSchema
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
}

/** Rows of pods at `at`. `whole`: all rows; else those that changed since the previous line of rows. */
export interface RowsLine {
  readonly at: number
  readonly whole: boolean
  readonly rows: readonly PodRow[]
  readonly removed: readonly PodKey[]
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
export type RecordingLine = EventLine | RowsLine | DroppedLine | EndLine
