import type { PodKey, PodRow } from '../../shared/model/pod-row.ts'
import type { TraceEvent } from '../../shared/model/trace-event.ts'

/** The version of what docs/recordings.md describes. */
export const recordingSchema = 1

/** The first line: what was recorded, and with what. */
export interface RecordingHeader {
  readonly schema: typeof recordingSchema
  readonly program: 'nodescope'
  readonly version: string
  /** The system's time at the start, RFC 3339. */
  readonly startedAt: string
  readonly cluster: string
  readonly server: string
  readonly nodes: readonly string[]
  /** `startAt`: ms since the epoch on the cluster's clock. */
  readonly clock: { readonly virtual: boolean; readonly startAt: number }
  /** Of the sandbox's chance; null for a real cluster. */
  readonly seed: number | null
}

/** One event of the cluster's trace. */
export interface EventLine {
  readonly event: TraceEvent
}

/** Rows of pods as they are at `at`. `whole`: these are all; else those that changed since the line of rows before. */
export interface RowsLine {
  readonly at: number
  readonly whole: boolean
  readonly rows: readonly PodRow[]
  readonly removed: readonly PodKey[]
}

/** So many lines were lost here, because they could not be written fast enough. */
export interface DroppedLine {
  readonly dropped: number
}

/** The last line of a recording that was ended properly. */
export interface EndLine {
  readonly end: {
    readonly at: number
    /** The system's time, RFC 3339. */
    readonly endedAt: string
    /** Events written, and lines lost. */
    readonly events: number
    readonly dropped: number
  }
}

/** Any line after the first. */
export type RecordingLine = EventLine | RowsLine | DroppedLine | EndLine
