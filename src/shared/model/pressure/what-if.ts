/** The same node with other uses: what the eviction manager would find, without changing anything. Pure. */
import type { OtherUseView, PressureView, RankedPod, SignalView } from './pressure-view.ts'
import { whatIf } from './ranking-words.ts'
import { conditionOf, resourceOf } from './signals.ts'
import type { Signal, StarvedResource } from './signals.ts'

export interface AssumedUse {
  /** By resource and UID, see `assumedKey`. Bytes, inodes or processes. */
  readonly pods: Readonly<Record<string, number>>
  /** What the machine uses besides its pods. */
  readonly other: Partial<OtherUseView>
}

export const nothingAssumed: AssumedUse = { pods: {}, other: {} }

export function assumedKey(resource: StarvedResource, uid: string): string {
  return `${resource}/${uid}`
}

export function isAssumed({ pods, other }: AssumedUse): boolean {
  return Object.keys(pods).length > 0 || Object.keys(other).length > 0
}

/** The part of the other use that a signal's resource is taken from; null: allocatable memory is about pods alone. */
export function otherUseOf(signal: Signal): keyof OtherUseView | null {
  switch (resourceOf(signal)) {
    case 'memory':
      return signal === 'memory.available' ? 'memoryBytes' : null
    case 'ephemeral-storage':
      return 'diskBytes'
    case 'inodes':
      return 'inodes'
    case 'pids':
      return 'processes'
  }
}

function morePodUse(view: PressureView, { pods }: AssumedUse, resource: StarvedResource): number {
  const ranking = view.rankings.find((one) => one.resource === resource)
  return (ranking?.pods ?? []).reduce((sum, { uid, keys }) => {
    const assumed = pods[assumedKey(resource, uid)]
    return assumed === undefined ? sum : sum + assumed - (keys.use ?? 0)
  }, 0)
}

function moreOtherUse({ other: now }: PressureView, { other }: AssumedUse, signal: Signal): number {
  const part = otherUseOf(signal)
  const assumed = part === null ? undefined : other[part]
  return part === null || assumed === undefined || now === null ? 0 : assumed - now[part]
}

function signalWith(view: PressureView, assumed: AssumedUse, signal: SignalView): SignalView {
  const { available: before, capacity } = signal
  const more =
    morePodUse(view, assumed, signal.resource) + moreOtherUse(view, assumed, signal.signal)
  if (before === null || more === 0) return signal
  const available = Math.min(capacity ?? Infinity, Math.max(0, before - more))
  return {
    ...signal,
    available,
    thresholds: signal.thresholds.map((threshold) => ({
      ...threshold,
      metSince: available < threshold.at ? (threshold.metSince ?? view.now) : null,
    })),
  }
}

/** All file systems of a simulated machine are one, so a pod's disk use counts for each. */
export function assumedView(view: PressureView, assumed: AssumedUse): PressureView {
  if (!isAssumed(assumed)) return view
  const signals = view.signals.map((signal) => signalWith(view, assumed, signal))
  const met = signals.filter(({ thresholds }) =>
    thresholds.some(({ metSince }) => metSince !== null),
  )
  const useOf = (resource: StarvedResource) => (pod: RankedPod) =>
    assumed.pods[assumedKey(resource, pod.uid)] ?? pod.keys.use
  return {
    ...view,
    signals,
    conditions: view.conditions.map((one) => ({
      ...one,
      isTrue: one.isTrue || met.some(({ signal }) => conditionOf(signal) === one.condition),
    })),
    rankings: view.rankings.map((ranking) => whatIf(ranking, useOf(ranking.resource))),
  }
}

/** From how long before now the course of a signal is continued, ms. */
const courseMs = 60_000

/** When the signal falls to the amount if it goes on as in the last minute, ms; null: it does not fall. */
export function reachedAt(
  { history, available }: SignalView,
  now: number,
  at: number,
): number | null {
  const first = history.find((point) => point.at >= now - courseMs)
  if (first === undefined || available === null || available <= at || now <= first.at) return null
  const fall = (first.available - available) / (now - first.at)
  return fall <= 0 ? null : now + (available - at) / fall
}
