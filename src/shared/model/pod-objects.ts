import type { TraceEvent, TraceSeq } from './trace-event.ts'

/** The objects behind one row, as plain JSON of the API. */
export interface PodObjects {
  /** As the kubelet works with it; null for an orphaned mirror, and where no kubelet has the pod. */
  readonly pod: object | null
  /** The object that the API server has now; null for a static pod, whose object is the mirror, and where there is none. */
  readonly api: object | null
  /** Why the API object could not be read, in one sentence; else empty. */
  readonly apiNote: string
  /** The static pod's mirror as the kubelet last saw it; null for other pods and while there is none. */
  readonly mirror: object | null
  /** The last status that the kubelet computed; null when it has none. */
  readonly status: object | null
}

/** One event of the API about a pod, or about its mirror. */
export interface PodEventView {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
  /** Which uid it is recorded under. */
  readonly under: 'pod' | 'mirror'
  /** Component that reported it: `kubelet`, `default-scheduler`. */
  readonly source: string
  readonly count: number
  /** ms on the cluster's clock. */
  readonly firstAt: number
  readonly lastAt: number
  /** `spec.containers{web}`, or empty. */
  readonly fieldPath: string
}

/** Events of a pod over both its uids, newest first. */
export interface PodEventList {
  readonly events: readonly PodEventView[]
  /** Why the list is not whole (the credentials may not list events, the server is away); else empty. */
  readonly note: string
}

/** One thing that happened to the mirror of a static pod. Newest first in lists. */
export interface MirrorHistoryEntry {
  readonly seq: TraceSeq
  readonly at: number
  readonly kind: 'created' | 'deleted' | 'linked' | 'unlinked' | 'failed' | 'skipped'
  readonly mirrorUid: string
  readonly staticUid: string
  /** One short sentence. */
  readonly text: string
}

/** An event with the events that led to it and that it led to, oldest first. */
export interface CausalChain {
  readonly seq: TraceSeq
  readonly events: readonly TraceEvent[]
  /** True where older causes have left the trace, or are more than are sent. At most 80 events are. */
  readonly isCut: boolean
}
