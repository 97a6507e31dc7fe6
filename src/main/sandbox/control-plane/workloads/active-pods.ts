import { isConditionTrue } from '../../../../shared/kubernetes/conditions.ts'
import type { Pod } from '../../../../shared/kubernetes/objects.ts'
import { fromTimestamp } from '../../../../shared/kubernetes/timestamps.ts'

/** Source: pkg/controller/controller_utils.go IsPodActive (v1.34). */
export function isActive({ metadata, status }: Pod): boolean {
  return !isTerminal(status?.phase) && metadata.deletionTimestamp === undefined
}

export function isTerminal(phase: string | undefined): boolean {
  return phase === 'Succeeded' || phase === 'Failed'
}

export function isReady({ status }: Pod): boolean {
  return isConditionTrue(status, 'Ready')
}

/** Since when a ready pod has been ready, in ms; undefined if it is not ready or does not say. */
function readySince(pod: Pod): number | undefined {
  const ready = pod.status?.conditions?.find(
    ({ type, status }) => type === 'Ready' && status === 'True',
  )
  return fromTimestamp(ready?.lastTransitionTime)
}

/** When a ready pod will have been ready for long enough, in ms; undefined if it never will by itself or already has. */
export function availableAt(pod: Pod, minReadySeconds: number, now: number): number | undefined {
  const since = readySince(pod)
  if (since === undefined || minReadySeconds <= 0) return undefined
  const at = since + minReadySeconds * 1000
  return at > now ? at : undefined
}

/** Source: pkg/api/v1/pod IsPodAvailable (v1.34). */
export function isAvailable(pod: Pod, minReadySeconds: number, now: number): boolean {
  if (!isReady(pod)) return false
  if (minReadySeconds === 0) return true
  const since = readySince(pod)
  return since !== undefined && since + minReadySeconds * 1000 <= now
}

const phaseOrder: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 }

/** GetDeletionCostFromPodAnnotations: an int32 without a leading + or zeros, else 0. */
function deletionCost({ metadata }: Pod): number {
  const text = metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'] ?? '0'
  if (!/^(0|-?[1-9]\d*)$/.test(text)) return 0
  const cost = Number(text)
  return cost >= -(2 ** 31) && cost < 2 ** 31 ? cost : 0
}

function restartsOf({ spec, status }: Pod): readonly [regular: number, sidecars: number] {
  const sidecars = new Set(
    (spec.initContainers ?? []).filter((one) => one.restartPolicy === 'Always').map((c) => c.name),
  )
  const most = (counts: readonly number[]): number => Math.max(0, ...counts)
  return [
    most((status?.containerStatuses ?? []).map((one) => one.restartCount)),
    most(
      (status?.initContainerStatuses ?? [])
        .filter((one) => sidecars.has(one.name))
        .map((one) => one.restartCount),
    ),
  ]
}

/** Ages are compared as powers of two of nanoseconds, so that pods of about the same age are deleted at random. */
function logarithmicAge(since: number, now: number): number {
  const nanos = (now - since) * 1e6
  return nanos > 0 ? Math.trunc(Math.log2(nanos)) : -1
}

function compareTimes(
  a: number | undefined,
  b: number | undefined,
  [podA, podB]: readonly [Pod, Pod],
  now: number,
): number {
  if (a === b) return 0
  if (a === undefined) return -1
  if (b === undefined) return 1
  const difference = logarithmicAge(a, now) - logarithmicAge(b, now)
  return difference === 0 ? (podA.metadata.uid < podB.metadata.uid ? -1 : 1) : difference
}

/**
 * The order in which pods are deleted: negative if `a` goes before `b`. `rankOf`: how many related pods are on the pod's node.
 * Source: pkg/controller/controller_utils.go ActivePodsWithRanks (v1.34).
 */
export function compareForDeletion(
  a: Pod,
  b: Pod,
  { rankOf, now }: { readonly rankOf: (pod: Pod) => number; readonly now: number },
): number {
  return (
    compareStates(a, b) ||
    deletionCost(a) - deletionCost(b) ||
    rankOf(b) - rankOf(a) ||
    compareHistories(a, b, (...times) => compareTimes(...times, [a, b], now))
  )
}

/** The same without costs, ranks and chance (ActivePods). */
export function compareActive(a: Pod, b: Pod): number {
  return compareStates(a, b) || compareHistories(a, b, compareExactTimes)
}

function compareExactTimes(a: number | undefined, b: number | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined)
  return b - a
}

function compareStates(a: Pod, b: Pod): number {
  const isAssigned = ({ spec }: Pod): number => ((spec.nodeName ?? '') === '' ? 0 : 1)
  const phase = ({ status }: Pod): number => phaseOrder[status?.phase ?? ''] ?? 0
  return (
    isAssigned(a) - isAssigned(b) || phase(a) - phase(b) || Number(isReady(a)) - Number(isReady(b))
  )
}

function compareHistories(
  a: Pod,
  b: Pod,
  compare: (a: number | undefined, b: number | undefined) => number,
): number {
  const byReadiness = isReady(a) ? compare(readySince(a), readySince(b)) : 0
  if (byReadiness !== 0) return byReadiness
  const [regularA, sidecarsA] = restartsOf(a)
  const [regularB, sidecarsB] = restartsOf(b)
  const byRestarts = regularB - regularA || sidecarsB - sidecarsA
  if (byRestarts !== 0) return byRestarts
  const created = ({ metadata }: Pod): number | undefined =>
    fromTimestamp(metadata.creationTimestamp)
  return compare(created(a), created(b))
}
