import type {
  TimelineLane,
  TimelineMark,
  TimelineSpan,
} from '../../../shared/model/timeline/timeline.ts'
import { clockText, preciseClockText } from '../../words/time.ts'

/** Times in ms. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** Where a time is, as a share of the range; outside it less than 0 or more than 1. */
export function placeOf(at: number, { from, to }: TimeRange): number {
  return to <= from ? 0 : (at - from) / (to - from)
}

export interface Bar {
  readonly segment: TimelineSpan
  readonly from: number
  readonly to: number
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share))
}

/** The segments in the range, as shares of it. */
export function barsOf(segments: readonly TimelineSpan[], range: TimeRange): readonly Bar[] {
  return segments
    .filter((segment) => segment.to >= range.from && segment.from <= range.to)
    .map((segment) => ({
      segment,
      from: clamp(placeOf(segment.from, range)),
      to: clamp(placeOf(segment.to, range)),
    }))
}

/** What is under a place of a pod's lane: a mark nearby, else the bar. */
export interface LaneSpot {
  readonly line: number
  readonly at: number
  readonly mark: TimelineMark | null
  readonly segment: TimelineSpan | null
}

function segmentAt(pod: TimelineLane, at: number): TimelineSpan | null {
  return pod.segments.findLast((segment) => segment.from <= at && at <= segment.to) ?? null
}

/** The spot of a mark, with the state of the worker then. */
export function spotOfMark(pod: TimelineLane, mark: TimelineMark): LaneSpot {
  return { line: mark.line, at: mark.at, mark, segment: segmentAt(pod, mark.at) }
}

/** `reachMs`: how far away a mark may be. Null: there is nothing. */
export function spotAt(pod: TimelineLane, at: number, reachMs: number): LaneSpot | null {
  let nearest: TimelineMark | undefined
  for (const mark of pod.marks)
    if (nearest === undefined || Math.abs(mark.at - at) < Math.abs(nearest.at - at)) nearest = mark
  if (nearest !== undefined && Math.abs(nearest.at - at) <= reachMs) return spotOfMark(pod, nearest)
  const segment = segmentAt(pod, at)
  if (segment === null) return null
  return { line: segment.evidence[0] ?? segment.fromLine, at: segment.from, mark: null, segment }
}

/** The mark after or before a line of the pod; undefined: there is none. */
export function nextMark(
  pod: TimelineLane,
  line: number,
  isBack: boolean,
): TimelineMark | undefined {
  return isBack
    ? pod.marks.findLast((mark) => mark.line < line)
    : pod.marks.find((mark) => mark.line > line)
}

const dayMs = 86_400_000

/** Of the axis: the width of one character, and the room between two labels. */
const [characterPx, labelGapPx] = [6.8, 8]

export interface Tick {
  readonly place: number
  readonly label: string
}

/**
 * Times from the start to the end of the range, with the day where it is longer than one: six, or as many as `width` px have room
 * for. None is where the label of `selected` is: its time, or null.
 */
export function ticksOf(range: TimeRange, width: number, selected: number | null): readonly Tick[] {
  const length = range.to - range.from
  const labelPx = timeLabel(range.from, length).length * characterPx
  // The labels of the start and the end begin and end there; the others are centered on their time.
  const nextToAnEnd = (1.5 * labelPx + labelGapPx) / width
  const apart = (labelPx + labelGapPx) / width
  const steps = Math.max(1, Math.min(5, Math.floor(1 / nextToAnEnd)))
  const taken = selected === null ? -Infinity : placeOf(selected, range)
  return Array.from({ length: steps + 1 }, (_, index) => index / steps)
    .filter((place) => Math.abs(place - taken) >= (place % 1 === 0 ? nextToAnEnd : apart))
    .map((place) => ({ place, label: timeLabel(range.from + length * place, length) }))
}

function timeLabel(at: number, length: number): string {
  if (length > dayMs) return new Date(at).toISOString().slice(5, 16).replace('T', ' ')
  return length < 5000 ? preciseClockText(at) : clockText(at)
}

/** Nearer, or farther within the whole log, about a time. Null: the whole log. */
export function zoomed(
  {
    range,
    whole,
    about,
  }: { readonly range: TimeRange; readonly whole: TimeRange; readonly about: number },
  factor: number,
): TimeRange | null {
  const length = Math.max(10, (range.to - range.from) * factor)
  if (length >= whole.to - whole.from) return null
  const from = about - (about - range.from) * factor
  return withinWhole({ from, to: from + length }, whole)
}

/** Moved by a share of its length, within the whole log. */
export function moved(range: TimeRange, whole: TimeRange, share: number): TimeRange {
  const by = (range.to - range.from) * share
  return withinWhole({ from: range.from + by, to: range.to + by }, whole)
}

function withinWhole(range: TimeRange, whole: TimeRange): TimeRange {
  const length = range.to - range.from
  const from = Math.min(Math.max(range.from, whole.from), Math.max(whole.from, whole.to - length))
  return { from, to: from + length }
}

function isCalm(pod: TimelineLane): boolean {
  return (
    pod.state === 'sync' &&
    pod.marks.every(({ kind }) => kind === 'status' || kind === 'loop' || kind === 'started')
  )
}

/** Pods whose workers did more than sync come first; then by their first line. */
export function sortedPods(pods: readonly TimelineLane[]): readonly TimelineLane[] {
  return pods.toSorted(
    (one, other) => Number(isCalm(one)) - Number(isCalm(other)) || one.firstLine - other.firstLine,
  )
}

/** Those with the words in namespace, name or UID. */
export function filteredPods(
  pods: readonly TimelineLane[],
  filter: string,
): readonly TimelineLane[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  return pods.filter(({ namespace, name, uid }) => {
    const whole = `${namespace}/${name} ${uid ?? ''}`.toLowerCase()
    return words.every((word) => whole.includes(word))
  })
}
