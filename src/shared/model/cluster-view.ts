import type { OpenScenario } from './scenarios/scenario.ts'
import type { SeenView } from './seen-cluster.ts'
import type { NodeObject } from './node/node-object.ts'
import type { NodeFaults } from './node/node-faults.ts'
import type { NodeShutdownView } from './node/node-shutdown-view.ts'
import type { TraceSeq } from './trace-event.ts'
import type { PodSource } from './pod-source.ts'

/** Whether a server answers. Times are ms on the system clock, since a server that is away is away in real time. */
export type ConnectionView =
  | { readonly kind: 'connecting' }
  /** Not started; `message` says in a sentence what it waits for. */
  | { readonly kind: 'waiting'; readonly message: string }
  | { readonly kind: 'connected' }
  | {
      readonly kind: 'away'
      readonly since: number
      readonly retryAt: number | null
      readonly message: string
    }

/** Something wrong with one item of a source, for the place where the user looks. */
export interface SourceProblem {
  /** The file or URL. */
  readonly where: string
  readonly message: string
  /** From 1; null when the position is not known. */
  readonly line: number | null
  readonly column: number | null
}

export interface SourceView {
  readonly source: PodSource
  /** Folder, URL or server. */
  readonly location: string
  readonly ready: boolean
  readonly pods: number
  readonly problems: readonly SourceProblem[]
  /** Grows whenever the source's items or problems changed: what was read of it before is old. */
  readonly revision: number
}

export interface NodeView {
  readonly name: string
  readonly registered: boolean
  /** `Ready`, `NotReady` or `Unknown`, with `,SchedulingDisabled` as kubectl writes it; `Deleted`: the API server has no such Node. */
  readonly status: string
  readonly runtime: string
  /** As its kubelet knows it; null: it is not registered yet. */
  readonly object: NodeObject | null
  /** ms on the cluster's clock; null before the first renewal. */
  readonly leaseRenewedAt: number | null
  readonly leaseDurationSeconds: number
  readonly sources: readonly SourceView[]
  /** Statuses that wait to be written: how many, and the first names, `namespace/name`. */
  readonly unsentStatuses: { readonly count: number; readonly names: readonly string[] }
  /** Events that wait to be written. */
  readonly heldEvents: number
  /** How a graceful shutdown stands. */
  readonly shutdown: NodeShutdownView
  /** shutdownGracePeriod and shutdownGracePeriodCriticalPods of the kubelet's configuration, in seconds; null: not set. */
  readonly shutdownGrace: { readonly total: number; readonly critical: number } | null
  /** Whether a kubelet runs on the node. What a stopped one knew is shown as it was last. */
  readonly agent: 'running' | 'stopped'
  /** Whether the machine is on; without it nothing runs, no container either. */
  readonly machine: 'on' | 'off'
  /** Whether its way to the API server was cut by hand; null where it cannot be. */
  readonly isCutOff: boolean | null
  readonly faults: NodeFaults
}

/** One thing the sync loop did, newest first in `recent`. `text` is short: `ADD api default/web (mirror)`. */
export interface LoopEntry {
  readonly seq: TraceSeq
  readonly at: number
  readonly input: 'config' | 'pleg' | 'probe' | 'sync' | 'housekeeping'
  readonly text: string
}

export interface LoopView {
  readonly node: string
  readonly iterations: number
  readonly recent: readonly LoopEntry[]
}

export interface ClockView {
  /** ms since the epoch on the cluster's clock, when this was made. */
  readonly now: number
  readonly virtual: boolean
  readonly paused: boolean
  /** Virtual milliseconds per real one; 1 on the system clock, 0 never (see `paused`). */
  readonly speed: number
  /** The speed that the machine reached over the last second; null where that is not measured. */
  readonly achieved: number | null
}

/**
 * `sandbox`: simulated here. `joined`: one of its nodes is this program. `seen`: only looked at, its nodes run kubelets of
 * their own. `recording`: a file that one of the first two has left. `log`: the log of a kubelet.
 */
export type ClusterKind = 'sandbox' | 'joined' | 'seen' | 'recording' | 'log'

/** A recording that is shown. */
export interface RecordingView {
  /** Name of the file. */
  readonly file: string
  readonly version: string
  readonly schema: number
  /** RFC 3339, on the system clock. */
  readonly recordedAt: string
  /** First and last moment, ms on the recorded cluster's clock. */
  readonly from: number
  readonly to: number
  /** Lines that could not be written. */
  readonly dropped: number
  /** False: the program was killed, or its disk was full. */
  readonly isComplete: boolean
  /** Whether a page has opened it, and can close it. */
  readonly isPageOpened: boolean
}

/** The recording of an open cluster: the one that runs, or the last one. */
export interface RecorderView {
  /** The file, absolute. */
  readonly path: string
  /** ms on the system clock. */
  readonly since: number
  readonly isRunning: boolean
  /** Why it ended by itself, in one sentence; else empty. */
  readonly problem: string
}

export interface ClusterView {
  readonly id: string
  readonly kind: ClusterKind
  /** `sandbox`, or the kubeconfig's context. */
  readonly label: string
  readonly server: string
  readonly connection: ConnectionView
  readonly clock: ClockView
  readonly nodes: readonly NodeView[]
  readonly loops: readonly LoopView[]
  /** The line that makes kubectl talk to this cluster: `export KUBECONFIG=…`; empty when it is the user's own kubeconfig. */
  readonly exportLine: string
  /** Whether a page has joined it as a simulated node, and can end that. */
  readonly isPageJoined: boolean
  /** Folder of static pod manifests of the first node, absolute; empty when there is none. */
  readonly manifestsPath: string
  /** Whether the way from all nodes to the API server was cut by hand; null where it cannot be. */
  readonly isCutOff: boolean | null
  /** The scenario that this cluster was opened from; null for every other cluster. */
  readonly scenario: OpenScenario | null
  /** What is known of a `seen` cluster; null for the others. */
  readonly seen: SeenView | null
  /** Null: the cluster is live. */
  readonly recording: RecordingView | null
  /** Its own recording; null: none was started. */
  readonly recorder: RecorderView | null
}
