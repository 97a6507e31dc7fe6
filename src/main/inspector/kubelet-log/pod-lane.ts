import type {
  TimelineCertainty,
  TimelineLane,
  TimelineSpan,
  TimelineState,
} from '../../../shared/model/timeline/timeline.ts'

/** A line that says something. */
export interface At {
  readonly at: number
  readonly line: number
}

type Open = { -readonly [K in keyof TimelineSpan]: TimelineSpan[K] } & { evidence: number[] }

const evidenceKept = 4

/** What the log has told of one worker so far: of one UID, or of one name while no line has told its UID. */
export interface PodLane {
  readonly id: number
  fullName: string
  uid: string | null
  source: TimelineLane['source']
  state: TimelineState
  readonly segments: Open[]
  /** The last segment goes on. */
  isOpen: boolean
  firstLine: number
  lastLine: number
  lastAt: number
  /** Ends of chains of marks; more than one where lanes turned out to be one. */
  readonly chains: number[]
  /** What is not a sandbox: the IDs of containers that the log names as such. */
  readonly containers: Set<string>
  /** The last one that the kubelet has written, as JSON: at least what a row needs of it; empty: none. */
  status: string
  /** The creationTimestamp of its API object, ms since 1970; null: no line has told it. */
  createdAt: number | null
  deletes: number
  /** Its source no longer has it. */
  isRemoved: boolean
  /** The kubelet has forgotten it, or another has its name. */
  isGone: boolean
}

export function newLane(id: number, fullName: string, uid: string | null, from: At): PodLane {
  return {
    id,
    fullName,
    uid,
    source: 'unknown',
    state: 'waiting',
    segments: [],
    isOpen: false,
    firstLine: from.line,
    lastLine: from.line,
    lastAt: from.at,
    chains: [],
    containers: new Set(),
    status: '',
    createdAt: null,
    deletes: 0,
    isRemoved: false,
    isGone: false,
  }
}

/** Of `namespace/name`; only a name is one without a namespace. */
export function splitName(fullName: string): Pick<TimelineLane, 'namespace' | 'name'> {
  const slash = fullName.indexOf('/')
  return { namespace: fullName.slice(0, Math.max(0, slash)), name: fullName.slice(slash + 1) }
}

/** Ends the last segment. */
export function closeSegment(lane: PodLane, { at, line }: At): void {
  const last = lane.segments.at(-1)
  if (!lane.isOpen || last === undefined) return
  last.to = at
  last.toLine = line
  lane.isOpen = false
}

function addEvidence(segment: Open, line: number, certainty: TimelineCertainty): void {
  if (certainty === 'seen') segment.certainty = 'seen'
  if (segment.evidence.length < evidenceKept && segment.evidence.at(-1) !== line)
    segment.evidence.push(line)
}

/** Goes to a state, or gives one more line as evidence of the present one. */
export function enterState(
  lane: PodLane,
  state: TimelineState,
  from: At,
  certainty: TimelineCertainty,
): void {
  const last = lane.segments.at(-1)
  if (lane.isOpen && last?.state === state && last.certainty !== 'assumed')
    return addEvidence(last, from.line, certainty)
  closeSegment(lane, from)
  lane.segments.push({
    state,
    certainty,
    because: '',
    from: from.at,
    to: from.at,
    fromLine: from.line,
    toLine: 0,
    evidence: certainty === 'assumed' ? [] : [from.line],
  })
  lane.state = state
  lane.isOpen = true
}

const ranks: Readonly<Record<TimelineState, number>> = {
  waiting: 0,
  sync: 1,
  terminating: 2,
  terminated: 3,
  finished: 4,
}

/** As `enterState`, but a worker never goes back. */
export function advance(
  lane: PodLane,
  state: TimelineState,
  from: At,
  certainty: TimelineCertainty,
): void {
  const isBack = lane.isOpen && ranks[state] < ranks[lane.state]
  if (!isBack) enterState(lane, state, from, certainty)
}

/** What a lane of a name turned out to be the same worker as. */
export function mergeLane(into: PodLane, later: PodLane): void {
  into.segments.push(...later.segments)
  into.isOpen = later.isOpen
  into.state = later.state
  into.chains.push(...later.chains)
  into.lastLine = Math.max(into.lastLine, later.lastLine)
  into.lastAt = Math.max(into.lastAt, later.lastAt)
  if (later.status !== '') into.status = later.status
  into.createdAt ??= later.createdAt
  into.deletes = later.deletes
  into.isRemoved = later.isRemoved
  into.isGone = false
  if (later.source !== 'unknown') into.source = later.source
}
