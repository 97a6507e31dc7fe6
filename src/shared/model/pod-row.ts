import type { PodSource } from './pod-source.ts'

/**
 * `<cluster>/<node>/<uid>`: a static uid is a hash that two clusters can share, so it is not a key by itself. The node is
 * empty for a pod that is on none of the cluster's nodes that run here; once it is bound to one its key changes.
 */
export type PodKey = string

/**
 * The worker of a pod in one word. `waiting`: a static pod whose full name is still held by another
 * uid, or a worker that has not consumed its first update; `none`: no worker, `reason` says why; `noKubelet`: no
 * kubelet has the pod, only the API server.
 */
export type WorkerStateWord =
  | 'waiting'
  | 'SyncPod'
  | 'TerminatingPod'
  | 'TerminatedPod'
  | 'TerminatedAndRecreatedPod'
  | 'finished'
  | 'none'
  | 'noKubelet'

/** `mirror` is an orphan: a mirror whose static pod this kubelet does not know. Other mirrors are part of their static pod's row. */
export type PodKind = 'regular' | 'static' | 'mirror'

/** `bad` red, `wait` amber, `term` terminating, `done` muted, `plain` nothing to see. Never the only sign: the word is shown too. */
export type StatusTone = 'plain' | 'bad' | 'wait' | 'term' | 'done'

/** `running`: and ready. */
export type ContainerBrick = 'running' | 'notready' | 'down' | 'exited' | 'waiting'

/** How a static pod stands with the API: `stale`: the mirror's hash is of another version; `deleting`: the mirror has a deletionTimestamp. */
export type MirrorState = 'matched' | 'missing' | 'stale' | 'deleting'

/**
 * What STATUS alone hides. `kubelet`: the kubelet's own status is another; `api`: the API object is gone, or is an
 * older pod's; `reason`: `status.reason`, where kubectl shows a container's reason instead.
 */
export interface StatusAside {
  readonly from: 'kubelet' | 'api' | 'reason'
  readonly word: string
}

export interface GraceView {
  /** The grace in use, in seconds. */
  readonly seconds: number
  /** ms on the cluster's clock: when the stop began and when SIGKILL is due. */
  readonly startedAt: number
  readonly killAt: number
}

/** One line of the table: slim, plain JSON, no objects of the API. Times are ms on the cluster's clock. */
export interface PodRow {
  readonly key: PodKey
  readonly cluster: string
  readonly node: string
  readonly uid: string
  readonly namespace: string
  readonly name: string
  readonly readyContainers: number
  readonly totalContainers: number
  /**
   * kubectl's STATUS word for the API object (a static pod's mirror; its local status while it has none); empty for a
   * static pod that waits to start while the mirror is still the old pod's.
   */
  readonly status: string
  /** Nothing tells its status: `status` is empty, and it has no containers. */
  readonly isStatusUnknown?: true
  readonly statusAside: StatusAside | null
  readonly tone: StatusTone
  readonly restarts: number
  readonly lastRestartAt: number | null
  readonly createdAt: number | null
  /** UID of its controller; null: it has none. */
  readonly owner: string | null
  readonly source: PodSource
  readonly kind: PodKind
  readonly worker: WorkerStateWord
  /** One short sentence where the word alone does not say enough; else empty. */
  readonly workerReason: string
  /** What `workerReason` says passes by itself: the scheduler or the kubelet is about to see the pod. */
  readonly isMomentary?: true
  /** The pod's node is cut off from the API server by hand. */
  readonly isCutOff?: true
  readonly grace: GraceView | null
  readonly mirror: MirrorState | null
  readonly mirrorUid: string | null
  /** One sentence where the mirror is not `matched`: why, and what makes it right; else empty. */
  readonly mirrorReason: string
  /**
   * Finalizers of an API object that is being deleted and that the kubelet no longer needs: the object stays
   * until their owners remove them. Empty otherwise.
   */
  readonly heldBy: readonly string[]
  /** How many of its fields the simulator does not act on, or not as a real node would; the detail lists them. */
  readonly notSimulated: number
  /** Of the API object, a static pod's mirror. */
  readonly labels: Readonly<Record<string, string>>
  /** Values of fields for field selectors, by name, where they are not the usual ones; see row-selectors.ts. */
  readonly fields: Readonly<Record<string, string>>
  readonly bricks: readonly { readonly name: string; readonly state: ContainerBrick }[]
}
