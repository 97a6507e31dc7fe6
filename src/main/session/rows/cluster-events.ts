import type { KubeEvent } from '../../../shared/kubernetes/objects.ts'
import { timeOf } from '../../../shared/kubernetes/printers/age.ts'
import { eventsPerPage } from '../../../shared/model/timeline/cluster-events.ts'
import type {
  ClusterEventList,
  ClusterEventQuery,
  ClusterEventView,
} from '../../../shared/model/timeline/cluster-events.ts'
import type { TraceEvent } from '../../../shared/model/trace-event.ts'

function eventView(event: KubeEvent): ClusterEventView {
  const { metadata, involvedObject: object, source } = event
  const madeAt = timeOf(event.eventTime ?? undefined) ?? timeOf(metadata.creationTimestamp) ?? 0
  const firstAt = timeOf(event.firstTimestamp ?? undefined) ?? madeAt
  return {
    uid: metadata.uid,
    type: event.type ?? 'Normal',
    reason: event.reason ?? '',
    message: event.message ?? '',
    source: source?.component || event.reportingComponent || '',
    node: source?.host ?? '',
    kind: object.kind ?? '',
    namespace: object.namespace ?? '',
    name: object.name ?? '',
    about: object.uid ?? '',
    count: event.count ?? 1,
    firstAt,
    lastAt: Math.max(firstAt, timeOf(event.lastTimestamp ?? undefined) ?? madeAt),
  }
}

function isMatch(
  view: ClusterEventView,
  { node, namespace, onlyWarnings }: ClusterEventQuery,
  words: readonly string[],
): boolean {
  if (node !== null && view.node !== node && !(view.kind === 'Node' && view.name === node))
    return false
  if (namespace !== '' && view.namespace !== namespace) return false
  if (onlyWarnings && view.type !== 'Warning') return false
  const { kind, name, reason, message, source } = view
  const whole = `${kind}/${name} ${reason} ${message} ${source}`.toLowerCase()
  return words.every((word) => whole.includes(word))
}

function pageOf(
  views: readonly ClusterEventView[],
  query: ClusterEventQuery,
  note: string,
): ClusterEventList {
  const words = query.filter.toLowerCase().split(/\s+/).filter(Boolean)
  const matching = views
    .filter((view) => isMatch(view, query, words))
    .toSorted((one, other) => other.lastAt - one.lastAt || other.firstAt - one.firstAt)
  return {
    events: matching.slice(query.skip, query.skip + eventsPerPage),
    matching: matching.length,
    total: views.length,
    namespaces: [...new Set(views.map(({ namespace }) => namespace))].filter(Boolean).toSorted(),
    note,
  }
}

/** A page of the API's events, newest first. `note`: why they are not all. Pure. */
export function clusterEvents(
  events: readonly KubeEvent[],
  query: ClusterEventQuery,
  note: string,
): ClusterEventList {
  return pageOf(events.map(eventView), query, note)
}

/** The same of events that a kubelet's trace has; equal ones are counted, as in the API server. Pure. */
export function tracedEvents(
  trace: readonly TraceEvent[],
  query: ClusterEventQuery,
  note: string,
): ClusterEventList {
  const views = new Map<string, ClusterEventView>()
  for (const event of trace.toSorted((a, b) => a.seq - b.seq)) {
    if (event.kind !== 'event.recorded') continue
    const { type, reason, message } = event.data
    const { subject, node } = event
    const object = 'uid' in subject ? subject : { uid: '', namespace: '', name: node }
    const isPod = subject.kind === 'pod' || ('resource' in subject && subject.resource === 'pods')
    const { uid: about, namespace, name } = object
    const key = JSON.stringify([node, about, namespace, name, type, reason, message])
    const before = views.get(key)
    views.set(key, {
      uid: String(event.seq),
      type,
      reason,
      message,
      source: 'kubelet',
      node,
      kind: isPod ? 'Pod' : 'Node',
      namespace,
      name,
      about,
      count: (before?.count ?? 0) + 1,
      firstAt: before?.firstAt ?? event.at,
      lastAt: event.at,
    })
  }
  return pageOf([...views.values()], query, note)
}
