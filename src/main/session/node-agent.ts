import type { Pod, PodStatus } from '../../shared/kubernetes/objects.ts'
import type { NodeView } from '../../shared/model/cluster-view.ts'
import type { TraceCauses } from '../../shared/model/trace-event.ts'
import type { WorkerView } from '../../shared/model/worker-view.ts'
import type { Result } from '../../shared/result.ts'
import type { PodCache } from '../kubelet/container/runtime.ts'
import type { NodeShutdownConfig } from '../kubelet/node/node-shutdown-groups.ts'

/** The pod manager's answers that rows are made of. */
export interface PodLookup {
  readonly getPods: () => readonly Pod[]
  readonly getPodsAndMirrorPods: () => {
    readonly allPods: readonly Pod[]
    readonly allMirrorPods: readonly Pod[]
    readonly orphanedMirrorPodFullNames: readonly string[]
  }
  readonly getPodByUID: (uid: string) => Pod | undefined
  readonly getMirrorPodByPod: (pod: Pod) => Pod | undefined
  readonly translatePodUID: (uid: string) => string
}

/** One node's kubelet, as the session sees it: what it knows, and what it can be told to do. */
export interface NodeAgent {
  readonly nodeName: string
  readonly podManager: PodLookup
  readonly podWorkers: {
    readonly workerView: (uid: string) => WorkerView | undefined
    readonly recordUids: () => readonly string[]
    /** The newest pod that the worker knows; undefined without a worker, or for what only the runtime lists. */
    readonly lastPod: (uid: string) => Pod | undefined
  }
  readonly statusManager: {
    readonly getPodStatus: (uid: string) => PodStatus | undefined
    readonly versions: (
      uid: string,
    ) => { readonly cached: number; readonly sent: number | undefined } | undefined
    /** How many statuses there are, how many wait to be written, and the first `limit` of those pods. */
    readonly backlog: (limit: number) => {
      readonly cached: number
      readonly unsent: number
      readonly pods: readonly Pod[]
    }
  }
  readonly podCache: Pick<PodCache, 'get'>
  /** Why a static pod has no mirror, as the last try found it; undefined when it has one. */
  readonly mirrorTrouble?: (uid: string) => string | undefined
  /** Lists and watches of a server that is away are tried now, not when their back-off has run out. */
  readonly retryNow: () => void
  readonly loopIterations: () => number
  /** When the runtime was listed last, ms on the cluster's clock, and how often it is. */
  readonly pleg: () => { readonly relistPeriodMs: number; readonly lastRelistAt: number | null }
  readonly nodeView: () => Omit<NodeView, 'isCutOff'>
  /** killPodNow without evict; resolves when the pod has stopped or the wait timed out. */
  readonly kill: (
    uid: string,
    gracePeriodSeconds: number | undefined,
    causes: TraceCauses,
  ) => Promise<Result<undefined, string>>
  /** Graceful node shutdown: begun, or a sentence saying why not. How it goes on is in the view. */
  readonly shutDown: (config: NodeShutdownConfig, causes: TraceCauses) => Result<undefined, string>
  /** The node takes pods again, once all groups of the shutdown have ended; or a sentence saying why not. */
  readonly cancelShutDown: (causes: TraceCauses) => Result<undefined, string>
  /** The kubelet's own eviction; refused with the reason for static and critical pods. */
  readonly evict: (uid: string, causes: TraceCauses) => Promise<Result<undefined, string>>
}
