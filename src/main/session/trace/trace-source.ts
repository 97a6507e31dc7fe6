import type { MirrorHistoryEntry } from '../../../shared/model/pod-objects.ts'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import type { ProbeView } from '../../../shared/model/probe-view.ts'
import type { UidTranslation } from '../../../shared/model/pod-detail.ts'
import type { TimelineQuery, TimelineView } from '../../../shared/model/timeline/timeline.ts'
import type { HubCluster } from '../hub.ts'

/**
 * What pages are shown, whoever saw it: our own kubelets and the evidence about a real node (`ClusterSession`), a recording
 * (`RecordedSession`), the log of a kubelet (`LogSession`). Rows, details with histories and explanations, flow and timeline
 * have one shape; what is inferred carries its evidence and its certainty, and what a source cannot know is empty.
 */
export interface TraceSource extends HubCluster {
  readonly isPaused: boolean
  readonly touchView: () => void
  /** The pod workers over time; lanes have the keys of their rows. */
  readonly timeline: (query: TimelineQuery) => TimelineView
  /** Both UIDs of a static pod, given either; undefined if the UID belongs to no static pod here. */
  readonly translate: (uid: string) => UidTranslation | undefined
  /** Null: there is no such pod. */
  readonly probes: (key: PodKey) => readonly ProbeView[] | null
  readonly mirrorHistory: (key: PodKey) => readonly MirrorHistoryEntry[]
}
