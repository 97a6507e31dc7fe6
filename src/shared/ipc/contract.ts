import type { Act } from '../model/act.ts'
import type { ClusterView } from '../model/cluster-view.ts'
import type { PodDetail, UidTranslation } from '../model/pod-detail.ts'
import type { PodKey, PodRow } from '../model/pod-row.ts'
import type { Result } from '../result.ts'

/** Names the program to the page: sent once with the snapshot. */
export interface ProgramView {
  readonly version: string
  readonly host: 'electron' | 'web'
  readonly readOnly: boolean
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
  /** Whole views of the clusters that changed. */
  readonly clusters: readonly ClusterView[]
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
