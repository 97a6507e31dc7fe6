import type { Act } from '../model/act.ts'
import type { ClockView, ClusterView } from '../model/cluster-view.ts'
import type { FlowView } from '../model/flow.ts'
import type {
  ManifestCheck,
  ManifestReceipt,
  ManifestText,
  ManifestsView,
} from '../model/manifests.ts'
import type { ExhibitView } from '../model/museum.ts'
import type { NodeAct } from '../model/node-act.ts'
import type { PodDetail, UidTranslation } from '../model/pod-detail.ts'
import type { CausalChain, MirrorMoment, PodEventList, PodObjects } from '../model/pod-objects.ts'
import type { PodKey, PodRow } from '../model/pod-row.ts'
import type { TraceSeq } from '../model/trace-event.ts'
import type { Result } from '../result.ts'

/** Names the program to the page: sent once with the snapshot. */
export interface ProgramView {
  readonly version: string
  readonly host: 'electron' | 'web'
  readonly readOnly: boolean
  /** `namespace/name` of the pod that was named at the start, to be shown first; else empty. */
  readonly openPod: string
}

/** Names one node of one cluster. */
export interface NodeRef {
  readonly cluster: string
  readonly node: string
}

/** All the UI needs to draw its first picture. Patches with the same epoch and higher numbers follow. */
export interface Snapshot {
  readonly epoch: string
  /** Number of the last patch that this snapshot already contains. */
  readonly number: number
  readonly program: ProgramView
  readonly clusters: readonly ClusterView[]
  readonly rows: readonly PodRow[]
}

/** Changes since the patch before. `now` holds each cluster's clock (ms) at the time of sending. */
export interface ViewPatch {
  readonly epoch: string
  readonly number: number
  readonly now: Readonly<Record<string, number>>
  readonly upserts: readonly PodRow[]
  readonly removed: readonly PodKey[]
  /** Whole views of the clusters that changed, and of those that are new. */
  readonly clusters: readonly ClusterView[]
  /** Ids of clusters that are not open any more; their rows go with them, before anything else is taken. */
  readonly closed: readonly string[]
}

/** Why an act was not done. `refused`: the rules say no; `not-found`: no such pod (any more); `failed`: it was tried and went wrong. */
export interface ActError {
  readonly kind: 'refused' | 'not-found' | 'failed' | 'read-only'
  readonly message: string
}

/** What came of an act that was begun. `message` is one sentence for the toast. */
export interface ActReceipt {
  readonly act: Act
  readonly message: string
}

/** What came of something done to a node or a cluster. `message` is one sentence for the toast. */
export interface Receipt {
  readonly message: string
}

/** The clock as it is after the command; for a step also what happened. */
export interface ClockReceipt {
  readonly clock: ClockView
  /** The first event of the step and how many there were; null when nothing was due. */
  readonly stepped: {
    readonly seq: TraceSeq
    readonly at: number
    readonly events: number
  } | null
}

/** Renderer -> main. Every entry: arguments, reply. Arguments are checked by guards.ts before the handler sees them. */
export interface Requests {
  /** Starts (again) from a full picture; patches follow until the connection closes. */
  'view.open': { readonly args: Record<never, never>; readonly reply: Snapshot }
  /** The page has drawn this patch; the next one goes only then. */
  'view.acknowledge': {
    readonly args: { readonly epoch: string; readonly number: number }
    readonly reply: null
  }
  /** The pod whose detail this page wants kept current; null for none. Replies with it at once. */
  'pod.watch': { readonly args: { readonly key: PodKey | null }; readonly reply: PodDetail | null }
  'pod.describe': { readonly args: { readonly key: PodKey }; readonly reply: PodDetail | null }
  'uid.translate': {
    readonly args: { readonly cluster: string; readonly uid: string }
    readonly reply: UidTranslation | null
  }
  /** killPodNow without evict. `gracePeriodSeconds` null: the pod's own. */
  'pod.kill': {
    readonly args: { readonly key: PodKey; readonly gracePeriodSeconds: number | null }
    readonly reply: Result<ActReceipt, ActError>
  }
  'pod.evictByKubelet': {
    readonly args: { readonly key: PodKey }
    readonly reply: Result<ActReceipt, ActError>
  }
  'pod.evictThroughApi': {
    readonly args: { readonly key: PodKey; readonly gracePeriodSeconds: number | null }
    readonly reply: Result<ActReceipt, ActError>
  }
  /** Deletes the object through the API server. `gracePeriodSeconds` null: the pod's own. */
  'pod.delete': {
    readonly args: { readonly key: PodKey; readonly gracePeriodSeconds: number | null }
    readonly reply: Result<ActReceipt, ActError>
  }
  /** Deletes the object at once, grace 0: `kubectl delete --force --grace-period=0`. */
  'pod.forceDelete': {
    readonly args: { readonly key: PodKey }
    readonly reply: Result<ActReceipt, ActError>
  }
  /** Deletes the mirror of a static pod, whose containers run on. `force`: with grace 0. */
  'pod.deleteMirror': {
    readonly args: { readonly key: PodKey; readonly force: boolean }
    readonly reply: Result<ActReceipt, ActError>
  }
  'pod.objects': { readonly args: { readonly key: PodKey }; readonly reply: PodObjects | null }
  'pod.events': { readonly args: { readonly key: PodKey }; readonly reply: PodEventList | null }
  /** Comings and goings of a static pod's mirror, newest first, bounded; over all uids of its full name. */
  'mirror.history': {
    readonly args: { readonly key: PodKey }
    readonly reply: readonly MirrorMoment[]
  }
  /** The node whose flow this page shows; null for none. Replies with it at once; `flow.changed` follows. */
  'flow.watch': {
    readonly args: { readonly node: NodeRef | null }
    readonly reply: FlowView | null
  }
  /** The causes and effects of one event; null when it has left the rings. */
  'trace.related': {
    readonly args: { readonly cluster: string; readonly seq: TraceSeq }
    readonly reply: CausalChain | null
  }
  /** The clock's commands; refused where the clock is the system's. */
  'clock.pause': {
    readonly args: { readonly cluster: string }
    readonly reply: Result<ClockReceipt, ActError>
  }
  'clock.run': {
    readonly args: { readonly cluster: string }
    readonly reply: Result<ClockReceipt, ActError>
  }
  /** Pauses if it runs, then fires timers until the next event of the trace. */
  'clock.step': {
    readonly args: { readonly cluster: string }
    readonly reply: Result<ClockReceipt, ActError>
  }
  /** 0.1 to 1000. */
  'clock.setSpeed': {
    readonly args: { readonly cluster: string; readonly speed: number }
    readonly reply: Result<ClockReceipt, ActError>
  }
  /** Asks a server that is away now, rather than after its back-off. */
  'cluster.retry': {
    readonly args: { readonly cluster: string }
    readonly reply: Result<null, ActError>
  }
  /**
   * The two grace periods count for `shutDown` alone, in seconds, with the meaning of the kubelet's
   * shutdownGracePeriod and shutdownGracePeriodCriticalPods; null takes the defaults.
   */
  'node.act': {
    readonly args: NodeRef & {
      readonly act: NodeAct
      readonly shutdownGraceSeconds: number | null
      readonly criticalGraceSeconds: number | null
    }
    readonly reply: Result<Receipt, ActError>
  }
  /** Cuts the way from the nodes of a sandbox to its API server; kubectl and this page still have theirs. */
  'cluster.cutOff': {
    readonly args: { readonly cluster: string }
    readonly reply: Result<Receipt, ActError>
  }
  'cluster.reconnect': {
    readonly args: { readonly cluster: string }
    readonly reply: Result<Receipt, ActError>
  }
  'museum.list': {
    readonly args: Record<never, never>
    readonly reply: readonly ExhibitView[]
  }
  /** Opens an exhibit as a sandbox of its own, at its moment, with its clock paused. Open already: that one. */
  'museum.open': {
    readonly args: { readonly id: string }
    readonly reply: Result<{ readonly cluster: string }, ActError>
  }
  'museum.close': {
    readonly args: { readonly cluster: string }
    readonly reply: Result<Receipt, ActError>
  }
  'manifests.list': { readonly args: NodeRef; readonly reply: ManifestsView | null }
  'manifests.read': {
    readonly args: NodeRef & { readonly name: string }
    readonly reply: Result<ManifestText, ActError>
  }
  'manifests.check': {
    readonly args: NodeRef & { readonly name: string; readonly text: string }
    readonly reply: Result<ManifestCheck, ActError>
  }
  /** `create`: refused where the file exists; else refused where it does not. What is not valid may be written: people learn from it. */
  'manifests.write': {
    readonly args: NodeRef & {
      readonly name: string
      readonly text: string
      readonly create: boolean
    }
    readonly reply: Result<ManifestReceipt, ActError>
  }
  'manifests.remove': {
    readonly args: NodeRef & { readonly name: string }
    readonly reply: Result<ManifestReceipt, ActError>
  }
  /** Takes back the change of this id; refused where the file has changed since. */
  'manifests.undo': {
    readonly args: NodeRef & { readonly id: number }
    readonly reply: Result<ManifestReceipt, ActError>
  }
  /** Puts back the last version of the file that was good. */
  'manifests.restore': {
    readonly args: NodeRef & { readonly name: string }
    readonly reply: Result<ManifestReceipt, ActError>
  }
  /** An error or warning of the page, for the program's log. */
  'log.write': {
    readonly args: {
      readonly level: 'warn' | 'error'
      readonly message: string
      readonly detail: string
    }
    readonly reply: null
  }
}

/** Main -> renderer. */
export interface Events {
  'view.patched': ViewPatch
  'pod.detailed': PodDetail
  'flow.changed': FlowView
}

export type RequestName = keyof Requests
export type EventName = keyof Events

/** One handler per request: a missing one does not compile. `Connection` tells the pages apart. */
export type RequestHandlers<Connection> = {
  readonly [K in RequestName]: (
    args: Requests[K]['args'],
    connection: Connection,
  ) => Promise<Requests[K]['reply']>
}

/**
 * What the renderer holds, the same over Electron's IPC and a WebSocket. `request` rejects only when
 * the connection is lost or main refused malformed arguments. `subscribe` returns its unsubscribe.
 */
export interface Bridge {
  readonly request: <K extends RequestName>(
    name: K,
    args: Requests[K]['args'],
  ) => Promise<Requests[K]['reply']>
  readonly subscribe: <K extends EventName>(
    name: K,
    listener: (payload: Events[K]) => void,
  ) => () => void
  /** Whether main can be reached; `listener` is called on every change. Electron's bridge is always connected. */
  readonly onConnection: (listener: (state: 'connected' | 'lost') => void) => () => void
  /**
   * Main will never take this page (no token, or one of an earlier start): one sentence for the user.
   * Called at once if it has happened already. Absent where that cannot be (Electron).
   */
  readonly onRefused?: (listener: (message: string) => void) => () => void
}
