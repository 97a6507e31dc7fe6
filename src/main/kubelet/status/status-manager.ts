import { withFields } from '../../../shared/json.ts'
import { assertNever } from '../../../shared/assert-never.ts'
import type {
  ContainerStatus,
  Pod,
  PodCondition,
  PodStatus,
} from '../../../shared/kubernetes/objects.ts'
import { toTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { withPartsOf } from '../../../shared/shared-parts.ts'
import { ValuePool } from '../../../shared/value-pool.ts'
import { isStaticPod, tracePod } from '../pod/identity.ts'
import type { ApiClient, CancelTimer, CorePorts } from '../ports.ts'
import { containersReadyCondition, podReadyCondition, withCondition } from './conditions.ts'
import { runtimeContainerId } from './container-statuses.ts'
import { illegalContainerTransition } from './container-transition.ts'
import { isStatusByKubeletEqual, withTransitionTime } from './merge-status.ts'
import { normalizeStatus } from './normalize-status.ts'
import type { StatusManagerApi } from './status-manager-api.ts'
import { PodStatusWriter, canBeDeleted } from './pod-status-writer.ts'
import type { PodDeletionSafety, VersionedStatus } from './pod-status-writer.ts'
import { ResizeConditions } from './resize-conditions.ts'
import { terminatedStatus } from './terminated-status.ts'

/** How often all statuses are checked (status#status-cache), in ms. */
const statusSyncPeriodMs = 10_000

/** What the status manager asks of the pod manager (docs/kubelet/pod-manager.md). */
export interface StatusPodManager {
  readonly getPodByUID: (uid: string) => Pod | undefined
  readonly getMirrorPodByPod: (pod: Pod) => Pod | undefined
  readonly translatePodUID: (uid: string) => string
  readonly getUIDTranslations: () => {
    readonly podToMirror: ReadonlyMap<string, string>
    readonly mirrorToPod: ReadonlyMap<string, string>
  }
}

interface StatusManagerDeps extends CorePorts {
  readonly api: ApiClient
  readonly podManager: StatusPodManager
  readonly podDeletionSafety: PodDeletionSafety
  /** Of how many pods a write may be under way at a time, at least 1. Default 1, as a kubelet. */
  readonly writesAtOnce?: number | undefined
}

interface PendingSync {
  readonly uid: string
  readonly cached: VersionedStatus
}

/** Conditions whose transition time the status manager keeps (status#cache-updates step 4). */
const timedConditions: ReadonlySet<string> = new Set([
  'ContainersReady',
  'Ready',
  'Initialized',
  'PodReadyToStartContainers',
  'PodScheduled',
  'DisruptionTarget',
])

/**
 * Caches the status of every pod by the kubelet's own uid and keeps the API server up to date: on every
 * change, and with everything looked at each ten seconds (docs/kubelet/status.md). The setters are synchronous and
 * never block; one loop sends, a pod after the other or a few at a time. Also deletes the API object of a finished pod.
 */
export class StatusManager implements StatusManagerApi {
  readonly resizeConditions: ResizeConditions
  readonly #deps: StatusManagerDeps
  readonly #writer: PodStatusWriter
  readonly #statuses = new Map<string, VersionedStatus>()
  /** By the uid of the object in the API, that is a mirror's for a static pod. Only the loop touches it. */
  readonly #sentVersions = new Map<string, number>()
  /** For the conditions, that the API writes with one field more. */
  readonly #pool = new ValuePool()
  #isRunning = false
  #isSyncing = false
  #isSignalled = false
  #isTickDue = false
  #cancelTick: CancelTimer | undefined

  constructor(deps: StatusManagerDeps) {
    this.#deps = deps
    this.resizeConditions = new ResizeConditions(deps)
    this.#writer = new PodStatusWriter(deps)
  }

  /** Starts sending. What was cached before is sent then. Running already: nothing. */
  start(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    this.#armTick()
    this.#wake()
  }

  /** Stops after the call in progress; nothing more is written, the cache stays. */
  stop(): void {
    this.#isRunning = false
    this.#cancelTick?.()
    this.#cancelTick = undefined
  }

  readonly getPodStatus = (uid: string): PodStatus | undefined =>
    this.#statuses.get(this.#deps.podManager.translatePodUID(uid))?.status

  readonly versions: StatusManagerApi['versions'] = (uid) => {
    const cached = this.#statuses.get(uid)
    if (cached === undefined) return undefined
    const apiUid = isStaticPod(cached.pod)
      ? this.#deps.podManager.getMirrorPodByPod(cached.pod)?.metadata.uid
      : uid
    const sent = apiUid === undefined ? undefined : this.#sentVersions.get(apiUid)
    return { cached: cached.version, sent }
  }

  /**
   * How many statuses are cached, how many of them wait to be written, and the first `limit` of those pods.
   * A static pod without a mirror does not wait: there is nothing to write to.
   */
  readonly backlog = (
    limit: number,
  ): { readonly cached: number; readonly unsent: number; readonly pods: readonly Pod[] } => {
    const pods: Pod[] = []
    let unsent = 0
    this.#forEachAddressed((_uid, apiUid, cached) => {
      if ((this.#sentVersions.get(apiUid) ?? 0) >= cached.version) return
      unsent++
      if (pods.length < limit) pods.push(cached.pod)
    })
    return { cached: this.#statuses.size, unsent, pods }
  }

  readonly setPodStatus: StatusManagerApi['setPodStatus'] = (pod, status, causes) =>
    this.#update(pod, observing(pod, status), causes, {
      // A deleted pod that is not running must still be able to trigger its deletion.
      isForced: pod.metadata.deletionTimestamp !== undefined,
      isFinished: false,
    })

  readonly setContainerReadiness: StatusManagerApi['setContainerReadiness'] = (
    podUid,
    containerId,
    isReady,
    causes,
  ) => {
    const change = (status: ContainerStatus): ContainerStatus | undefined =>
      status.ready === isReady ? undefined : { ...status, ready: isReady }
    this.#updateContainer(podUid, containerId, causes, { change, show: withReadiness })
  }

  readonly setContainerStartup: StatusManagerApi['setContainerStartup'] = (
    podUid,
    containerId,
    isStarted,
    causes,
  ) => {
    const change = (status: ContainerStatus): ContainerStatus | undefined =>
      status.started === isStarted ? undefined : { ...status, started: isStarted }
    // The conditions follow with the next status, as with the kubelet.
    this.#updateContainer(podUid, containerId, causes, { change, show: (_pod, status) => status })
  }

  readonly terminatePod: StatusManagerApi['terminatePod'] = (pod, causes) => {
    const old = this.#statuses.get(pod.metadata.uid)?.status ?? pod.status ?? {}
    this.#update(pod, terminatedStatus(pod, old), causes, { isForced: true, isFinished: true })
  }

  readonly removeOrphanedStatuses: StatusManagerApi['removeOrphanedStatuses'] = (uids) => {
    for (const uid of this.#statuses.keys()) {
      if (uids.has(uid)) continue
      this.#statuses.delete(uid)
      this.#deps.metrics?.podStartup.forget(uid)
    }
    this.resizeConditions.removeOrphans(uids)
  }

  /** Sends what is due, or checks everything as the tick does. Returns the number of attempts. Called by the loop, and by tests. */
  async syncBatch(all: boolean): Promise<number> {
    const pending = this.#pendingSyncs(all)
    const { writesAtOnce = 1 } = this.#deps
    const rest = pending.values()
    // A pod is in a batch once, and the next batch waits for this one: a pod's writes stay in order.
    const writers = Array.from({ length: Math.min(writesAtOnce, pending.length) }, async () => {
      for (const { uid, cached } of rest) await this.#syncPod(uid, cached)
    })
    const broken = (await Promise.allSettled(writers)).find(({ status }) => status === 'rejected')
    if (broken?.status === 'rejected') throw broken.reason
    return pending.length
  }

  #updateContainer(
    podUid: string,
    containerId: string,
    causes: TraceCauses,
    {
      change,
      show,
    }: {
      readonly change: (status: ContainerStatus) => ContainerStatus | undefined
      /** What else of the pod's status changes with it. */
      readonly show: (pod: Pod, status: PodStatus) => PodStatus
    },
  ): void {
    const pod = this.#deps.podManager.getPodByUID(podUid)
    const old = pod === undefined ? undefined : this.#statuses.get(podUid)?.status
    if (pod === undefined || old === undefined) return
    const { containerStatuses = [], initContainerStatuses = [] } = old
    const id = runtimeContainerId(containerId)
    const found = [...containerStatuses, ...initContainerStatuses].find(
      ({ containerID }) => containerID !== undefined && runtimeContainerId(containerID) === id,
    )
    if (found === undefined) {
      this.#deps.log.info('probe result of an unknown container', { podUid, containerId })
      return
    }
    const changed = change(found)
    if (changed === undefined) return
    const replace = (statuses: readonly ContainerStatus[]): readonly ContainerStatus[] =>
      statuses.map((status) => (status === found ? changed : status))
    const status: PodStatus = {
      ...old,
      containerStatuses: replace(containerStatuses),
      ...(initContainerStatuses.length === 0
        ? {}
        : { initContainerStatuses: replace(initContainerStatuses) }),
    }
    this.#update(pod, show(pod, status), causes, { isForced: false, isFinished: false })
  }

  /** The common path into the cache (status#cache-updates). Answers whether the status is cached already. */
  #update(
    pod: Pod,
    wanted: PodStatus,
    causes: TraceCauses,
    { isForced, isFinished }: { readonly isForced: boolean; readonly isFinished: boolean },
  ): boolean {
    const { clock, trace, log, podManager } = this.#deps
    const { uid } = pod.metadata
    const cached = this.#statuses.get(uid)
    const old = cached?.status ?? (podManager.getMirrorPodByPod(pod) ?? pod).status ?? {}
    const refusal = illegalContainerTransition(pod, old, wanted)
    if (refusal !== undefined) {
      log.error('status update aborted', { podUid: uid, reason: refusal })
      tracePod(trace, pod, 'status.rejected', causes, { message: refusal })
      return false
    }
    const status = normalizeStatus(pod, carriedOver(wanted, old, clock.now()))
    if (cached !== undefined && !isForced && isStatusByKubeletEqual(cached.status, status))
      return true
    const version = (cached?.version ?? 0) + 1
    const { phase = '', reason = '' } = status
    const cause = tracePod(trace, pod, 'status.cached', causes, { version, phase, reason })
    const wasFinished = !isStaticPod(pod) && cached?.isFinished === true
    this.#statuses.set(uid, {
      version,
      pod,
      isFinished: isFinished || wasFinished,
      status,
      since: cached?.since ?? clock.now(),
      cause,
      equalTo: undefined,
    })
    this.#isSignalled = true
    this.#wake()
    return false
  }

  #armTick(): void {
    this.#cancelTick = this.#deps.clock.after(statusSyncPeriodMs, () => {
      this.#armTick()
      this.#isTickDue = true
      this.#wake()
    })
  }

  #wake(): void {
    if (!this.#isRunning || this.#isSyncing) return
    this.#isSyncing = true
    this.#syncUntilIdle().catch((error: unknown) => {
      this.#deps.log.error('status sync failed', { error })
    })
  }

  async #syncUntilIdle(): Promise<void> {
    try {
      // The setter that signalled continues first, as the goroutine that reads the kubelet's channel lets it.
      await Promise.resolve()
      while (this.#isRunning && (this.#isSignalled || this.#isTickDue)) {
        const all = !this.#isSignalled
        if (all) this.#isTickDue = false
        else this.#isSignalled = false
        await this.syncBatch(all)
      }
    } finally {
      // In the same turn as the last check of the signal, so that none is lost.
      this.#isSyncing = false
    }
  }

  #pendingSyncs(all: boolean): readonly PendingSync[] {
    if (all) {
      const { mirrorToPod } = this.#deps.podManager.getUIDTranslations()
      for (const uid of this.#sentVersions.keys()) {
        const isKnown = this.#statuses.has(uid) || mirrorToPod.has(uid)
        if (!isKnown) this.#sentVersions.delete(uid)
      }
    }
    const pending: PendingSync[] = []
    this.#forEachAddressed((uid, apiUid, cached) => {
      const isStale = (this.#sentVersions.get(apiUid) ?? 0) < cached.version
      if (isStale || (all && this.#isDueAnyway(uid, apiUid, cached))) pending.push({ uid, cached })
    })
    return pending
  }

  /** Each status with the uid of the object that it is written to; a static pod without a mirror has none and is left out. */
  #forEachAddressed(visit: (uid: string, apiUid: string, cached: VersionedStatus) => void): void {
    const { podToMirror } = this.#deps.podManager.getUIDTranslations()
    for (const [uid, cached] of this.#statuses) {
      const apiUid = podToMirror.get(uid) ?? uid
      if (apiUid !== '') visit(uid, apiUid, cached)
    }
  }

  /** What only the ten-second round finds: an object to delete, or one that another client has changed. */
  #isDueAnyway(uid: string, apiUid: string, cached: VersionedStatus): boolean {
    const pod = this.#deps.podManager.getPodByUID(apiUid)
    if (pod !== undefined && canBeDeleted(pod, cached.isFinished)) return true
    if (!this.#needsReconcile(uid, cached)) return false
    this.#sentVersions.delete(apiUid)
    return true
  }

  #needsReconcile(uid: string, versioned: VersionedStatus): boolean {
    const { podManager } = this.#deps
    const { status } = versioned
    const pod = podManager.getPodByUID(uid)
    if (pod === undefined) return false
    const shown = isStaticPod(pod) ? podManager.getMirrorPodByPod(pod) : pod
    if (shown === undefined || versioned.equalTo === shown) return false
    const apiStatus = normalizeStatus(shown, shown.status ?? {})
    // Servers before 1.34 drop observedGeneration; that alone is no reason to write every ten seconds.
    const { observedGeneration: _ignored, ...rest } = status
    const cached = apiStatus.observedGeneration === undefined ? rest : status
    const isEqual = isStatusByKubeletEqual(apiStatus, cached)
    if (isEqual) this.#foundEqual(uid, versioned, shown)
    return !isEqual
  }

  /** From here on the cache holds what both say alike only once: most of a status. */
  #foundEqual(uid: string, cached: VersionedStatus, shown: Pod): void {
    const status = this.#pool.share(withPartsOf(cached.status, shown.status))
    this.#statuses.set(uid, { ...cached, status, equalTo: shown })
  }

  #sent(uid: string, apiUid: string, { version, since }: VersionedStatus): void {
    const { clock, metrics } = this.#deps
    metrics?.podStatusSyncDuration.with().observe((clock.now() - since) / 1000)
    // The same text, but the answer's own copy of it is not kept.
    this.#sentVersions.set(apiUid === uid ? uid : apiUid, version)
  }

  #deleteStatus(uid: string): void {
    this.#statuses.delete(uid)
    this.#deps.metrics?.podStartup.forget(uid)
    this.resizeConditions.remove(uid)
  }

  async #syncPod(uid: string, cached: VersionedStatus): Promise<void> {
    const outcome = await this.#writer.sync(uid, cached)
    switch (outcome.kind) {
      case 'written':
        this.#sent(uid, outcome.apiUid, cached)
        return
      case 'deleted':
        this.#sent(uid, outcome.apiUid, cached)
        this.#deleteStatus(uid)
        return
      case 'recreated':
        this.#deleteStatus(uid)
        return
      case 'failed':
      case 'gone':
        // Retried with the next batch; housekeeping drops an orphaned status.
        return
      default:
        assertNever(outcome, 'outcome of a status write')
    }
  }
}

/** A static pod has no generation: its status observes none. */
function observing(pod: Pod, status: PodStatus): PodStatus {
  const { generation } = pod.metadata
  if (generation) return withFields(status, { observedGeneration: generation })
  if (status.observedGeneration === undefined) return status
  const { observedGeneration: _none, ...rest } = status
  return rest
}

/** Transition times, start time and generation that the new status takes from the old one (status#cache-updates steps 4 to 6). */
function carriedOver(wanted: PodStatus, old: PodStatus, now: number): PodStatus {
  const conditions = wanted.conditions?.map((condition): PodCondition =>
    timedConditions.has(condition.type) ? withTransitionTime(condition, old, now) : condition,
  )
  const observed = Math.max(wanted.observedGeneration ?? 0, old.observedGeneration ?? 0)
  return withFields(wanted, {
    startTime: old.startTime ?? wanted.startTime ?? toTimestamp(now),
    ...(conditions === undefined ? {} : { conditions }),
    ...(observed === 0 ? {} : { observedGeneration: observed }),
  })
}

/** With Ready and ContainersReady recomputed in place. */
function withReadiness(pod: Pod, status: PodStatus): PodStatus {
  const { conditions = [], containerStatuses = [], initContainerStatuses = [], phase } = status
  const all = [...initContainerStatuses, ...containerStatuses]
  const ready = podReadyCondition(pod, conditions, all, phase)
  const containersReady = containersReadyCondition(pod, all, phase)
  return {
    ...status,
    conditions: withCondition(withCondition(conditions, ready), containersReady),
  }
}
