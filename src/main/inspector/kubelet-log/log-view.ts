import type { KubeletLogView, LogFacts } from '../../../shared/model/kubelet-log.ts'
import type { TimelineLane, TimelineSpan } from '../../../shared/model/timeline/timeline.ts'
import { maxTimelineLanes } from '../../../shared/model/timeline/timeline.ts'
import type { PodStatus } from '../../../shared/kubernetes/objects.ts'
import { loggedStatus } from './kept-status.ts'
import type { LogReader } from './log-reader.ts'
import type { PodLane } from './pod-lane.ts'
import { splitName } from './pod-lane.ts'

/** A worker, and what the log tells of its pod. */
export interface LoggedPod extends TimelineLane {
  /** As it was last written; null: the log does not tell. */
  readonly status: PodStatus | null
  /** In the log's time, ms; null: the log does not tell. */
  readonly createdAt: number | null
  /** The object of the API has a deletionTimestamp. */
  readonly isDeleted: boolean
  /** Its source no longer has it. */
  readonly isRemoved: boolean
}

/** Of which time, and how much of it one mark may hide. */
export interface LogRange {
  readonly from: number
  readonly to: number
  /** How many marks of a kind fit beside each other. */
  readonly width: number
}

/** Numbers that a view shows of lines that are no entry. */
const shownNotUnderstood = 1000
/** Segments of one pod in a view: a pod has a handful for each start of the kubelet. */
const maxSegments = 500

function segmentsOf(
  lane: PodLane,
  endedAt: number,
  { from, to }: LogRange,
): readonly TimelineSpan[] {
  const last = lane.segments.at(-1)
  return lane.segments
    .map((segment) => ({
      ...segment,
      // The worker is in its state to the end of the log.
      to: segment === last && lane.isOpen ? Math.max(endedAt, segment.to) : segment.to,
      evidence: [...segment.evidence],
    }))
    .filter((segment) => segment.to >= from && segment.from <= to)
    .slice(-maxSegments)
}

/** Text has no zone. */
function hasUtc({ format }: LogReader): boolean {
  return format === 'json' || format === 'journal-json'
}

function loggedPod(reader: LogReader, lane: PodLane, range: LogRange): LoggedPod {
  const zoneMs = hasUtc(reader) ? 0 : reader.timeline.zoneMs
  const { status, createdAt, deletes, isRemoved } = lane
  return {
    ...podOf(reader, lane, range),
    status: loggedStatus(status, zoneMs),
    createdAt: createdAt === null || zoneMs === null ? null : createdAt + zoneMs,
    isDeleted: deletes > 0,
    isRemoved,
  }
}

function podOf(reader: LogReader, lane: PodLane, range: LogRange): TimelineLane {
  const stepMs = range.width > 0 ? (range.to - range.from) / range.width : 0
  return {
    id: String(lane.id),
    ...splitName(lane.fullName),
    uid: lane.uid,
    source: lane.source,
    state: lane.state,
    firstLine: lane.firstLine,
    lastLine: lane.lastLine,
    lastAt: lane.lastAt,
    segments: segmentsOf(lane, reader.to, range),
    marks: reader.timeline.marks.of(lane.chains, range.from, range.to, stepMs),
  }
}

function lanesIn(reader: LogReader, { from, to }: LogRange): readonly PodLane[] {
  return reader.timeline.lanes.settled().filter((lane) => {
    const first = lane.segments[0]
    return first !== undefined && first.from <= to && (lane.isOpen || lane.lastAt >= from)
  })
}

type ReadFacts = Pick<
  LogFacts,
  | 'node'
  | 'format'
  | 'verbosity'
  | 'zone'
  | 'from'
  | 'to'
  | 'lines'
  | 'understood'
  | 'notUnderstood'
  | 'gaps'
  | 'podCount'
>

/** What a reader knows so far. Times are 0 before the first entry. */
export function readFacts(reader: LogReader): ReadFacts {
  const { statedLevel, highestLevel, format, notUnderstood } = reader
  const level = statedLevel === -1 ? highestLevel : statedLevel
  const shown = Math.min(notUnderstood.length, shownNotUnderstood)
  return {
    node: reader.timeline.nodeName,
    format,
    verbosity: level === -1 ? null : { level, isStated: statedLevel !== -1 },
    zone: hasUtc(reader) ? 'utc' : 'node',
    from: Number.isNaN(reader.from) ? 0 : reader.from,
    to: Number.isNaN(reader.to) ? 0 : reader.to,
    lines: reader.lines,
    understood: reader.understood,
    notUnderstood: Array.from({ length: shown }, (_, index) => notUnderstood.at(index)),
    gaps: reader.gaps,
    podCount: reader.timeline.lanes.settled().length,
  }
}

const noMarks: LogRange = { from: 0, to: -1, width: 0 }

/** The workers with the latest news, without their marks and times; at most `maxTimelineLanes`. */
export function lastStates(reader: LogReader): readonly LoggedPod[] {
  const lanes = reader.timeline.lanes.settled().toSorted((a, b) => a.lastAt - b.lastAt)
  return lanes.slice(-maxTimelineLanes).map((lane) => ({
    ...loggedPod(reader, lane, noMarks),
    segments: segmentsOf(lane, reader.to, whole).slice(-1),
  }))
}

const whole: LogRange = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY, width: 0 }
/** Of the history of one pod. */
const historyWidth = 200

/** One worker with all its times and its marks; undefined: the log tells of no such worker. */
export function podWithId(reader: LogReader, id: string): LoggedPod | undefined {
  const lane = reader.timeline.lanes.settled().find((each) => String(each.id) === id)
  const { from, to } = reader
  return lane === undefined ? undefined : loggedPod(reader, lane, { from, to, width: historyWidth })
}

/** The pods whose workers the log tells of in a time, those with the latest news last; at most `maxTimelineLanes`. */
export function podsIn(
  reader: LogReader,
  range: LogRange,
): Pick<KubeletLogView, 'pods' | 'nodeMarks' | 'marksLeftOut' | 'records'> {
  const { timeline } = reader
  const lanes = lanesIn(reader, range)
    .toSorted((one, other) => one.lastAt - other.lastAt)
    .slice(-maxTimelineLanes)
  return {
    pods: lanes.map((lane) => podOf(reader, lane, range)),
    nodeMarks: timeline.nodeMarks.filter(({ at }) => at >= range.from && at <= range.to),
    marksLeftOut: timeline.marks.leftOut,
    records: 'line',
  }
}
