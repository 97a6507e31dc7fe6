import type { InferredWorker } from './infer-worker.ts'
import type { KubeletContact } from './evidence.ts'
import type {
  ConfigDifference,
  FigureSample,
  EndpointReading,
  KubeletFigures,
  KubeletProblem,
  NodeUse,
  RelistCounts,
} from './kubelet-facts.ts'
import type { ContainerBrick } from '../pod-row.ts'
import type { PairState } from './mirror-pairs.ts'

/** A container; `up`: it runs, and whether it is ready is not known. */
export interface RunningBrick {
  readonly name: string
  readonly state: ContainerBrick | 'up'
}

/** One pod of a real node. Times in ms. */
export interface InspectRow extends InferredWorker {
  /** By which the kubelet knows it. */
  readonly uid: string
  /** Of the API's object: of a static pod, of its mirror; null: there is none. */
  readonly apiUid: string | null
  readonly namespace: string
  readonly name: string
  readonly isStatic: boolean
  readonly mirror: PairState | null
  /** STATUS and READY of kubectl; null: not in the API. */
  readonly status: string | null
  readonly ready: string | null
  /** STATUS of the kubelet's own copy; null: /pods does not have it. Undefined: not asked. */
  readonly told?: string | null
  /**
   * Containers that /runningpods has, and those that do not run by the kubelet's own copy of the pod; not those that run by the
   * copy alone. Undefined: /runningpods was not read.
   */
  readonly running?: readonly RunningBrick[]
}

/** A serving certificate, as the page shows it before it is accepted. */
export interface CertificateView {
  readonly fingerprint: string
  readonly subject: string
  readonly issuer: string
  readonly notAfter: string
  readonly verifiedBy: 'cluster CA' | 'accepted' | null
  /** Whether it was accepted cannot be changed any more. */
  readonly isPast?: true
}

/** How the kubelet is asked. `problem`: why not, or why not all. */
export interface KubeletSide {
  readonly contact: KubeletContact
  readonly way: 'direct' | 'proxy' | null
  /** `10.0.0.7:10250`; null through the API server. */
  readonly address: string | null
  readonly certificate: CertificateView | null
  readonly problem: KubeletProblem | null
  readonly readings: readonly EndpointReading[]
  /** What cannot be known without the endpoints that gave nothing; whole sentences. */
  readonly notKnown: readonly string[]
  /** Commands that give the rights that are missing; the narrow ones first. */
  readonly missingRights: readonly { readonly resource: string; readonly isBroad: boolean }[]
  /** The ClusterRole that gives the narrow ones, or the broad one where only that helps, as YAML; empty: none is missing. */
  readonly missingRule: string
}

/** What an inspect page shows of one node. Plain JSON. */
export interface InspectView {
  readonly node: string
  /** Why nothing is known, in one sentence; then the rest is empty. */
  readonly nothing?: string
  readonly at: number
  readonly apiReadAt: number
  readonly apiAwaySince: number | null
  /** Sorted: disagreements first, then by namespace and name. */
  readonly rows: readonly InspectRow[]
  readonly lease: { readonly renewedAt: number | null; readonly durationMs: number }
  readonly conditions: readonly {
    readonly type: string
    readonly status: string
    readonly since: number | null
  }[]
  readonly kubelet: KubeletSide
  readonly healthz: string | null
  readonly syncLoop: string | null
  readonly figures: KubeletFigures | null
  readonly figuresAt: number | null
  /** The figures over time, oldest first, as long as the node is looked at; the last half hour. */
  readonly course: readonly FigureSample[]
  /** Over the time of `course`; null: nothing was counted. */
  readonly relists: RelistCounts | null
  readonly configuration: {
    readonly staticPodPath: string
    readonly differences: readonly ConfigDifference[]
    readonly missingFields: readonly string[]
  } | null
  readonly use: NodeUse | null
}
