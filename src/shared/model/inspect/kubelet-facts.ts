import type { Pod } from '../../kubernetes/objects.ts'
import type { Fact, RunningPod } from './evidence.ts'

/** Where the facts of a kubelet come from. */
export type KubeletEndpoint =
  | '/pods'
  | '/runningpods/'
  | '/healthz'
  | '/healthz/syncloop'
  | '/metrics'
  | '/configz'
  | '/stats/summary'

/** An RBAC rule: what `kubectl create clusterrole --verb=… --resource=…` takes. */
export interface RightNeeded {
  readonly verb: 'get'
  /** `nodes/pods`. */
  readonly resource: string
  /** It is also enough to run commands on the node: an exec by WebSocket is a GET. */
  readonly isBroad: boolean
}

/**
 * Why an endpoint gave no facts. `missing-right`: 403; `unauthorized`: 401, its credential is not known to the kubelet;
 * `not-served`: this kubelet has no such endpoint; `untrusted`: its certificate; `no-address`: the Node names none that may be
 * asked; `refused`: nothing listens there; `away`: no answer, or none that can be read; `unhealthy`: an answer that says so.
 */
export interface KubeletProblem {
  readonly kind:
    | 'missing-right'
    | 'unauthorized'
    | 'not-served'
    | 'untrusted'
    | 'no-address'
    | 'refused'
    | 'away'
    | 'unhealthy'
  /** One sentence. */
  readonly message: string
  readonly right?: RightNeeded
}

/** One reading of an endpoint. `at` and `tookMs`: when it was sent, and until its body was read. */
export interface EndpointReading {
  readonly path: KubeletEndpoint
  readonly at: number
  readonly tookMs: number
  readonly bytes: number
  readonly problem: KubeletProblem | null
}

/** Quantiles of a histogram, in seconds, since the reading before if there was one; null: nothing was counted. */
export interface Latency {
  readonly count: number
  readonly p50: number | null
  readonly p99: number | null
}

/** Of a histogram: how many were longer than the bucket before and at most `upTo` seconds; null: longer than all bounds. */
export interface Bucket {
  readonly upTo: number | null
  readonly count: number
}

/** How long the PLEG's relists took. */
export interface RelistCounts {
  /** From when on they are counted, ms; null: from the kubelet's start, whose time is not known. */
  readonly since: number | null
  readonly buckets: readonly Bucket[]
  readonly p50: number | null
  readonly p99: number | null
}

/** What /metrics says. `null`: the kubelet has no such series: its metrics are ALPHA, and absence means unknown. */
export interface KubeletFigures {
  readonly startedAt: number | null
  readonly cpuSeconds: number | null
  /** Workers by life cycle: `sync`, `terminating`, `terminated`. */
  readonly workers: Readonly<Record<string, number>> | null
  readonly desiredPods: number | null
  readonly runningPods: number | null
  readonly runningContainers: number | null
  readonly mirrorPods: number | null
  readonly plegLastSeenAt: number | null
  readonly plegRelist: Latency
  /** Since the kubelet started, shortest first; empty: it has no such series. */
  readonly plegRelists: readonly Bucket[]
  readonly plegInterval: Latency
  /** By operation: `create`, `sync`, `update`, `terminated`. */
  readonly workerDurations: Readonly<Record<string, Latency>>
  /** By signal; empty until the first eviction. */
  readonly evictions: Readonly<Record<string, number>>
}

/** What is plotted of one reading of /metrics. Times in seconds; null: this kubelet has no such series, or nothing was counted. */
export interface FigureSample {
  /** ms. */
  readonly at: number
  readonly plegRelistP99: number | null
  /** From one relist to the next. */
  readonly plegIntervalP99: number | null
  /** Of all workers, of the operation sync. */
  readonly workerSyncP99: number | null
  /** How long /healthz/syncloop took to answer. */
  readonly syncLoopAnswer: number | null
  readonly runningPods: number | null
  /** Of all signals, since the kubelet started. */
  readonly evictions: number
}

/** A field of /configz that is not the default of Kubernetes 1.34. `initial` null: unset by default. */
export interface ConfigDifference {
  readonly field: string
  readonly value: string
  readonly initial: string | null
}

/** CPU and memory in use, from /stats/summary; null: not given. */
export interface NodeUse {
  readonly cpuMillicores: number | null
  readonly memoryBytes: number | null
  readonly pods: number
}

/** All that was read from one kubelet. `null`: not read, or not yet. */
export interface KubeletFacts {
  readonly way: 'direct' | 'proxy'
  readonly pods: Fact<readonly Pod[]> | null
  readonly running: Fact<readonly RunningPod[]> | null
  readonly healthz: Fact<string> | null
  readonly syncLoop: Fact<string> | null
  readonly figures: Fact<KubeletFigures> | null
  readonly configuration: Fact<{
    readonly staticPodPath: string
    readonly differences: readonly ConfigDifference[]
    /** Fields of 1.34 that this kubelet does not have. */
    readonly missingFields: readonly string[]
  }> | null
  readonly use: Fact<NodeUse> | null
  /** The last reading of each endpoint. */
  readonly readings: readonly EndpointReading[]
}
