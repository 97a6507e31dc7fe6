import type { KubeEvent } from '../../../../shared/kubernetes/objects.ts'
import { ageSince } from '../../../../shared/kubernetes/printers/age.ts'
import { column, tableOf, wide } from './columns.ts'

/** An event whose client counts its occurrences by itself (events.k8s.io/v1). */
interface SeriesEvent extends KubeEvent {
  readonly series?: { readonly count?: number; readonly lastObservedTime?: string }
}

function firstNonEmpty(...words: readonly (string | undefined)[]): string {
  return words.find((word) => word !== undefined && word !== '') ?? ''
}

function sourceOf(event: KubeEvent): string {
  const component = firstNonEmpty(event.source?.component, event.reportingComponent)
  const instance = firstNonEmpty(event.source?.host, event.reportingInstance)
  return instance === '' ? component : `${component}, ${instance}`
}

function targetOf(event: KubeEvent): string {
  const kind = (event.involvedObject.kind ?? '').toLowerCase()
  const name = event.involvedObject.name ?? ''
  return name === '' ? kind : `${kind}/${name}`
}

function lastSeenOf(event: SeriesEvent, firstSeen: string, now: number): string {
  if (event.series !== undefined) return ageSince(event.series.lastObservedTime, now)
  return event.lastTimestamp ? ageSince(event.lastTimestamp, now) : firstSeen
}

function countOf(event: SeriesEvent): number {
  if (event.series !== undefined) return event.series.count ?? 0
  // A single event of events.k8s.io/v1 has no count.
  return event.count === undefined || event.count === 0 ? 1 : event.count
}

/** Source: Kubernetes pkg/printers/internalversion printEvent (v1.34). */
export const eventTable = tableOf(
  [
    column('Last Seen', 'lastSeen', 'When the event was last observed.'),
    column('Type', 'type', 'Normal or Warning.'),
    column('Reason', 'reason', 'Why, in one word for programs.'),
    column('Object', 'target', 'What the event is about.'),
    column('Subobject', 'part', 'The part of the object that the event is about.', wide),
    column('Source', 'source', 'Who reported the event.', wide),
    column('Message', 'message', 'What happened, for people.'),
    column('First Seen', 'firstSeen', 'When the event was first observed.', wide),
    column('Count', 'count', 'How often the event was observed.', wide),
    column('Name', 'name', 'The name of the event.', { ...wide, format: 'name' }),
  ],
  (event: SeriesEvent, now) => {
    const firstSeen = ageSince(event.firstTimestamp ?? event.eventTime, now)
    return {
      lastSeen: lastSeenOf(event, firstSeen, now),
      type: event.type ?? '',
      reason: event.reason ?? '',
      target: targetOf(event),
      part: event.involvedObject.fieldPath ?? '',
      source: sourceOf(event),
      message: (event.message ?? '').trim(),
      firstSeen,
      count: countOf(event),
    }
  },
)
