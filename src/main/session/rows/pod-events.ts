import type { KubeEvent } from '../../../shared/kubernetes/objects.ts'
import type { PodEventList, PodEventView } from '../../../shared/model/pod-objects.ts'
import type { TraceEvent } from '../../../shared/model/trace-event.ts'
import type { ApiError } from '../../kubelet/ports.ts'
import { clause } from '../../../shared/model/explanation/explanation-words.ts'

function milliseconds(...times: readonly (string | null | undefined)[]): number {
  for (const time of times) {
    const parsed = Date.parse(time ?? '')
    if (!Number.isNaN(parsed)) return parsed
  }
  return 0
}

function eventView(event: KubeEvent, under: PodEventView['under']): PodEventView {
  const { firstTimestamp, lastTimestamp, eventTime, metadata } = event
  const firstAt = milliseconds(firstTimestamp, eventTime, metadata.creationTimestamp)
  return {
    type: event.type ?? 'Normal',
    reason: event.reason ?? '',
    message: event.message ?? '',
    under,
    source: event.source?.component || event.reportingComponent || '',
    count: event.count ?? 1,
    firstAt,
    lastAt: Math.max(firstAt, milliseconds(lastTimestamp, eventTime)),
    fieldPath: event.involvedObject.fieldPath ?? '',
  }
}

function newestFirst(events: readonly PodEventView[]): readonly PodEventView[] {
  return events.toSorted((a, b) => b.lastAt - a.lastAt || b.firstAt - a.firstAt)
}

/** The events of a pod's UID and of its mirror's, newest first. Other UIDs of the same name are earlier pods. Pure. */
export function podEvents(
  events: readonly KubeEvent[],
  uids: { readonly pod: string; readonly mirror: string | undefined },
): PodEventList {
  const views = events.flatMap((event) => {
    const { uid } = event.involvedObject
    if (uid === uids.pod) return [eventView(event, 'pod')]
    return uid !== undefined && uid === uids.mirror ? [eventView(event, 'mirror')] : []
  })
  return { events: newestFirst(views), note: '' }
}

/** The events that this kubelet recorded itself; equal ones are counted, as in the API server. Pure. */
export function recordedEvents(trace: readonly TraceEvent[], note: string): PodEventList {
  const views = new Map<string, PodEventView>()
  for (const event of trace.toSorted((a, b) => a.seq - b.seq)) {
    if (event.kind !== 'event.recorded') continue
    const { type, reason, message, fieldPath } = event.data
    const key = JSON.stringify([type, reason, message, fieldPath])
    const before = views.get(key)
    views.set(key, {
      type,
      reason,
      message,
      fieldPath,
      under: 'pod',
      source: 'kubelet',
      count: (before?.count ?? 0) + 1,
      firstAt: before?.firstAt ?? event.at,
      lastAt: event.at,
    })
  }
  return { events: newestFirst([...views.values()]), note }
}

const instead = 'The events that this kubelet recorded since it started are shown instead.'

/** Why the kubelet's own events are shown: the API server has none, since the namespace is missing or an hour has passed. */
export const noneKept = `The API server has no events of this pod. ${instead}`

/** Why the kubelet's own events are shown: the API server did not list them. */
export function notListed(error: ApiError): string {
  switch (error.kind) {
    case 'forbidden':
    case 'unauthorized':
      return `The credentials of this node cannot list events. ${instead}`
    case 'timeout':
    case 'unavailable':
      return `The API server does not respond: ${clause(error.message)}. ${instead}`
    default:
      return `The API server did not list the events: ${clause(error.message)}. ${instead}`
  }
}
