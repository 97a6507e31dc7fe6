/** The sync loop's handlers for pods (kubelet HandlePodAdditions and its kin; sync-loop#handlers). */
import type { Pod, PodStatus } from '../../shared/kubernetes/objects.ts'
import { recordedQosClass } from '../../shared/kubernetes/qos.ts'
import type { TraceCauses } from '../../shared/model/trace-event.ts'
import { filterOutInactivePods } from './active-pods.ts'
import { firstRefusal } from './admission/pod-admitter.ts'
import type { AdmissionRefusal, PodAdmitter } from './admission/pod-admitter.ts'
import { RejectionCount } from './admission/rejection-count.ts'
import type { MergedPod } from './config/pod-config.ts'
import type { SourcesReady } from './config/sources-ready.ts'
import { sleep } from './container/deferred.ts'
import type { PodCache, Runtime } from './container/runtime.ts'
import { isTerminalPhase, podDescription, tracePod } from './pod/identity.ts'
import type { PodManager } from './pod/pod-manager.ts'
import type { CorePorts, EventRecorder } from './ports.ts'
import { needsReadinessReconcile } from './status/conditions.ts'
import type { StatusManagerApi } from './status/status-manager-api.ts'
import type { LoopPodWorkers, SyncHandler } from './sync-handler.ts'
import type { UpdatePodOptions } from './workers/update-pod-options.ts'

export interface PodHandlersDeps extends CorePorts {
  readonly podManager: PodManager
  readonly podWorkers: LoopPodWorkers
  readonly statusManager: StatusManagerApi
  readonly podCache: PodCache
  readonly runtime: Pick<Runtime, 'deleteContainersInPod'>
  readonly sourcesReady: SourcesReady
  readonly admitters: readonly PodAdmitter[]
  readonly recorder: EventRecorder
}

/**
 * Admission compares each new pod with all active ones, so that thousands at once keep the processor busy for seconds:
 * after so many in a row, of one update or of several, the handler sleeps for a moment, so that other work continues. The
 * loop takes no input meanwhile. ms.
 */
const addedAtOnce = 100
const addingMs = 10

function createdAt(pod: Pod): number {
  const { creationTimestamp } = pod.metadata
  // Static pods have none and come first, as Go's zero time does.
  return creationTimestamp === undefined ? 0 : Date.parse(creationTimestamp)
}

function isEvicted(status: PodStatus | undefined): boolean {
  return status?.phase === 'Failed' && status.reason === 'Evicted'
}

/** Hands what the config says to the pod manager and the workers. Waits for nothing but a preemption. */
export class PodHandlers implements Omit<SyncHandler, 'handlePodCleanups'> {
  readonly #deps: PodHandlersDeps
  readonly #rejections = new RejectionCount()
  #lastAddedAt = Number.NEGATIVE_INFINITY
  #addedInARow = 0

  constructor(deps: PodHandlersDeps) {
    this.#deps = deps
  }

  /** Pods that admission refused, by reason; rare reasons together (`kubelet_admission_rejections_total`). */
  get rejections(): ReadonlyMap<string, number> {
    return this.#rejections.counts
  }

  readonly handlePodAdditions = async (
    pods: readonly MergedPod[],
    causes: TraceCauses,
  ): Promise<void> => {
    const inOrder = [...pods].sort((a, b) => createdAt(a.pod) - createdAt(b.pod))
    let active = filterOutInactivePods(this.#deps.podManager.getPods(), this.#deps)
    for (const { pod: added, causes: own } of inOrder) {
      if (this.#isBusyAdding()) {
        await sleep(this.#deps.clock, addingMs)
        active = filterOutInactivePods(this.#deps.podManager.getPods(), this.#deps)
      }
      const all = [...own, ...causes]
      this.#deps.podManager.addPod(added, own)
      const { pod, mirrorPod, wasMirror } = this.#deps.podManager.getPodAndMirrorPod(added)
      if (wasMirror) this.#update('update', pod, mirrorPod, all)
      else {
        // Of all that are there only these and those added since can be active; asking for each is what Go does.
        const others = filterOutInactivePods(active, this.#deps).filter(
          ({ metadata }) => metadata.uid !== added.metadata.uid,
        )
        active = [...others, added]
        if (await this.#admits(added, others, all)) this.#update('create', added, mirrorPod, all)
      }
    }
  }

  readonly handlePodUpdates = (pods: readonly MergedPod[], causes: TraceCauses): void => {
    for (const { pod: changed, causes: own } of pods) {
      this.#deps.podManager.updatePod(changed, own)
      const { pod, mirrorPod } = this.#deps.podManager.getPodAndMirrorPod(changed)
      this.#update('update', pod, mirrorPod, [...own, ...causes])
    }
  }

  readonly handlePodRemoves = (pods: readonly MergedPod[], causes: TraceCauses): void => {
    for (const { pod: removed, causes: own } of pods) {
      const all = [...own, ...causes]
      this.#deps.podManager.removePod(removed, own)
      const { pod, wasMirror } = this.#deps.podManager.getPodAndMirrorPod(removed)
      if (wasMirror) this.#update('update', pod, removed, all)
      else this.#deletePod(removed, all)
    }
  }

  readonly handlePodReconcile = (pods: readonly MergedPod[], causes: TraceCauses): void => {
    for (const { pod: changed, causes: own } of pods) {
      this.#deps.podManager.updatePod(changed, own)
      const { pod, mirrorPod } = this.#deps.podManager.getPodAndMirrorPod(changed)
      if (pod === undefined) continue
      const all = [...own, ...causes]
      if (needsReadinessReconcile(pod)) this.#update('sync', pod, mirrorPod, all)
      if (isEvicted(pod.status)) this.#removeDeadContainers(pod.metadata.uid, undefined, all)
    }
  }

  readonly handlePodSyncs = (pods: readonly Pod[], causes: TraceCauses): void => {
    for (const pod of pods) {
      const { mirrorPod, wasMirror } = this.#deps.podManager.getPodAndMirrorPod(pod)
      // No caller passes mirrors; a kubelet only logs one.
      if (!wasMirror) this.#update('sync', pod, mirrorPod, causes)
    }
  }

  readonly handlePodSyncByUID = (uid: string, causes: TraceCauses): void => {
    const pod = this.#deps.podManager.getPodByUID(uid)
    if (pod !== undefined) this.handlePodSyncs([pod], causes)
  }

  /** After a container died: all but the newest dead one of its name go, or all of a pod whose content may go. */
  readonly cleanUpContainersInPod = (
    uid: string,
    containerId: string,
    causes: TraceCauses,
  ): void => {
    const died = this.#deps.podWorkers.shouldPodContentBeRemoved(uid) ? undefined : containerId
    this.#removeDeadContainers(uid, died, causes)
  }

  #isBusyAdding(): boolean {
    const now = this.#deps.clock.now()
    if (now - this.#lastAddedAt >= addingMs) this.#addedInARow = 0
    this.#lastAddedAt = now
    return ++this.#addedInARow > addedAtOnce
  }

  #update(
    updateType: UpdatePodOptions['updateType'],
    pod: Pod | undefined,
    mirrorPod: Pod | undefined,
    causes: TraceCauses,
  ): void {
    // A mirror whose static pod is not known has no worker.
    if (pod === undefined) return
    this.#deps.podWorkers.updatePod({
      updateType,
      pod,
      mirrorPod,
      startTime: this.#deps.clock.now(),
      causes,
    })
  }

  #deletePod(pod: Pod, causes: TraceCauses): void {
    if (!this.#deps.sourcesReady.allReady()) {
      // Not retried: once the sources are ready, housekeeping finds the orphan.
      this.#deps.log.info('skipping delete because sources are not ready yet', {
        pod: podDescription(pod),
      })
      return
    }
    this.#deps.podWorkers.updatePod({ updateType: 'kill', pod, causes })
  }

  async #admits(pod: Pod, others: readonly Pod[], causes: TraceCauses): Promise<boolean> {
    const { podWorkers, admitters } = this.#deps
    const { uid } = pod.metadata
    if (podWorkers.isPodTerminationRequested(uid) || isTerminalPhase(pod.status?.phase)) return true
    const refusal = await firstRefusal(admitters, pod, others, causes)
    if (refusal === undefined) return true
    this.#rejectPod(pod, refusal, causes)
    this.#rejections.add(refusal.reason)
    return false
  }

  #rejectPod(pod: Pod, refusal: AdmissionRefusal, causes: TraceCauses): void {
    const { reason, message } = refusal
    const rejected = tracePod(this.#deps.trace, pod, 'pod.rejected', causes, { reason, message })
    this.#deps.recorder.event({ kind: 'pod', pod }, 'Warning', reason, message, [rejected])
    this.#deps.statusManager.setPodStatus(
      pod,
      {
        qosClass: recordedQosClass(pod),
        phase: 'Failed',
        reason,
        message: `Pod was rejected: ${message}`,
      },
      [rejected],
    )
  }

  #removeDeadContainers(uid: string, died: string | undefined, causes: TraceCauses): void {
    const status = this.#deps.podCache.get(uid)
    if (!status.ok) return
    this.#deps.runtime.deleteContainersInPod(status.value, died, causes).catch((error: unknown) => {
      this.#deps.log.warn('dead containers not removed', { uid, error: String(error) })
    })
  }
}
