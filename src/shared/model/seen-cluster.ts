import type { NodeObject } from './node/node-object.ts'
import type { DrainProgress } from './seen/drain.ts'

/** One condition of a Node. `since`: ms since 1970 of its last transition; null if the Node does not say. */
export interface SeenCondition {
  readonly type: string
  /** `True`, `False` or `Unknown`. */
  readonly status: string
  readonly reason: string
  readonly message: string
  readonly since: number | null
}

/** A node whose kubelet is not this program, as the API server has it. Times are ms since 1970. */
export interface SeenNode extends NodeObject {
  readonly name: string
  /** kubectl's STATUS: `Ready`, `NotReady` or `Unknown`, with `,SchedulingDisabled`. */
  readonly status: string
  /** Pods that are bound to it and have not ended. */
  readonly pods: number
  /** The mirrors among all pods that are bound to it. */
  readonly mirrors: number
  /** The static pods of its kubelet when /pods was last read here; null: it was not. `at`: ms on the system clock. */
  readonly statics: { readonly count: number; readonly at: number } | null
  readonly conditions: readonly SeenCondition[]
  /** Quantities by resource, as the Node has them. */
  readonly capacity: Readonly<Record<string, string>>
  readonly allocatable: Readonly<Record<string, string>>
  /** Null: no Lease of this name is known. `renewals`: the last ones that were seen, oldest first; `count`: all of them. */
  readonly lease: {
    readonly renewedAt: number
    readonly durationSeconds: number
    readonly renewals: readonly number[]
    readonly count: number
  } | null
  /** What its pods request, by resource, in the smallest unit of `quantity`: millicores, bytes, numbers. */
  readonly requested: Readonly<Record<string, number>>
  /** What the control plane does because of it. */
  readonly loss: NodeLoss
}

/**
 * What the control plane does with a node that is not Ready, with the defaults of kube-controller-manager, which cannot be
 * read. Times are ms since 1970.
 */
export type NodeLoss =
  /** Its lease is current. */
  | { readonly kind: 'none' }
  /** The lease is not renewed: at `unknownAt` Ready becomes Unknown. */
  | { readonly kind: 'late'; readonly unknownAt: number }
  /** Tainted with NoExecute: pods are deleted when their toleration ends. */
  | {
      readonly kind: 'tainted'
      /** `node.kubernetes.io/unreachable` or `node.kubernetes.io/not-ready`. */
      readonly taint: string
      /** `timeAdded` of the taint; null if it has none. */
      readonly since: number | null
      /** Pods that are deleted then, by time; those that are being deleted already are not counted. */
      readonly deletions: readonly { readonly at: number; readonly pods: number }[]
      /** Pods that tolerate the taint forever. */
      readonly staying: number
    }
  /** Not Ready, but not tainted. */
  | { readonly kind: 'notReady' }

/** What a cluster that is only looked at is read with. Times are ms on the system clock. */
export interface WatchView {
  readonly resource: 'nodes' | 'pods' | 'leases' | 'events' | 'poddisruptionbudgets'
  /** Objects in the store. */
  readonly count: number
  /** When the last list or change arrived; null before the first. */
  readonly lastAt: number | null
  /** `listing`: the first list is under way; `away`: what is shown is as of `lastAt`, and `problem` says why. */
  readonly state: 'listing' | 'watching' | 'away'
  readonly problem: string
  /** The RBAC rule that is missing, as YAML; empty unless the server refused with 403. */
  readonly missingRule: string
}

/**
 * Whether the page may change the cluster. `isFixed`: by the command line, so that nothing here can allow it. `endsAt`: ms
 * on the system clock, 15 minutes after the last change.
 */
export type ChangesView =
  | { readonly kind: 'readOnly'; readonly isFixed: boolean }
  | { readonly kind: 'allowed'; readonly endsAt: number }

/** A credential plugin that runs. */
export interface PluginRun {
  /** ms on the system clock. */
  readonly startedAt: number
  /** What it has printed on stderr for the user, the last 4000 characters: where to sign in, for example. */
  readonly output: string
}

/** A cluster whose nodes run kubelets of their own. */
export interface SeenView {
  readonly context: string
  readonly user: string
  /** The namespace of the context. */
  readonly namespace: string
  /** gitVersion of the API server; empty before it has answered. */
  readonly version: string
  /** Server's clock minus ours, ms; null before it is known. */
  readonly skewMs: number | null
  readonly nodes: readonly SeenNode[]
  readonly watches: readonly WatchView[]
  /** From 0 to 5: the color of the frame of this cluster. */
  readonly color: number
  /** The command line of its credential plugin; empty for none. */
  readonly plugin: string
  /** Null unless that runs. */
  readonly pluginRun: PluginRun | null
  /** The last drain of each node that was begun here. */
  readonly drains: readonly DrainProgress[]
  readonly changes: ChangesView
}
