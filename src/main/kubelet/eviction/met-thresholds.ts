/** Which thresholds are met, since when, and which one is acted on (eviction helpers.go; eviction#eviction-loop). Pure. */
import { conditionOf, isMemorySignal } from '../../../shared/model/pressure/signals.ts'
import type { PressureCondition } from '../../../shared/model/pressure/signals.ts'
import type { Observations } from './observations.ts'
import { isSameThreshold, quantityOf, thresholdQuantity } from './thresholds.ts'
import type { Threshold } from './thresholds.ts'

/** When each threshold was first met without a break since, in ms. */
export type FirstObservedAt = ReadonlyMap<Threshold, number>

/** When each condition was last observed, in ms. */
export type LastObservedAt = ReadonlyMap<PressureCondition, number>

/** Whether or not their grace periods have passed. `enforcesMinReclaim`: less than the value and the minimum reclaim together counts. */
export function thresholdsMet(
  thresholds: readonly Threshold[],
  observations: Observations,
  enforcesMinReclaim: boolean,
): readonly Threshold[] {
  return thresholds.filter(({ signal, value, minReclaim }) => {
    const observed = observations.get(signal)
    if (observed === undefined) return false
    const { capacity, available, format } = observed
    const least = thresholdQuantity(value, capacity).nanos
    const more =
      enforcesMinReclaim && minReclaim !== undefined
        ? thresholdQuantity(minReclaim, capacity).nanos
        : 0n
    return least + more > quantityOf(available, format).nanos
  })
}

/** Those of `more` that are not there yet are added. */
export function mergeThresholds(
  thresholds: readonly Threshold[],
  more: readonly Threshold[],
): readonly Threshold[] {
  const merged = [...thresholds]
  for (const threshold of more)
    if (!merged.some((known) => isSameThreshold(known, threshold))) merged.push(threshold)
  return merged
}

export function firstObservedAt(
  thresholds: readonly Threshold[],
  before: FirstObservedAt,
  now: number,
): FirstObservedAt {
  return new Map(thresholds.map((threshold) => [threshold, before.get(threshold) ?? now]))
}

export function thresholdsMetGracePeriod(
  observedAt: FirstObservedAt,
  now: number,
): readonly Threshold[] {
  return [...observedAt]
    .filter(([{ gracePeriodMs }, at]) => now - at >= gracePeriodMs)
    .map(([threshold]) => threshold)
}

/** Those whose signal was measured since. */
export function thresholdsUpdatedStats(
  thresholds: readonly Threshold[],
  observations: Observations,
  before: Observations,
): readonly Threshold[] {
  return thresholds.filter(({ signal }) => {
    const observed = observations.get(signal)
    if (observed === undefined) return false
    const last = before.get(signal)
    if (last === undefined || observed.time === undefined) return true
    return last.time === undefined || observed.time > last.time
  })
}

/** Each once, in the order of the thresholds. */
export function nodeConditions(thresholds: readonly Threshold[]): readonly PressureCondition[] {
  return [...new Set(thresholds.map(({ signal }) => conditionOf(signal)))]
}

export function conditionsLastObservedAt(
  conditions: readonly PressureCondition[],
  before: LastObservedAt,
  now: number,
): LastObservedAt {
  return new Map([...before, ...conditions.map((condition) => [condition, now] as const)])
}

/** Those that were observed within the period. */
export function conditionsObservedSince(
  observedAt: LastObservedAt,
  periodMs: number,
  now: number,
): readonly PressureCondition[] {
  return [...observedAt].filter(([, at]) => now - at < periodMs).map(([condition]) => condition)
}

/**
 * Memory first. The kubelet's comparison is no order, as one of two memory signals is always before the other: it sorts a few
 * thresholds by insertion, which moves the later one forward.
 */
export function byEvictionPriority(thresholds: readonly Threshold[]): readonly Threshold[] {
  const memory = thresholds.filter(({ signal }) => isMemorySignal(signal))
  const others = thresholds.filter(({ signal }) => !isMemorySignal(signal))
  return [...memory.toReversed(), ...others]
}
