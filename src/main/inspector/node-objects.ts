import type { KubeEvent, Lease, Node, Pod } from '../../shared/kubernetes/objects.ts'
import { fromTimestamp } from '../../shared/kubernetes/timestamps.ts'
import type { EventFact, Fact } from '../../shared/model/inspect/evidence.ts'

/** The API's objects of one node, as a watch has them. `at`: when the watch last gave anything, ms. */
export interface NodeObjects {
  /** Of the node, mirrors among them. */
  readonly pods: () => Fact<readonly Pod[]>
  readonly node: () => Node | undefined
  readonly lease: () => Fact<Lease | undefined>
  /** About the node's pods; may hold others. */
  readonly events: () => readonly KubeEvent[]
  /** Since when the API server does not respond, ms; null if it does. */
  readonly apiAwaySince: () => number | null
}

/** The same while a page looks at the node. */
export interface WatchedObjects extends NodeObjects {
  readonly start: () => void
  readonly stop: () => void
}

function timeOf({ eventTime, lastTimestamp, firstTimestamp, metadata }: KubeEvent): number {
  return (
    fromTimestamp(lastTimestamp ?? eventTime ?? firstTimestamp ?? metadata.creationTimestamp) ?? 0
  )
}

/** Events by the UID of what they are about, newest first. */
export function eventsByUid(
  events: readonly KubeEvent[],
): ReadonlyMap<string, readonly EventFact[]> {
  const found = new Map<string, EventFact[]>()
  for (const event of events) {
    const { reason = '', message = '', involvedObject } = event
    const fact = { reason, message, at: timeOf(event) }
    const same = found.get(involvedObject.uid ?? '')
    if (same === undefined) found.set(involvedObject.uid ?? '', [fact])
    else same.push(fact)
  }
  for (const facts of found.values()) facts.sort((a, b) => b.at - a.at)
  return found
}
