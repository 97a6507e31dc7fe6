/** How an event is written (client-go tools/record/event.go). */
import type { KubeEvent, ObjectReference } from '../../shared/kubernetes/objects.ts'
import { toTimestamp } from '../../shared/kubernetes/timestamps.ts'
import type { CorrelatedEvent } from './event-correlator.ts'
import type { ApiClient, ApiError } from './ports.ts'

/** Of a component on a host; of a controller without one. Source: makeEvent. */
export function makeEvent(
  about: Required<Pick<KubeEvent, 'type' | 'reason' | 'message'>> & {
    readonly involvedObject: ObjectReference
    readonly source: { readonly component: string; readonly host?: string }
  },
  now: number,
  count: number,
): KubeEvent {
  const { involvedObject, source } = about
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: {
      name: eventName(involvedObject.name ?? '', now, count),
      // A node has no namespace: its events are in the default namespace. The server gives the event a UID.
      namespace: involvedObject.namespace ?? 'default',
      uid: '',
    },
    ...about,
    firstTimestamp: toTimestamp(now),
    lastTimestamp: toTimestamp(now),
    count: 1,
    eventTime: null,
    reportingComponent: source.component,
    reportingInstance: source.host ?? '',
  }
}

/** By the time in nanoseconds, in hex, as client-go does; `count` stands for the digits that the clock does not have. */
function eventName(subject: string, now: number, count: number): string {
  const nanoseconds = BigInt(Math.floor(now)) * 1_000_000n + BigInt(count % 1_000_000)
  // Joined, not written as a template: it is remembered, and a template keeps its parts in memory.
  return [subject, nanoseconds.toString(16)].join('.')
}

/** Undefined: written. An event to count up that is gone (events live for an hour) is created again. Source: recordEvent. */
export async function recordEvent(
  api: Pick<ApiClient, 'create' | 'patch'>,
  { event, isCountedUp }: CorrelatedEvent,
  causes: readonly number[],
): Promise<ApiError | undefined> {
  const namespace = event.metadata.namespace ?? 'default'
  if (isCountedUp) {
    const { count, lastTimestamp, message } = event
    const patched = await api.patch(
      { resource: 'events', namespace, name: event.metadata.name },
      { type: 'strategic', body: { count, lastTimestamp, message } },
      causes,
    )
    if (patched.ok) return undefined
    if (patched.error.kind !== 'not-found') return patched.error
  }
  const created = await api.create({ resource: 'events', namespace }, event, causes)
  // The response to an earlier attempt was lost.
  if (created.ok || created.error.kind === 'already-exists') return undefined
  return created.error
}
