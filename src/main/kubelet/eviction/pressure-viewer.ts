import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { evictionRefusal } from '../../../shared/kubernetes/critical-pod.ts'
import type {
  ConditionView,
  PressureView,
  RankingView,
  SignalView,
  ThresholdView,
} from '../../../shared/model/pressure/pressure-view.ts'
import { ranked } from '../../../shared/model/pressure/ranking.ts'
import { resourceOf, signals } from '../../../shared/model/pressure/signals.ts'
import type { PressureCondition, Signal } from '../../../shared/model/pressure/signals.ts'
import { settableSignals } from '../../../shared/model/pressure/threshold-texts.ts'
import { criticalBecause, podNamespace } from '../pod/identity.ts'
import type { Clock } from '../ports.ts'
import type { EvictionManager, EvictionState } from './eviction-manager.ts'
import type { EvictionSettings } from './eviction-settings.ts'
import { makeObservations } from './observations.ts'
import type { Observation, Observations } from './observations.ts'
import { rankKeysOf } from './rank-pods.ts'
import { nodeReclaims } from './reclaim.ts'
import type { PodStats, StatsProvider } from './stats.ts'
import { valueText } from './threshold-text.ts'
import { isHardThreshold, thresholdQuantity } from './thresholds.ts'
import type { Threshold } from './thresholds.ts'

const conditions: readonly PressureCondition[] = ['MemoryPressure', 'DiskPressure', 'PIDPressure']

interface PressureViewerDeps {
  readonly clock: Clock
  readonly manager: Pick<EvictionManager, 'state' | 'history' | 'evictions'>
  readonly stats: StatsProvider
  readonly settings: EvictionSettings
  readonly activePods: () => readonly Pod[]
}

/** Measures when it is asked. `other` is what the machine says of itself. */
export async function pressureView(deps: PressureViewerDeps): Promise<Omit<PressureView, 'other'>> {
  const { clock, manager, stats, settings } = deps
  const [node, pods] = await Promise.all([stats.node(), stats.pods()])
  const { state } = manager
  const observations = node.ok ? makeObservations(node.value) : state.observations
  const figures: PodStats = new Map(pods.ok ? pods.value.map((one) => [one.uid, one]) : [])
  const { lastRoundAt, nextRoundAt } = state
  const { pressureTransitionPeriodMs, maxPodGracePeriodSeconds } = settings
  return {
    now: clock.now(),
    isOn: state.thresholds.length > 0,
    signals: signals.map((signal) => signalView(signal, state, observations, manager.history)),
    conditions: conditions.map((condition) => conditionView(condition, state)),
    // allocatableMemory and containerfs rank as other signals do.
    rankings: settableSignals.map((signal) =>
      rankingView(signal, deps.activePods(), figures, state),
    ),
    evictions: manager.evictions.toReversed(),
    lastRoundAt,
    nextRoundAt,
    pressureTransitionPeriodMs,
    maxPodGracePeriodSeconds,
    error: [node, pods].map((one) => (one.ok ? '' : one.error)).find((text) => text !== '') ?? '',
  }
}

function conditionView(condition: PressureCondition, state: EvictionState): ConditionView {
  const lastObservedAt = state.conditionsLastObservedAt.get(condition) ?? null
  return { condition, isTrue: state.conditions.includes(condition), lastObservedAt }
}

function signalView(
  signal: Signal,
  state: EvictionState,
  observations: Observations,
  history: EvictionManager['history'],
): SignalView {
  const { layout, thresholds } = state
  const observed = observations.get(signal)
  const own = thresholds.filter((threshold) => threshold.signal === signal)
  const isOnNodeFs = layout.hasDedicatedImageFs === layout.hasDedicatedContainerFs
  return {
    signal,
    resource: resourceOf(signal),
    available: observed?.available ?? null,
    capacity: observed?.capacity ?? null,
    thresholds: own
      .map((threshold) => thresholdView(threshold, observed, state))
      .toSorted((a, b) => Number(b.isHard) - Number(a.isHard)),
    history: history.flatMap(({ at, observations: then }) => {
      const found = then.get(signal)
      return found === undefined ? [] : [{ at, available: found.available }]
    }),
    reclaims: nodeReclaims(signal, layout),
    follows: signal.startsWith('containerfs.') ? (isOnNodeFs ? 'nodefs' : 'imagefs') : null,
  }
}

function thresholdView(
  threshold: Threshold,
  observed: Observation | undefined,
  { firstObservedAt }: EvictionState,
): ThresholdView {
  const { value, minReclaim, gracePeriodMs } = threshold
  const capacity = observed?.capacity ?? 0
  const amount = (one: Threshold['value']): number =>
    Number(thresholdQuantity(one, capacity).nanos) / 1e9
  return {
    isHard: isHardThreshold(threshold),
    value: valueText(value),
    at: amount(value),
    minReclaim: minReclaim === undefined ? 0 : amount(minReclaim),
    gracePeriodMs,
    metSince: firstObservedAt.get(threshold) ?? null,
  }
}

function rankingView(
  signal: Signal,
  pods: readonly Pod[],
  figures: PodStats,
  { layout }: EvictionState,
): RankingView {
  const resource = resourceOf(signal)
  const all = pods.map((pod) => {
    const { uid, name } = pod.metadata
    const critical = criticalBecause(pod)
    return {
      uid,
      namespace: podNamespace(pod),
      name,
      keys: rankKeysOf(pod, figures.get(uid), signal, layout),
      never: critical === '' ? '' : evictionRefusal(critical, pod.spec.priority ?? 0),
    }
  })
  return { signal, resource, pods: ranked(resource, all) }
}
