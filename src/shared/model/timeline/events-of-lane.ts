import type { Certainty } from '../inspect/evidence.ts'
import type { WorkerStateWord } from '../pod-row.ts'
import type { TraceEvent, TraceInput, TraceSubject } from '../trace-event.ts'
import type { TimelineCertainty, TimelineLane, TimelineSpan, TimelineState } from './timeline.ts'

/** The states of a worker, as rows call them. */
export const stateWords: Readonly<Record<TimelineState, WorkerStateWord>> = {
  waiting: 'waiting',
  sync: 'SyncPod',
  terminating: 'TerminatingPod',
  terminated: 'TerminatedPod',
  finished: 'finished',
}

const certaintyOf: Readonly<Record<TimelineCertainty, 'seen' | Certainty>> = {
  seen: 'seen',
  inferred: 'likely',
  assumed: 'possible',
}

/** Which lines of a log a state rests on, in a sentence. Pure. */
export function becauseOfLines({ certainty, evidence }: TimelineSpan): string {
  if (evidence.length === 0) return 'The log begins later.'
  const lines = `${evidence.length === 1 ? 'line' : 'lines'} ${evidence.join(', ')}`
  return certainty === 'seen' ? `The log says so in ${lines}.` : `It follows from ${lines}.`
}

interface Dated {
  readonly at: number
  readonly line: number
  readonly event: Pick<TraceInput, 'kind' | 'data'>
}

function observed(span: TimelineSpan): Dated {
  const { state, certainty, from, fromLine, evidence } = span
  const lines = evidence.map((line) => ({
    fact: 'line',
    value: String(line),
    origin: 'log' as const,
    at: from,
  }))
  const data = {
    state: stateWords[state],
    certainty: certaintyOf[certainty],
    because: becauseOfLines(span),
    evidence: lines,
  }
  return { at: from, line: fromLine, event: { kind: 'worker.observed', data } }
}

/** What the log of a kubelet tells of one pod, as events of a trace, newest first. Numbers are lines; of two events of a line the second has a half more. Pure. */
export function eventsOfLane(
  lane: Pick<TimelineLane, 'uid' | 'namespace' | 'name' | 'segments' | 'marks'>,
  { cluster, node }: { readonly cluster: string; readonly node: string },
): readonly TraceEvent[] {
  const { uid, namespace, name, segments, marks } = lane
  const subject: TraceSubject = { kind: 'pod', uid: uid ?? '', namespace, name }
  const entries = marks.map(({ kind: mark, at, line, text }): Dated => ({
    at,
    line,
    event: { kind: 'log.entry', data: { mark, text, line } },
  }))
  const taken = new Set<number>()
  return [...entries, ...segments.map(observed)]
    .toSorted((one, other) => one.line - other.line)
    .map(({ at, line, event }) => {
      const seq = taken.has(line) ? line + 0.5 : line
      taken.add(seq)
      // Kind and data belong together where they are made.
      return { ...event, subject, causes: [], seq, at, cluster, node } as unknown as TraceEvent
    })
    .toReversed()
}
