/** What a worker does with its pod: the kubelet's SyncPod, SyncTerminatingPod and SyncTerminatedPod (pod-workers#sync-functions). */
import type { Pod, PodCondition, PodStatus } from '../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../shared/model/trace-event.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { fromTimestamp } from '../../shared/kubernetes/timestamps.ts'
import type { AllocationManager } from './allocation/allocation-manager.ts'
import type { ReasonCache } from './container/reason-cache.ts'
import { toRunningPod } from './container/running-pod.ts'
import { podSyncError, toApiPod } from './container/runtime.ts'
import type { PodRuntimeStatus, PodSyncResult, Runtime, RuntimePod } from './container/runtime.ts'
import { configSeenAnnotation, isTerminalPhase } from './pod/identity.ts'
import type { MirrorReconciler } from './pod/mirror-reconciler.ts'
import { makePodDataFolders } from './pod/pod-folders.ts'
import type { ContainerHost, CorePorts, EventRecorder } from './ports.ts'
import { firstEviction, generateApiPodStatus } from './status/api-status.ts'
import type { ApiStatusInput, PodEvictionCheck } from './status/api-status.ts'
import { apiCondition } from './status/resize-conditions.ts'
import { SettledStatuses, withAnswers } from './status/settled-statuses.ts'
import type { StatusManagerApi } from './status/status-manager-api.ts'
import type { ContainerProber } from './prober/prober-manager.ts'
import type { ConfigMapManager } from './object-managers/config-map-manager.ts'
import type { SecretManager } from './object-managers/secret-manager.ts'
import { checkPullSecrets } from './pull-secrets.ts'
import type { PodVolumes } from './volumemanager/volume-manager.ts'
import { networkNotReadyMessage } from './workers/pod-sync.ts'
import type { PodSyncer, PodSyncFailure } from './workers/pod-sync.ts'

/** Grace for what only the runtime knows, in seconds. */
const runtimePodGraceSeconds = 1

interface KubeletPodSyncerDeps extends Pick<CorePorts, 'metrics'> {
  readonly runtime: Runtime
  readonly statusManager: StatusManagerApi
  readonly mirrorReconciler: Pick<MirrorReconciler, 'tryReconcileMirrorPods' | 'forget'>
  readonly reasonCache: ReasonCache
  readonly recorder: EventRecorder
  readonly prober: Omit<ContainerProber, 'cleanupPods'>
  /** Between the mirror and the containers time passes on a real node; here it passes after the creation of a mirror. */
  readonly setUpPod: () => Promise<void>
  /** See KubeletDeps. */
  readonly containerHost?: ContainerHost | undefined
  /** Absent: pods have none. */
  readonly volumes?: PodVolumes | undefined
  readonly secretManager: Pick<SecretManager, 'registerPod' | 'unregisterPod' | 'getSecret'>
  readonly configMapManager: Pick<ConfigMapManager, 'registerPod' | 'unregisterPod'>
  readonly isTerminationRequested: (uid: string) => boolean
  /** Asked in order when a status is made: the active deadline. */
  readonly evictionChecks: readonly PodEvictionCheck[]
  readonly allocations: Pick<AllocationManager, 'checkPodResizeInProgress' | 'actuatedResources'>
  /** The node's addresses, primary first; empty while they are not known. */
  readonly hostIPs: () => readonly string[]
}

/** With the host's addresses for a pod on its network, which the runtime does not tell. */
function withApiAddresses(status: PodRuntimeStatus, { podIPs = [] }: PodStatus): PodRuntimeStatus {
  return { ...status, ips: podIPs.map(({ ip }) => ip) }
}

function failure(message: string): Result<never, PodSyncFailure> {
  return err({ kind: 'failed', message })
}

/**
 * The kubelet's PodSyncer. Cgroups have no part in it. Only the waits for volumes are canceled with the worker, and fail as
 * any failure does: it never fails as `cancelled`.
 */
export class KubeletPodSyncer implements PodSyncer {
  readonly #deps: KubeletPodSyncerDeps
  readonly #settled = new SettledStatuses()

  constructor(deps: KubeletPodSyncerDeps) {
    this.#deps = deps
  }

  readonly syncPod: PodSyncer['syncPod'] = async (cancellation, work) => {
    const { pod, mirrorPod, status, causes } = work
    const { runtime, reasonCache, recorder, prober } = this.#deps
    if (work.updateType === 'create') this.#measure(pod, 'podWorkerStartDuration')
    this.#deps.allocations.checkPodResizeInProgress(pod, status, causes)
    const apiStatus = this.#cacheStatus(pod, status, causes)
    if (isTerminalPhase(apiStatus.phase)) return ok({ isTerminal: true })
    const networkError = runtime.networkError()
    if (networkError !== undefined && pod.spec.hostNetwork !== true) {
      const message = `${networkNotReadyMessage}: ${networkError}`
      recorder.event({ kind: 'pod', pod }, 'Warning', 'NetworkNotReady', message, causes)
      return failure(message)
    }
    this.#registerObjects(pod)
    // Otherwise the worker would be done before the watch reports the new mirror, and would begin its next sync with
    // the deleted one, whose UID the API server refuses to delete (409).
    if (await this.#deps.mirrorReconciler.tryReconcileMirrorPods(pod, mirrorPod, causes))
      await this.#deps.setUpPod()
    const made = await this.#makePodDataFolders(pod, causes)
    if (!made.ok) return made
    // One that times out or is canceled has told of what failed by then.
    const volumes = await this.#deps.volumes?.waitForAttachAndMount(cancellation, pod, causes)
    if (volumes?.ok === false) return failure(volumes.error)
    await checkPullSecrets(pod, this.#deps, causes)
    prober.addPod(pod)
    // Not cancelled with the worker: pulls and starts that are under way finish.
    const because = [...causes, ...(volumes?.value ?? [])]
    const result = await runtime.syncPod(pod, withApiAddresses(status, apiStatus), because)
    reasonCache.update(pod.metadata.uid, result)
    this.#setResizeErrors(pod, result)
    const error = podSyncError(result)
    return error === undefined ? ok({ isTerminal: false }) : failure(error)
  }

  readonly syncTerminatingPod: PodSyncer['syncTerminatingPod'] = async (_cancellation, work) => {
    const { pod, status, gracePeriodSeconds, podStatusFunc, causes } = work
    const { statusManager, prober } = this.#deps
    const apiStatus = this.#apiStatus(pod, status, { podIsTerminal: false, causes })
    statusManager.setPodStatus(pod, podStatusFunc?.(apiStatus) ?? apiStatus, causes)
    prober.stopLivenessAndStartup(pod)
    const killed = await this.#kill(pod, toRunningPod(status), gracePeriodSeconds, causes)
    if (!killed.ok) return killed
    prober.removePod(pod)
    const stopped = await this.#stoppedStatus(pod, status)
    if (!stopped.ok) return stopped
    // Here, because at SyncTerminatedPod the containers and their exit codes may be gone.
    const finalStatus = this.#apiStatus(pod, stopped.value, { podIsTerminal: true, causes })
    statusManager.setPodStatus(pod, finalStatus, causes)
    return ok(undefined)
  }

  readonly syncTerminatingRuntimePod: PodSyncer['syncTerminatingRuntimePod'] = (
    _cancellation,
    { runningPod, causes },
  ) =>
    // Nothing else is known about it, so it has no hooks (kubelet SyncTerminatingRuntimePod).
    this.#kill(toApiPod(runningPod), runningPod, runtimePodGraceSeconds, causes)

  readonly syncTerminatedPod: PodSyncer['syncTerminatedPod'] = async (cancellation, work) => {
    const { pod, status, causes } = work
    const apiStatus = this.#apiStatus(pod, status, { podIsTerminal: true, causes })
    this.#deps.statusManager.setPodStatus(pod, apiStatus, causes)
    const volumes = await this.#deps.volumes?.waitForUnmount(cancellation, pod, causes)
    if (volumes?.ok === false) return failure(volumes.error)
    this.#deps.secretManager.unregisterPod(pod)
    this.#deps.configMapManager.unregisterPod(pod)
    this.#deps.statusManager.terminatePod(pod, causes)
    this.#deps.mirrorReconciler.forget(pod.metadata.uid)
    return ok(undefined)
  }

  /** From when the kubelet first saw the pod. */
  #measure(pod: Pod, name: 'podWorkerStartDuration' | 'podStartDuration'): void {
    const { metrics } = this.#deps
    const seenAt = fromTimestamp(pod.metadata.annotations?.[configSeenAnnotation])
    if (seenAt !== undefined) metrics?.[name].with().observe(metrics.secondsSince(seenAt))
  }

  /** Whether the pod begins to run. A pod without a status counts too, as in the kubelet. */
  #isStart({ metadata }: Pod, { phase }: PodStatus): boolean {
    const known = this.#deps.statusManager.getPodStatus(metadata.uid)
    return known === undefined || (known.phase === 'Pending' && phase === 'Running')
  }

  #setResizeErrors(pod: Pod, { results }: PodSyncResult): void {
    const { uid, generation = 0 } = pod.metadata
    const { resizeConditions } = this.#deps.statusManager
    for (const { action, error } of results)
      if (action === 'ResizePodInPlace' && error !== undefined)
        resizeConditions.setInProgress(uid, 'Error', error.message, generation)
  }

  /** The Secrets and ConfigMaps of the pod are watched from here on; of one that terminates, no new ones. */
  #registerObjects(pod: Pod): void {
    const { isTerminationRequested, secretManager, configMapManager } = this.#deps
    if (isTerminationRequested(pod.metadata.uid)) return
    secretManager.registerPod(pod)
    configMapManager.registerPod(pod)
  }

  async #makePodDataFolders(
    pod: Pod,
    causes: TraceCauses,
  ): Promise<Result<undefined, PodSyncFailure>> {
    const { containerHost, recorder } = this.#deps
    if (containerHost === undefined) return ok(undefined)
    const made = await makePodDataFolders(containerHost, pod.metadata.uid)
    if (made.ok) return made
    const message = `error making pod data directories: ${made.error}`
    const reason = 'FailedToMakePodDataDirectories'
    recorder.event({ kind: 'pod', pod }, 'Warning', reason, message, causes)
    return failure(made.error)
  }

  /** Caches the status of a pod that may run. Where it would be the cached one again, none is made. */
  #cacheStatus(pod: Pod, runtimeStatus: PodRuntimeStatus, causes: TraceCauses): PodStatus {
    const { statusManager, evictionChecks } = this.#deps
    const eviction = firstEviction({ pod, evictionChecks, causes })
    const input: ApiStatusInput = {
      ...this.#statusInput(pod, runtimeStatus, { podIsTerminal: false, causes }),
      // Asked once: it may record an event.
      evictionChecks: eviction === undefined ? [] : [{ shouldEvict: () => eviction }],
    }
    if (this.#settled.isSettled(input)) return input.oldStatus
    const asking = withAnswers(input)
    const apiStatus = generateApiPodStatus(asking.input)
    const isStart = !isTerminalPhase(apiStatus.phase) && this.#isStart(pod, apiStatus)
    if (isStart) this.#measure(pod, 'podStartDuration')
    const isCached = statusManager.setPodStatus(pod, apiStatus, causes)
    if (isCached) this.#settled.settle(input, asking.answers())
    return apiStatus
  }

  #apiStatus(
    pod: Pod,
    runtimeStatus: PodRuntimeStatus,
    making: { readonly podIsTerminal: boolean; readonly causes: TraceCauses },
  ): PodStatus {
    return generateApiPodStatus(this.#statusInput(pod, runtimeStatus, making))
  }

  #statusInput(
    pod: Pod,
    runtimeStatus: PodRuntimeStatus,
    { podIsTerminal, causes }: { readonly podIsTerminal: boolean; readonly causes: TraceCauses },
  ): ApiStatusInput {
    const { statusManager, reasonCache, evictionChecks, prober, hostIPs, allocations } = this.#deps
    return {
      pod,
      runtimeStatus,
      podIsTerminal,
      causes,
      oldStatus: statusManager.getPodStatus(pod.metadata.uid),
      reasonCache,
      hostIPs: hostIPs(),
      evictionChecks,
      probes: prober.probes,
      resizeConditions: this.#resizeConditions(pod, podIsTerminal),
      actuatedResources: allocations.actuatedResources,
    }
  }

  /** A pod that ends is not resized. */
  #resizeConditions(pod: Pod, podIsTerminal: boolean): readonly PodCondition[] {
    const { resizeConditions } = this.#deps.statusManager
    const { uid } = pod.metadata
    if (podIsTerminal) resizeConditions.remove(uid)
    return resizeConditions.list(uid).map((condition) => apiCondition(condition, pod))
  }

  async #kill(
    pod: Pod,
    runningPod: RuntimePod,
    gracePeriodSeconds: number | undefined,
    causes: TraceCauses,
  ): Promise<Result<undefined, PodSyncFailure>> {
    const { runtime, recorder } = this.#deps
    const result = await runtime.killPod(pod, runningPod, gracePeriodSeconds, causes)
    const error = podSyncError(result)
    if (error === undefined) return ok(undefined)
    const message = `error killing pod: ${error}`
    recorder.event({ kind: 'pod', pod }, 'Warning', 'FailedKillPod', message, causes)
    return failure(error)
  }

  /** Asked of the runtime itself, not of the cache: a container that still runs violates CRI. */
  async #stoppedStatus(
    pod: Pod,
    before: PodRuntimeStatus,
  ): Promise<Result<PodRuntimeStatus, PodSyncFailure>> {
    const { uid, name, namespace } = pod.metadata
    const stopped = await this.#deps.runtime.getPodStatus(uid, name, namespace ?? 'default')
    if (!stopped.ok)
      return failure(
        `unable to read pod status prior to final pod termination: ${stopped.error.message}`,
      )
    const running = stopped.value.containers.filter((container) => container.state === 'running')
    if (running.length > 0)
      return failure(
        `detected running containers after a successful KillPod, CRI violation: [${running.map((container) => container.id).join(' ')}]`,
      )
    // The sandbox and its IPs are gone; the status keeps showing them.
    return ok({ ...stopped.value, ips: before.ips })
  }
}
