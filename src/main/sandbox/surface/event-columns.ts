import { ageSince } from '../../../shared/kubernetes/printers/age.ts'
import type { KubeEvent } from '../../../shared/kubernetes/objects.ts'

/** What `kubectl get events -o wide` shows of one event. */
export interface EventColumns {
  readonly lastSeen: string
  readonly firstSeen: string
  readonly count: number
  /** `pod/web`. */
  readonly target: string
  /** `kubelet, node-1`. */
  readonly source: string
  readonly message: string
}

/** An event that a client of the newer events API counts up by itself. */
export interface SeriesEvent extends KubeEvent {
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
  // An event of the newer API that happened once has no count.
  return event.count === undefined || event.count === 0 ? 1 : event.count
}

/** Source: Kubernetes pkg/printers/internalversion printEvent (v1.34). */
export function eventColumns(event: SeriesEvent, now: number): EventColumns {
  const firstSeen = ageSince(event.firstTimestamp ?? event.eventTime, now)
  return {
    lastSeen: lastSeenOf(event, firstSeen, now),
    firstSeen,
    count: countOf(event),
    target: targetOf(event),
    source: sourceOf(event),
    message: (event.message ?? '').trim(),
  }
}
