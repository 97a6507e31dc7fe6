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
  // What was so before the log began has not moved in it.
  const isNew = last?.fromLine === line && last.certainty !== 'assumed'
  if (!isNew && mark === undefined && message.kind !== 'forgotten') return nothing
  const events = eventsOfLane(
    {
      ...splitName(lane.fullName),
      uid: lane.uid,
      segments: isNew ? [last] : [],
      marks: mark === undefined ? [] : [{ ...mark, at, line, hidden: 0 }],
    },
    frame,
  )
  const said = {
    message: message.text,
    source: withSource.has(message.kind) ? entry.value('source') : '',
  }
  const told = events
    .toReversed()
    .map((event) =>
      event.kind === 'log.entry' ? { ...event, data: { ...event.data, said } } : event,
    )
  if (message.kind !== 'forgotten') return told
  const subject = { kind: 'pod', uid: lane.uid ?? '', ...splitName(lane.fullName) } as const
  const data = { why: 'orphan' } as const
  return [{ kind: 'worker.forgotten', data, subject, causes: [], seq: line, at, ...frame }]
}
