import { eventsOfLane } from '../../../shared/model/timeline/events-of-lane.ts'
import type { TraceEvent, TraceSubject } from '../../../shared/model/trace-event.ts'
import type { LogEntry } from '../../inspector/kubelet-log/log-entry.ts'
import type { LogFactKind } from '../../inspector/kubelet-log/log-messages.ts'
import type { PodLane } from '../../inspector/kubelet-log/pod-lane.ts'
import { splitName } from '../../inspector/kubelet-log/pod-lane.ts'
import type { EntryLane } from '../../inspector/kubelet-log/worker-timeline.ts'

interface Frame {
  readonly cluster: string
  readonly node: string
}

/** An `Event occurred` as the event that the kubelet has recorded; undefined: it is another entry. Pure. */
export function recordedEvent(
  { at, line, message, value }: LogEntry,
  lane: PodLane | undefined,
  frame: Frame,
): TraceEvent | undefined {
  if (message.kind !== 'eventOccurred') return undefined
  const named = { ...splitName(value('object')), uid: lane?.uid ?? '' }
  const subject: TraceSubject =
    value('kind') === 'Pod'
      ? { kind: 'pod', ...named }
      : { kind: 'object', resource: value('kind') === 'Node' ? 'nodes' : value('kind'), ...named }
  const data = {
    type: value('type') === 'Warning' ? 'Warning' : 'Normal',
    reason: value('reason'),
    message: value('message'),
    fieldPath: value('fieldPath'),
  } as const
  return { kind: 'event.recorded', data, subject, causes: [], seq: line, at, ...frame }
}

const nothing: readonly TraceEvent[] = []
/** Entries that name the source of their pods. */
const withSource: ReadonlySet<LogFactKind> = new Set(['add', 'update', 'remove', 'delete'])

/** What an entry says of one worker, as events of a trace: the entry itself, then the state that it leads to. Pure. */
export function eventsOfEntry(
  entry: LogEntry,
  { lane, mark }: EntryLane,
  frame: Frame,
): readonly TraceEvent[] {
  const { at, line, message } = entry
  const last = lane.segments.at(-1)
  // UpdatePod asks for these states only, and what was so before the log began has not moved in it.
  const isAsked =
    last?.fromLine === line &&
    last.certainty !== 'assumed' &&
    (last.state === 'sync' || last.state === 'terminating')
  const isForgotten = message.kind === 'forgotten'
  if (!isAsked && mark === undefined && !isForgotten) return nothing
  const named = splitName(lane.fullName)
  const around = {
    subject: { kind: 'pod', uid: lane.uid ?? '', ...named },
    causes: [],
    seq: line,
    at,
    ...frame,
  } as const
  const events: TraceEvent[] = []
  if (mark !== undefined) {
    const source = withSource.has(message.kind) ? entry.value('source') : ''
    const said = { message: message.text, source }
    const data = { mark: mark.kind, text: mark.text, line, said }
    events.push({ kind: 'log.entry', data, ...around })
  }
  if (isAsked)
    events.push(...eventsOfLane({ ...named, uid: lane.uid, segments: [last], marks: [] }, frame))
  if (isForgotten) events.push({ kind: 'worker.forgotten', data: { why: 'orphan' }, ...around })
  return events
}
