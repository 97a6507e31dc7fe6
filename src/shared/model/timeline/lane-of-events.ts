import { explain } from '../explanation/explanation.ts'
import type { WorkerStateWord } from '../pod-row.ts'
import type { TraceEvent, TraceKind } from '../trace-event.ts'
import type {
  TimelineCertainty,
  TimelineLane,
  TimelineMark,
  TimelineMarkKind,
  TimelineSpan,
  TimelineState,
} from './timeline.ts'

/** Null: a pod in this state has no worker. */
const states: Readonly<Record<WorkerStateWord, TimelineState | null>> = {
  waiting: 'waiting',
  SyncPod: 'sync',
  TerminatingPod: 'terminating',
  TerminatedPod: 'terminated',
  TerminatedAndRecreatedPod: 'terminated',
  finished: 'finished',
  none: null,
  noKubelet: null,
}

const certainties = {
  seen: 'seen',
  certain: 'inferred',
  likely: 'inferred',
  possible: 'assumed',
} as const satisfies Record<string, TimelineCertainty>

/** Of what a lane has a sign; other kinds are in the history only. */
const markOf: Partial<Record<TraceKind, TimelineMarkKind>> = {
  'config.merged': 'loop',
  'container.started': 'started',
  'container.exited': 'died',
  'container.killing': 'kill',
  'container.failed': 'error',
  'image.failed': 'error',
  'volume.failed': 'error',
  'object.written': 'status',
  'status.patched': 'status',
  'status.failed': 'statusFailed',
  'status.rejected': 'statusFailed',
  'probe.resultChanged': 'probe',
  'probe.failed': 'probe',
  'mirror.created': 'mirror',
  'mirror.deleted': 'mirror',
  'mirror.failed': 'mirror',
  'eviction.requested': 'evict',
  'preemption.requested': 'evict',
  'shutdown.podKilled': 'evict',
  'pod.rejected': 'rejected',
}

function markKind(event: TraceEvent): TimelineMarkKind | undefined {
  if (event.kind === 'log.entry') return event.data.mark
  if (event.kind === 'event.recorded') return event.data.type === 'Warning' ? 'error' : undefined
  if (event.kind === 'worker.syncFinished')
    return event.data.outcome === 'error' ? 'error' : undefined
  return markOf[event.kind]
}

interface Entered {
  /** Null: the worker is gone, or its state is not known. */
  readonly state: TimelineState | null
  readonly certainty: TimelineCertainty
  readonly because: string
}

const seen = (state: TimelineState | null): Entered => ({ state, certainty: 'seen', because: '' })

/** The state that an event says its worker is in from now on; undefined: it says nothing about that. */
function enteredBy(event: TraceEvent): Entered | undefined {
  switch (event.kind) {
    case 'worker.waiting':
      return seen('waiting')
    case 'worker.started':
      return seen('sync')
    case 'worker.syncStarted':
      return event.data.workType === 'sync' ? seen('sync') : seen(event.data.workType)
    case 'worker.transitioned':
      return seen(event.data.to)
    case 'worker.forgotten':
      return seen(null)
    case 'worker.observed': {
      const { state, certainty, because } = event.data
      const mapped = state === null ? null : states[state]
      return { state: mapped, certainty: certainties[certainty], because }
    }
    default:
      return undefined
  }
}

const evidenceKept = 4

type OpenSpan = { -readonly [K in keyof TimelineSpan]: TimelineSpan[K] }

function spansOf(events: readonly TraceEvent[], now: number): readonly TimelineSpan[] {
  const spans: OpenSpan[] = []
  let open: OpenSpan | undefined
  for (const event of events) {
    const entered = enteredBy(event)
    if (entered === undefined) continue
    const { seq, at } = event
    const { state, certainty, because } = entered
    if (open !== undefined && open.state === state && open.certainty === certainty) {
      if (open.evidence.length < evidenceKept && certainty !== 'seen')
        open.evidence = [...open.evidence, seq]
      continue
    }
    if (open !== undefined) Object.assign(open, { to: at, toLine: seq })
    open = undefined
    if (state === null) continue
    open = {
      state,
      certainty,
      because,
      from: at,
      to: now,
      fromLine: seq,
      toLine: 0,
      evidence: [seq],
    }
    spans.push(open)
  }
  return spans
}

/** Of a kind at most one in each `stepMs`, which says how many it hides. */
function thinned(marks: readonly TimelineMark[], stepMs: number): readonly TimelineMark[] {
  const slots = new Map<string, TimelineMark>()
  for (const mark of marks) {
    const slot = stepMs > 0 ? `${mark.kind} ${Math.floor(mark.at / stepMs)}` : String(mark.line)
    const before = slots.get(slot)
    slots.set(slot, before === undefined ? mark : { ...mark, hidden: before.hidden + 1 })
  }
  return [...slots.values()]
}

/** What a lane is called, and the part of it that is drawn. */
export interface LaneFrame extends Pick<
  TimelineLane,
  'id' | 'namespace' | 'name' | 'uid' | 'source'
> {
  readonly now: number
  readonly from: number
  readonly to: number
  readonly stepMs: number
}

/**
 * The lane of one pod, from what its trace has, oldest first; undefined if nothing of it is in the frame's time. A history
 * that no longer has its first events begins with an assumed state. Pure.
 */
export function laneOfEvents(
  events: readonly TraceEvent[],
  { now, from, to, stepMs, ...name }: LaneFrame,
): TimelineLane | undefined {
  const first = events[0]
  const last = events.at(-1)
  if (first === undefined || last === undefined) return undefined
  const all = spansOf(events, now)
  const segments = all.filter((span) => span.to >= from && span.from <= to)
  const marks = events.flatMap((event): readonly TimelineMark[] => {
    const kind = event.at < from || event.at > to ? undefined : markKind(event)
    if (kind === undefined) return []
    return [{ kind, at: event.at, line: event.seq, text: explain(event).sentence, hidden: 0 }]
  })
  if (segments.length === 0 && marks.length === 0) return undefined
  return {
    ...name,
    state: all.at(-1)?.state ?? 'waiting',
    firstLine: first.seq,
    lastLine: last.seq,
    lastAt: last.at,
    segments,
    marks: thinned(marks, stepMs),
  }
}
