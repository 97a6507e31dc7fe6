import type { KubeEvent } from '../../../shared/kubernetes/objects.ts'
import { timeOf } from '../../../shared/kubernetes/printers/age.ts'
import type {
  ClusterEventList,
  ClusterEventView,
} from '../../../shared/model/seen/cluster-events.ts'

const shown = 1000

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
    count: event.count ?? 1,
    firstAt,
    lastAt: Math.max(firstAt, timeOf(event.lastTimestamp ?? undefined) ?? madeAt),
  }
}

/** The newest events, of all nodes (null) or those that one node's components reported or that are about it. Pure. */
export function clusterEvents(
  events: readonly KubeEvent[],
  node: string | null,
  note: string,
): ClusterEventList {
  const views = events
    .map(eventView)
    .filter(
      (view) => node === null || view.node === node || (view.kind === 'Node' && view.name === node),
    )
    .toSorted((one, other) => other.lastAt - one.lastAt || other.firstAt - one.firstAt)
  return { events: views.slice(0, shown), total: views.length, note }
}
