/** The sync loop's handlers for pods (kubelet HandlePodAdditions and its kin; sync-loop#handlers). */
import type { Pod, PodStatus } from '../../shared/kubernetes/objects.ts'
import { podRequestsWithStatus } from '../../shared/kubernetes/pod-requests.ts'
import { recordedQosClass } from '../../shared/kubernetes/qos.ts'
import type { TraceCauses } from '../../shared/model/trace-event.ts'
import { filterOutInactivePods } from './active-pods.ts'
import { hasResize } from './allocation/allocation-manager.ts'
import type { AllocationManager } from './allocation/allocation-manager.ts'
import type { AdmissionRefusal } from './admission/pod-admitter.ts'
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
  readonly allocations: AllocationManager
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

/** Of CPU or memory, with what the containers have by their status. */
function haveRequestsShrunk(old: Pod, pod: Pod): boolean {
  const [before, after] = [podRequestsWithStatus(old), podRequestsWithStatus(pod)]
  return (['cpu', 'memory'] as const).some(
    (resource) => (after.get(resource) ?? 0n) < (before.get(resource) ?? 0n),
  )
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
    const { allocations, statusManager } = this.#deps
    const resizes: string[] = []
    await allocations.restore()
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
        if (!(await this.#admits(added, others, all))) continue
        if (allocations.updatePodFromAllocation(added) !== added) resizes.push(added.metadata.uid)
        this.#update('create', added, mirrorPod, all)
      }
    }
    statusManager.resizeConditions.backfill(inOrder.map(({ pod }) => pod))
    for (const uid of resizes) allocations.pushPendingResize(uid)
    if (resizes.length > 0) await allocations.retryPendingResizes(causes)
  }

  readonly handlePodUpdates = async (
    pods: readonly MergedPod[],
    causes: TraceCauses,
  ): Promise<void> => {
    for (const { pod: changed, causes: own } of pods) {
      const old = this.#deps.podManager.getPodByUID(changed.metadata.uid)
      this.#deps.podManager.updatePod(changed, own)
      const { pod, mirrorPod } = this.#deps.podManager.getPodAndMirrorPod(changed)
      const all = [...own, ...causes]
      if (pod !== undefined && hasResize(old, pod) && this.#queuesResize(pod))
        await this.#deps.allocations.retryPendingResizes(all)
      this.#update('update', pod, mirrorPod, all)
    }
  }

  readonly handlePodRemoves = async (
    pods: readonly MergedPod[],
    causes: TraceCauses,
  ): Promise<void> => {
    const { allocations } = this.#deps
    for (const { pod: removed, causes: own } of pods) {
      const all = [...own, ...causes]
      this.#deps.podManager.removePod(removed, own)
      allocations.removePod(removed.metadata.uid)
      const { pod, wasMirror } = this.#deps.podManager.getPodAndMirrorPod(removed)
      if (wasMirror) this.#update('update', pod, removed, all)
      else this.#deletePod(removed, all)
    }
    if (allocations.hasPendingResizes) await allocations.retryPendingResizes(causes)
  }

  readonly handlePodReconcile = async (
    pods: readonly MergedPod[],
    causes: TraceCauses,
  ): Promise<void> => {
    const { allocations } = this.#deps
    const { hasPendingResizes } = allocations
    let hasShrunk = false
    for (const { pod: changed, causes: own } of pods) {
      const old = this.#deps.podManager.getPodByUID(changed.metadata.uid)
      this.#deps.podManager.updatePod(changed, own)
      const { pod, mirrorPod } = this.#deps.podManager.getPodAndMirrorPod(changed)
      if (pod === undefined) continue
      const all = [...own, ...causes]
      if (hasPendingResizes && old !== undefined)
        hasShrunk ||= haveRequestsShrunk(
          allocations.updatePodFromAllocation(old),
          allocations.updatePodFromAllocation(pod),
        )
      if (needsReadinessReconcile(pod)) this.#update('sync', pod, mirrorPod, all)
      if (isEvicted(pod.status)) this.#removeDeadContainers(pod.metadata.uid, undefined, all)
    }
    if (hasShrunk) await allocations.retryPendingResizes(causes)
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

  /** Whether the pod waits for a resize; a resize that was taken back is not pending. */
  #queuesResize(pod: Pod): boolean {
    const { allocations, statusManager } = this.#deps
    const { uid } = pod.metadata
    if (allocations.updatePodFromAllocation(pod) === pod) {
      statusManager.resizeConditions.clear(uid, 'PodResizePending')
      return false
    }
    allocations.pushPendingResize(uid)
    return true
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
    const { podWorkers, allocations } = this.#deps
    const { uid } = pod.metadata
    if (podWorkers.isPodTerminationRequested(uid) || isTerminalPhase(pod.status?.phase)) return true
    const refusal = await allocations.addPod(others, pod, causes)
    if (refusal === undefined) return true
    this.#rejectPod(pod, refusal, causes)
    const label = this.#rejections.add(refusal.reason)
    this.#deps.metrics?.admissionRejections.with(label).increment()
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
