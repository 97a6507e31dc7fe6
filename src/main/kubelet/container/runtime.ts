/**
 * The kubelet's own view of containers (kubelet pkg/kubelet/container): a pod as the runtime has it,
 * and the `Runtime` that brings a pod's containers to what its spec says. CRI lies one level below (ports.ts).
 */
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import type { Result } from '../../../shared/result.ts'
import { aggregateText, goQuote } from '../../../shared/go/text.ts'
import type {
  PodSandbox,
  PodSandboxStatus,
  RuntimeContainer,
  RuntimeContainerStatus,
  RuntimeError,
} from '../ports.ts'

/** kubecontainer.Pod: what the runtime lists for one uid. A "running pod" when no source has it. */
export interface RuntimePod {
  readonly uid: string
  readonly name: string
  readonly namespace: string
  /** ms since the epoch, of the oldest sandbox or container. */
  readonly createdAt: number
  readonly containers: readonly RuntimeContainer[]
  readonly sandboxes: readonly PodSandbox[]
}

/** As much of a pod as the runtime lists (kubelet ToAPIPod): names and images, no lifecycle and no grace. */
export function toApiPod({ uid, name, namespace, containers }: RuntimePod): Pod {
  return {
    metadata: { uid, name, namespace },
    spec: { containers: containers.map((one) => ({ name: one.name, image: one.image })) },
  }
}

/** kubecontainer.PodStatus. Both lists newest first. An empty one means that the runtime knows nothing of the uid. */
export interface PodRuntimeStatus {
  /** The runtime's name, which the API puts before container ids (`containerd://…`). Absent while nothing is known of the pod. */
  readonly runtimeName?: string
  readonly uid: string
  readonly name: string
  readonly namespace: string
  readonly ips: readonly string[]
  readonly sandboxes: readonly PodSandboxStatus[]
  readonly containers: readonly RuntimeContainerStatus[]
}

export type SyncAction =
  | 'StartContainer'
  | 'KillContainer'
  | 'InitContainer'
  | 'CreatePodSandbox'
  | 'ConfigPodSandbox'
  | 'KillPodSandbox'
  | 'PullImage'
  | 'ResizePodInPlace'

/** One step of a runtime sync. `reason` is the waiting reason it leaves (`CrashLoopBackOff`, `ErrImagePull`, …), absent on success. */
export interface SyncResult {
  readonly action: SyncAction
  /** Container name, or pod full name. */
  readonly target: string
  readonly error?: {
    readonly reason: string
    readonly message: string
    readonly isBackOff: boolean
  }
}

/** kubecontainer.PodSyncResult. `error` is what failed outside the single steps. */
export interface PodSyncResult {
  readonly results: readonly SyncResult[]
  readonly error?: string
}

/** The aggregate of a PodSyncResult as one text, or undefined when all went well (kubelet PodSyncResult.Error). */
export function podSyncError(result: PodSyncResult): string | undefined {
  const outside = result.error === undefined ? [] : [`failed to SyncPod: ${result.error}`]
  const ofSteps = result.results.flatMap(({ action, target, error }) =>
    error === undefined
      ? []
      : [
          `failed to ${goQuote(action)} for ${goQuote(target)} with ${error.reason}: ${goQuote(error.message)}`,
        ],
  )
  return aggregateText([...outside, ...ofSteps])
}

/**
 * kubecontainer.Runtime. `syncPod` and `killPod` do the whole of containers#runtime-sync and
 * termination#stopping-containers and resolve when done; neither is ever run twice at once for one uid (the
 * worker's duty). `getPods(all)`: all pods the runtime lists, or only those with something running.
 */
export interface Runtime {
  readonly getPods: (all: boolean) => Promise<Result<readonly RuntimePod[], RuntimeError>>
  readonly getPodStatus: (
    uid: string,
    name: string,
    namespace: string,
  ) => Promise<Result<PodRuntimeStatus, RuntimeError>>
  readonly syncPod: (
    pod: Pod,
    status: PodRuntimeStatus,
    causes: TraceCauses,
  ) => Promise<PodSyncResult>
  /**
   * For a pod that only the runtime knows, `toApiPod` of it. The override is in seconds; absent: the pod's
   * own grace (termination#stopping-containers).
   */
  readonly killPod: (
    pod: Pod,
    runningPod: RuntimePod,
    gracePeriodOverride: number | undefined,
    causes: TraceCauses,
  ) => Promise<PodSyncResult>
  /**
   * Removes dead containers of a pod: of the name of the one with the id `died` all but the newest; without it all of
   * them.
   */
  readonly deleteContainersInPod: (
    status: PodRuntimeStatus,
    died: string | undefined,
    causes: TraceCauses,
  ) => Promise<void>
  /** Why it counts as unusable; empty when it answers, is ready, and the PLEG is healthy. */
  readonly runtimeErrors: () => readonly string[]
  /** `undefined` when the pod network is ready; else why not. */
  readonly networkError: () => string | undefined
}

/** PodCache: the newest known PodRuntimeStatus of every uid, filled by the PLEG (containers#pleg). Never blocks in `get`. */
export interface PodCache {
  /** An unknown uid answers with an empty status and no error, as the real cache does. */
  readonly get: (uid: string) => Result<PodRuntimeStatus, RuntimeError>
  /** Resolves when the entry, or the global freshness, is newer than `time` (ms). */
  readonly getNewerThan: (
    uid: string,
    time: number,
  ) => Promise<Result<PodRuntimeStatus, RuntimeError>>
}

/** A PodCache that can be filled; the PLEG's side. */
export interface WritablePodCache extends PodCache {
  /** Returns whether it was stored (an older timestamp than the entry's is refused). */
  readonly set: (
    uid: string,
    status: Result<PodRuntimeStatus, RuntimeError>,
    time: number,
  ) => boolean
  readonly delete: (uid: string) => void
  readonly updateTime: (time: number) => void
}

export type PlegEventType =
  'ContainerStarted' | 'ContainerDied' | 'ContainerRemoved' | 'ContainerChanged' | 'ConditionMet'

export interface PodLifecycleEvent {
  readonly uid: string
  readonly type: PlegEventType
  /** Empty for ConditionMet, which is about the pod. */
  readonly containerId: string
  readonly causes: TraceCauses
}
