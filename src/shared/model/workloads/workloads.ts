/** Kinds of owners whose controllers make pods. */
export const ownerKinds = [
  'CronJob',
  'DaemonSet',
  'Deployment',
  'Job',
  'ReplicaSet',
  'ReplicationController',
  'StatefulSet',
] as const

export type OwnerKind = (typeof ownerKinds)[number]

/** One object whose controller makes pods, or makes others that make them. Times are ms on the cluster's clock. */
export interface OwnerView {
  readonly uid: string
  readonly kind: OwnerKind
  readonly namespace: string
  readonly name: string
  /** UID of its controller; null: it has none. */
  readonly parent: string | null
  /** How many pods (of a CronJob: jobs) it wants; null: its controller has not counted yet. */
  readonly wanted: number | null
  /** How many of them are ready; of a Job: how many have succeeded. */
  readonly ready: number
  /** How its rollout or its work stands, in one clause; empty if nothing is to be said. */
  readonly note: string
  /** `bad`: it cannot go on by itself. */
  readonly tone: 'plain' | 'wait' | 'bad' | 'done'
  /** spec.paused of a Deployment, spec.suspend of a Job or a CronJob. */
  readonly isPaused: boolean
  readonly createdAt: number | null
  /** Being deleted since; null: it is not. */
  readonly deletedAt: number | null
}

/** A pod that no node has. */
export interface UnboundPod {
  readonly uid: string
  readonly namespace: string
  readonly name: string
  readonly createdAt: number | null
  /** Of its PodScheduled condition, whole; empty before the scheduler has tried. */
  readonly message: string
  readonly reason: string
  /** Names of its scheduling gates. */
  readonly gates: readonly string[]
  /** status.nominatedNodeName; empty without one. */
  readonly nominatedNode: string
}

/** What the scheduler's filters say of one node for a pod. */
export interface NodeVerdict {
  readonly node: string
  /** The first filter that rejects the node; empty: all pass. */
  readonly plugin: string
  /** In the scheduler's words. */
  readonly reasons: readonly string[]
  /** Pods of lower priority may be preempted there for it. */
  readonly mayPreempt: boolean
}

/** One pod that its owner has made after another one was lost. */
export interface Replacement {
  /** UID of the owner. */
  readonly owner: string
  readonly gone: {
    readonly uid: string
    readonly name: string
    readonly createdAt: number | null
    /** When its end began: its deletion, or that it was Failed. */
    readonly leftAt: number
    /** When it no longer ran; null: not yet. */
    readonly endedAt: number | null
    /** `deleted`, or the reason of its status. */
    readonly how: string
  }
  readonly made: {
    readonly uid: string
    readonly name: string
    readonly createdAt: number
    /** When a node had it; null: not yet. */
    readonly boundAt: number | null
  }
}

/** Who owns the pods of a cluster. The pods themselves are rows of the page. */
export interface WorkloadsView {
  /** By namespace, kind and name. */
  readonly owners: readonly OwnerView[]
  /** The longest without a node first. */
  readonly unbound: readonly UnboundPod[]
  /** The newest first, at most one for each owner. */
  readonly replacements: readonly Replacement[]
  /** Kinds that could not be read, and why. `missingRule`: the RBAC rule that would allow it, as YAML; else empty. */
  readonly problems: readonly {
    readonly resource: string
    readonly message: string
    readonly missingRule: string
  }[]
  /** Every kind has been listed once. */
  readonly isComplete: boolean
  /** Why there is nothing to show, in one sentence; else empty. */
  readonly nothing: string
}
