import type { NotSimulated } from '../not-simulated/not-simulated.ts'
import type { SourceProblem } from './cluster-view.ts'

/**
 * How a manifest file stands. `running`: its pod is in the kubelet's config; `rejected`: it cannot be
 * decoded or is not valid; `shadowed`: another file defines the same pod and wins; `skipped`: no manifest
 * (a folder, a socket); `waiting`: read and good, and not yet in a SET.
 */
export type ManifestState = 'running' | 'rejected' | 'shadowed' | 'skipped' | 'waiting'

/** One entry of the manifest folder. */
export interface ManifestFile {
  /** Name in the folder. */
  readonly name: string
  readonly state: ManifestState
  /** The pod it defines, with the node's suffix in the name; empty where it cannot be decoded. */
  readonly namespace: string
  readonly podName: string
  readonly uid: string
  readonly problem: SourceProblem | null
  /** One sentence for `shadowed` and `skipped`, else empty. */
  readonly note: string
  /** ms on the system clock. */
  readonly modifiedAt: number
  /** Whether a version that was good before can be put back. */
  readonly hasGoodVersion: boolean
}

/** A change made from here that can be taken back. */
export interface ManifestUndo {
  readonly id: number
  /** `added web.yaml`, `changed web.yaml`, `removed web.yaml`. */
  readonly text: string
}

/** The manifest folder of one node. */
export interface ManifestsView {
  readonly cluster: string
  readonly node: string
  /** Absolute; a single file where the source is one. */
  readonly folder: string
  readonly isSingleFile: boolean
  /** Why nothing can be written here; empty when it can. */
  readonly readOnlyBecause: string
  readonly files: readonly ManifestFile[]
  /** The newest change that `manifests.undo` would take back; null when there is none. */
  readonly undo: ManifestUndo | null
  /** Static pods from the third source, where one was given. */
  readonly url: {
    readonly url: string
    /** What the last answer was: `200, same bytes`, `connection refused`. */
    readonly lastAnswer: string
    /** ms on the cluster's clock; null before the first poll. */
    readonly polledAt: number | null
    readonly nextPollAt: number | null
    readonly pods: readonly {
      readonly namespace: string
      readonly podName: string
      readonly uid: string
    }[]
  } | null
}

/** The text of a file with what the kubelet makes of it. */
export interface ManifestText {
  readonly name: string
  readonly text: string
  /** The version that was last good, where the present one is not; null otherwise or when none is known. */
  readonly goodText: string | null
}

/** What the kubelet would make of a text under a name, before it is written. */
export interface ManifestCheck {
  readonly ok: boolean
  /** Empty when it is fine. `where` is the name. */
  readonly problems: readonly SourceProblem[]
  /** What of the pod would have no effect here, or less than on a real node. */
  readonly notSimulated: readonly NotSimulated[]
  /** The pod it would define; null when it cannot be decoded. */
  readonly pod: {
    readonly namespace: string
    readonly name: string
    readonly uid: string
  } | null
  /** What writing it would do, one sentence: which pod stops, which starts, or that nothing changes. */
  readonly effect: string
}

export interface ManifestReceipt {
  /** One sentence for the toast. */
  readonly message: string
}
