/** Ends pods before the node runs out of something (kubelet pkg/kubelet/eviction eviction_manager.go; eviction#eviction-loop). */
import { formatQuantity } from '../../../shared/kubernetes/quantity.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { resourceOf } from '../../../shared/model/pressure/signals.ts'
import type { PressureCondition, Signal } from '../../../shared/model/pressure/signals.ts'
import type { EvictionView } from '../../../shared/model/pressure/pressure-view.ts'
import type { TraceCauses, TraceData, TraceSeq } from '../../../shared/model/trace-event.ts'
import type { Result } from '../../../shared/result.ts'
import { podNamespace, traceAbout } from '../pod/identity.ts'
import type { NodePressure } from '../node/node-status.ts'
import type { CancelTimer, CorePorts, EventRecorder } from '../ports.ts'
import { withContainerFs } from './container-fs-thresholds.ts'
import type { DiskLayout } from './container-fs-thresholds.ts'
import { hardEvictionGraceSeconds } from './evict-pod.ts'
import type { Eviction, PodEvictor } from './evict-pod.ts'
import { evictionMessage } from './eviction-message.ts'
import type { EvictionSettings } from './eviction-settings.ts'
import { exceededLimits, storageLimitsOf } from './local-storage.ts'
import type { ExceededLimit, StorageLimits } from './local-storage.ts'
import { memoryThresholdNotifiers } from './memory-threshold-notifier.ts'
import type { MemoryThresholdNotifier, NotifyMemory } from './memory-threshold-notifier.ts'
import {
  byEvictionPriority,
  conditionsLastObservedAt,
  conditionsObservedSince,
  firstObservedAt,
  mergeThresholds,
  nodeConditions,
  thresholdsMet,
  thresholdsMetGracePeriod,
  thresholdsUpdatedStats,
} from './met-thresholds.ts'
import type { FirstObservedAt, LastObservedAt } from './met-thresholds.ts'
import { makeObservations } from './observations.ts'
import type { Observations } from './observations.ts'
import { rankPods } from './rank-pods.ts'
import { nodeReclaims } from './reclaim.ts'
import type { NodeReclaim } from './reclaim.ts'
import type { PodStats, StatsProvider } from './stats.ts'
import { thresholdStatement } from './threshold-text.ts'
import { isHardThreshold, quantityOf, thresholdQuantity } from './thresholds.ts'
import type { Threshold } from './thresholds.ts'

/** In ms: kubelet.go evictionMonitoringPeriod; eviction_manager.go podCleanupTimeout, podCleanupPollFreq; helpers notifierRefreshInterval. */
const evictionPeriods = {
  monitoringMs: 10_000,
  cleanupTimeoutMs: 30_000,
  cleanupPollMs: 1000,
  notifierRefreshMs: 10_000,
} as const

export interface EvictionManagerDeps extends CorePorts {
  readonly settings: EvictionSettings
  readonly stats: StatsProvider
  readonly recorder: EventRecorder
  readonly evictor: Pick<PodEvictor, 'evictPod'>
  /** Active pods with what was allocated to them; of `isWanted` only those whose pods, as their source has them, are wanted. */
  readonly activePods: (isWanted?: (pod: Pod) => boolean) => readonly Pod[]
  /** Whether nothing of the pod is left on the node. */
  readonly isPodFinished: (uid: string) => boolean
  /** Each error is one sentence. */
  readonly reclaim: Readonly<Record<NodeReclaim, () => Promise<Result<undefined, string>>>>
  /** For kernelMemcgNotification. Absent: the kernel tells nothing. */
  readonly notifyMemory?: NotifyMemory | undefined
  /** The order in which thresholds that are met are gone through; in a kubelet it is random. Default: as configured. */
  readonly inOrder?: (thresholds: readonly Threshold[]) => readonly Threshold[]
}

/** What a round found, for those who show it. */
export interface EvictionState {
  readonly thresholds: readonly Threshold[]
  readonly layout: DiskLayout
  readonly observations: Observations
  readonly firstObservedAt: FirstObservedAt
  readonly conditionsLastObservedAt: LastObservedAt
  readonly conditions: readonly PressureCondition[]
  /** When the last round began, and when the next one begins; null: not known, as one is under way or waits for a pod. */
  readonly lastRoundAt: number | null
  readonly nextRoundAt: number | null
}

/** Of the past this much is kept: 15 min of rounds, and the last evictions. */
const keptRounds = 90
const keptEvictions = 50

const oneDisk: DiskLayout = { hasDedicatedImageFs: false, hasDedicatedContainerFs: false }
const noPods: readonly Pod[] = []

export class EvictionManager {
  readonly #deps: EvictionManagerDeps
  #thresholds: readonly Threshold[]
  #layout: DiskLayout | undefined
  #conditions: readonly PressureCondition[] = []
  #conditionsLastObservedAt: LastObservedAt = new Map()
  #firstObservedAt: FirstObservedAt = new Map()
  #thresholdsMet: readonly Threshold[] = []
  #observations: Observations = new Map()
  #notifiers: readonly MemoryThresholdNotifier[] = []
  #notifiersUpdatedAt = -Infinity
  #cancelTimer: CancelTimer | undefined
  #isRunning = false
  #isSynchronizing = false
  #lastRoundAt: number | null = null
  #nextRoundAt: number | null = null
  /** The last change of the conditions. */
  #pressureSeq: TraceCauses = []
  /** Null: the pod has no limits. */
  readonly #limits = new WeakMap<Pod['spec'], StorageLimits | null>()
  #history: { readonly at: number; readonly observations: Observations }[] = []
  #evictions: EvictionView[] = []

  constructor(deps: EvictionManagerDeps) {
    this.#deps = deps
    this.#thresholds = deps.settings.thresholds
  }

  /** Begins with a round at once. Running already: nothing. */
  start(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    const { settings, notifyMemory, log } = this.#deps
    if (this.#isIdle) return
    if (settings.kernelMemcgNotification && notifyMemory !== undefined)
      this.#notifiers = memoryThresholdNotifiers(this.#thresholds, notifyMemory, (message) => {
        log.info(message)
        void this.synchronize()
      })
    void this.#round()
  }

  stop(): void {
    this.#isRunning = false
    this.#nextRoundAt = null
    this.#cancelTimer?.()
    for (const notifier of this.#notifiers) notifier.stop()
  }

  /** For admission and the node's conditions. */
  readonly pressure = (): NodePressure => ({
    memory: this.#conditions.includes('MemoryPressure'),
    disk: this.#conditions.includes('DiskPressure'),
    pid: this.#conditions.includes('PIDPressure'),
  })

  /** What the last rounds observed, the oldest first. */
  get history(): readonly { readonly at: number; readonly observations: Observations }[] {
    return this.#history
  }

  /** The oldest first. */
  get evictions(): readonly EvictionView[] {
    return this.#evictions
  }

  get state(): EvictionState {
    return {
      thresholds: this.#thresholds,
      layout: this.#layout ?? oneDisk,
      observations: this.#observations,
      firstObservedAt: this.#firstObservedAt,
      conditionsLastObservedAt: this.#conditionsLastObservedAt,
      conditions: this.#conditions,
      lastRoundAt: this.#lastRoundAt,
      nextRoundAt: this.#nextRoundAt,
    }
  }

  /** One round. Returns the pods that were evicted; while another round is under way, none. */
  async synchronize(): Promise<readonly Pod[]> {
    if (this.#isSynchronizing || this.#isIdle) return noPods
    this.#isSynchronizing = true
    this.#lastRoundAt = this.#deps.clock.now()
    try {
      return await this.#synchronizeNow()
    } finally {
      this.#isSynchronizing = false
    }
  }

  get #isIdle(): boolean {
    const { thresholds, localStorageCapacityIsolation } = this.#deps.settings
    return thresholds.length === 0 && !localStorageCapacityIsolation
  }

  async #round(): Promise<void> {
    this.#nextRoundAt = null
    const evicted = await this.synchronize()
    if (!this.#isRunning) return
    if (evicted.length === 0) this.#later(evictionPeriods.monitoringMs, () => this.#round())
    else this.#waitForCleanup(evicted)
  }

  #later(delayMs: number, next: () => Promise<void>): void {
    this.#nextRoundAt = this.#deps.clock.now() + delayMs
    this.#cancelTimer = this.#deps.clock.after(delayMs, () => void next())
  }

  /** Until all are gone, or the time is over. */
  #waitForCleanup(pods: readonly Pod[]): void {
    const { clock, isPodFinished, log } = this.#deps
    const { cleanupPollMs, cleanupTimeoutMs } = evictionPeriods
    const endsAt = clock.now() + cleanupTimeoutMs
    const poll = (): void => {
      if (!this.#isRunning) return
      const isClean = pods.every(({ metadata }) => isPodFinished(metadata.uid))
      if (!isClean && clock.now() < endsAt) {
        this.#cancelTimer = clock.after(cleanupPollMs, poll)
        return
      }
      if (!isClean) log.info('Eviction manager: timed out waiting for pods to be cleaned up')
      void this.#round()
    }
    this.#cancelTimer = clock.after(cleanupPollMs, poll)
  }

  async #synchronizeNow(): Promise<readonly Pod[]> {
    const { clock, stats, log } = this.#deps
    // The first round goes without the thresholds of containerfs, as a kubelet's does.
    const configured =
      this.#layout === undefined
        ? this.#thresholds.filter(({ signal }) => !signal.startsWith('containerfs.'))
        : this.#thresholds
    const layout = await this.#diskLayout()
    if (layout === undefined) return noPods
    const node = await stats.node()
    if (!node.ok) {
      log.error('Eviction manager: failed to get summary stats', { error: node.error })
      return noPods
    }
    this.#updateNotifiers(node.value)
    const observations = makeObservations(node.value)
    const now = clock.now()
    const met = this.#take(configured, observations, now)
    const updated = thresholdsUpdatedStats(met, observations, this.#observations)
    this.#observations = observations
    this.#history = [...this.#history.slice(1 - keptRounds), { at: now, observations }]
    const evicted = await this.#evictOverLimits(layout)
    if (evicted.length > 0) return evicted
    return updated.length === 0
      ? noPods
      : this.#reclaim(byEvictionPriority(updated), observations, layout)
  }

  async #diskLayout(): Promise<DiskLayout | undefined> {
    if (this.#layout !== undefined) return this.#layout
    const { stats, log } = this.#deps
    const layout = await stats.diskLayout()
    if (!layout.ok) {
      const message = `eviction manager: failed to get HasDedicatedImageFs: ${layout.error}`
      log.error('Eviction manager: failed to synchronize', { error: message })
      return undefined
    }
    this.#layout = layout.value
    this.#thresholds = withContainerFs(this.#thresholds, layout.value)
    return this.#layout
  }

  #updateNotifiers(node: Parameters<MemoryThresholdNotifier['updateThreshold']>[0]): void {
    const now = this.#deps.clock.now()
    if (now - this.#notifiersUpdatedAt <= evictionPeriods.notifierRefreshMs) return
    this.#notifiersUpdatedAt = now
    for (const notifier of this.#notifiers) {
      const updated = notifier.updateThreshold(node)
      const fields = { notifier: notifier.description, ...(updated.ok ? {} : updated) }
      if (!updated.ok) this.#deps.log.info('Eviction manager: failed to update notifier', fields)
    }
  }

  /** Notes what is met since when, and the conditions of the node. Returns what is met for longer than its grace period. */
  #take(
    configured: readonly Threshold[],
    observations: Observations,
    now: number,
  ): readonly Threshold[] {
    const { settings, inOrder = (thresholds) => thresholds } = this.#deps
    const crossed = thresholdsMet(configured, observations, false)
    const unresolved = thresholdsMet(this.#thresholdsMet, observations, true)
    const met = mergeThresholds(crossed, unresolved)
    this.#firstObservedAt = firstObservedAt(met, this.#firstObservedAt, now)
    this.#conditionsLastObservedAt = conditionsLastObservedAt(
      nodeConditions(met),
      this.#conditionsLastObservedAt,
      now,
    )
    const { pressureTransitionPeriodMs } = settings
    const conditions = conditionsObservedSince(
      this.#conditionsLastObservedAt,
      pressureTransitionPeriodMs,
      now,
    )
    this.#setConditions(conditions, met)
    this.#thresholdsMet = inOrder(thresholdsMetGracePeriod(this.#firstObservedAt, now))
    return this.#thresholdsMet
  }

  #setConditions(conditions: readonly PressureCondition[], met: readonly Threshold[]): void {
    const before = this.#conditions
    this.#conditions = conditions
    const isSame =
      before.length === conditions.length && before.every((one) => conditions.includes(one))
    if (isSame) return
    const data = { conditions, thresholds: met.map(thresholdStatement) }
    this.#pressureSeq = [this.#trace('node.pressureChanged', [], data)]
  }

  /** All pods over a limit of their own go in one round. */
  async #evictOverLimits(layout: DiskLayout): Promise<readonly Pod[]> {
    const { settings, activePods } = this.#deps
    if (!settings.localStorageCapacityIsolation) return noPods
    const limited = activePods((pod) => this.#limitsOf(pod) !== null)
    if (limited.length === 0) return noPods
    const stats = await this.#podStats(limited)
    const evicted: Pod[] = []
    for (const pod of limited) {
      const [figures, limits] = [stats?.get(pod.metadata.uid), this.#limitsOf(pod)]
      if (figures === undefined || limits === null) continue
      const exceeded = exceededLimits(limits, figures, layout)
      if (exceeded.length > 0 && (await this.#evictOverLimit(pod, exceeded))) evicted.push(pod)
    }
    return evicted
  }

  async #evictOverLimit(pod: Pod, limits: readonly ExceededLimit[]): Promise<boolean> {
    const { evictor, metrics, clock } = this.#deps
    for (const { message, signal } of limits) {
      const gracePeriodSeconds = hardEvictionGraceSeconds
      const eviction = { message, gracePeriodSeconds, disruptionTarget: false }
      const at = clock.now()
      const evicted = await evictor.evictPod(pod, eviction, [])
      if (!evicted.ok) continue
      metrics?.evictions.with(signal).increment()
      this.#note(pod, at, signal, eviction)
      return true
    }
    return false
  }

  #limitsOf(pod: Pod): StorageLimits | null {
    const known = this.#limits.get(pod.spec)
    if (known !== undefined) return known
    const limits = storageLimitsOf(pod) ?? null
    this.#limits.set(pod.spec, limits)
    return limits
  }

  /** Of all pods, or of some. */
  async #podStats(some?: readonly Pod[]): Promise<PodStats | undefined> {
    const uids = some && new Set(some.map(({ metadata }) => metadata.uid))
    const pods = await this.#deps.stats.pods(uids)
    if (pods.ok) return new Map(pods.value.map((figures) => [figures.uid, figures]))
    this.#deps.log.error('Eviction manager: failed to get summary stats', { error: pods.error })
    return undefined
  }

  async #reclaim(
    thresholds: readonly Threshold[],
    observations: Observations,
    layout: DiskLayout,
  ): Promise<readonly Pod[]> {
    const [threshold] = thresholds
    if (threshold === undefined) return noPods
    const { recorder } = this.#deps
    const resource = resourceOf(threshold.signal)
    const seq = this.#traceThreshold(threshold, observations)
    const message = `Attempting to reclaim ${resource}`
    recorder.event({ kind: 'node' }, 'Warning', 'EvictionThresholdMet', message, [seq])
    const stats = await this.#podStats()
    if (stats === undefined || (await this.#reclaimNode(threshold.signal, layout, seq)))
      return noPods
    return this.#evictFirst({ thresholds, observations, layout, stats, seq, threshold })
  }

  /** Whether no threshold is met any more. */
  async #reclaimNode(signal: Signal, layout: DiskLayout, seq: TraceSeq): Promise<boolean> {
    const { reclaim, stats, log } = this.#deps
    const kinds = nodeReclaims(signal, layout)
    if (kinds.length === 0) return false
    for (const kind of kinds) {
      const reclaimed = await reclaim[kind]()
      if (!reclaimed.ok)
        log.info('Eviction manager: unexpected error when attempting to reduce resource pressure', {
          resource: resourceOf(signal),
          error: reclaimed.error,
        })
    }
    const node = await stats.node()
    if (!node.ok)
      log.error('Eviction manager: failed to get summary stats after resource reclaim', {
        error: node.error,
      })
    const isEnough =
      node.ok && thresholdsMet(this.#thresholds, makeObservations(node.value), true).length === 0
    this.#trace('eviction.reclaimed', [seq], { signal, kinds, isEnough })
    return isEnough
  }

  async #evictFirst({
    thresholds,
    observations,
    layout,
    stats,
    seq,
    threshold,
  }: {
    readonly thresholds: readonly Threshold[]
    readonly observations: Observations
    readonly layout: DiskLayout
    readonly stats: PodStats
    readonly seq: TraceSeq
    readonly threshold: Threshold
  }): Promise<readonly Pod[]> {
    const { activePods, settings, metrics, evictor, log, clock } = this.#deps
    const { signal } = threshold
    const resource = resourceOf(signal)
    const pods = rankPods(activePods(), stats, signal, layout)
    if (pods.length === 0) {
      log.info(
        'Eviction manager: eviction thresholds have been met, but no pods are active to evict',
      )
      return noPods
    }
    for (const met of thresholds) {
      const time = observations.get(met.signal)?.time
      if (time !== undefined)
        metrics?.evictionStatsAge.with(met.signal).observe(metrics.secondsSince(time))
    }
    const gracePeriodSeconds = (pod: Pod): number =>
      isHardThreshold(threshold)
        ? hardEvictionGraceSeconds
        : Math.min(
            settings.maxPodGracePeriodSeconds,
            pod.spec.terminationGracePeriodSeconds ?? Infinity,
          )
    for (const pod of pods) {
      const figures = stats.get(pod.metadata.uid)
      const texts = evictionMessage(resource, pod, figures, { thresholds, observations })
      const eviction = {
        ...texts,
        gracePeriodSeconds: gracePeriodSeconds(pod),
        disruptionTarget: true,
      }
      const at = clock.now()
      const evicted = await evictor.evictPod(pod, eviction, [seq])
      if (!evicted.ok) continue
      metrics?.evictions.with(signal).increment()
      this.#note(pod, at, signal, eviction)
      return [pod]
    }
    log.info('Eviction manager: unable to evict any pods from the node')
    return noPods
  }

  #note(pod: Pod, at: number, signal: string, { message, gracePeriodSeconds }: Eviction): void {
    const { uid, name } = pod.metadata
    const namespace = podNamespace(pod)
    const eviction = { at, uid, namespace, name, signal, message, gracePeriodSeconds }
    this.#evictions = [...this.#evictions.slice(1 - keptEvictions), eviction]
  }

  #traceThreshold(threshold: Threshold, observations: Observations): TraceSeq {
    const { signal, value } = threshold
    const { available = 0, capacity = 0, format = 'binary' } = observations.get(signal) ?? {}
    return this.#trace('eviction.thresholdMet', this.#pressureSeq, {
      signal,
      threshold: formatQuantity(thresholdQuantity(value, capacity)),
      available: formatQuantity(quantityOf(available, format)),
      isHard: isHardThreshold(threshold),
    })
  }

  readonly #trace: <
    K extends 'node.pressureChanged' | 'eviction.thresholdMet' | 'eviction.reclaimed',
  >(
    kind: K,
    causes: TraceCauses,
    data: TraceData[K],
  ) => TraceSeq = (kind, causes, data) =>
    traceAbout(this.#deps.trace, { kind: 'node' }, kind, causes, data)
}
