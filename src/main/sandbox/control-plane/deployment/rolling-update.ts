import type { Deployment, ReplicaSet } from '../../../../shared/kubernetes/workloads.ts'
import { scaledValue } from '../workloads/scaled-value.ts'
import { countAnnotation, maxReplicasAnnotation, desiredReplicasAnnotation } from './revisions.ts'

/** The numbers of a rollout. Source: pkg/controller/deployment/util/deployment_util.go (v1.34). All pure. */

export function desiredReplicas({ spec }: Pick<Deployment, 'spec'>): number {
  return spec.replicas ?? 1
}

export function replicasOf({ spec }: ReplicaSet): number {
  return spec.replicas ?? 1
}

export function availableOf({ status }: ReplicaSet): number {
  return status?.availableReplicas ?? 0
}

export function total(
  sets: readonly ReplicaSet[],
  count: (set: ReplicaSet) => number = replicasOf,
): number {
  return sets.reduce((sum, set) => sum + count(set), 0)
}

export function isRollingUpdate({ spec }: Deployment): boolean {
  return (spec.strategy?.type ?? 'RollingUpdate') === 'RollingUpdate'
}

/** ResolveFenceposts: at least one pod must be allowed to be missing or too many. */
function fencePosts(deployment: Deployment): readonly [surge: number, unavailable: number] {
  const { maxSurge = '25%', maxUnavailable = '25%' } = deployment.spec.strategy?.rollingUpdate ?? {}
  const desired = desiredReplicas(deployment)
  const surge = scaledValue(maxSurge, desired, 'up')
  const unavailable = scaledValue(maxUnavailable, desired, 'down')
  return surge === 0 && unavailable === 0 ? [0, 1] : [surge, unavailable]
}

export function maxSurge(deployment: Deployment): number {
  return isRollingUpdate(deployment) ? fencePosts(deployment)[0] : 0
}

export function maxUnavailable(deployment: Deployment): number {
  const desired = desiredReplicas(deployment)
  if (!isRollingUpdate(deployment) || desired === 0) return 0
  return Math.min(fencePosts(deployment)[1], desired)
}

/** How many replicas the new set shall have, given all sets (NewRSNewReplicas). */
export function newSetReplicas(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  current: number,
): number {
  const desired = desiredReplicas(deployment)
  if (!isRollingUpdate(deployment)) return desired
  // Without the correction of ResolveFenceposts, as upstream.
  const surge = scaledValue(
    deployment.spec.strategy?.rollingUpdate?.maxSurge ?? '25%',
    desired,
    'up',
  )
  const room = desired + surge - total(all)
  return room <= 0 ? current : current + Math.min(room, desired - current)
}

/** Whether the new set can take all replicas, and they are available. */
export function isSaturated(deployment: Deployment, set: ReplicaSet | undefined): boolean {
  const desired = desiredReplicas(deployment)
  return (
    set !== undefined &&
    replicasOf(set) === desired &&
    countAnnotation(set, desiredReplicasAnnotation) === desired &&
    availableOf(set) === desired
  )
}

function roundHalfAway(value: number): number {
  return value < 0 ? Math.ceil(value - 0.5) : Math.floor(value + 0.5)
}

function fractionOf(set: ReplicaSet, deployment: Deployment): number {
  const desired = desiredReplicas(deployment)
  if (desired === 0) return -replicasOf(set)
  const before = countAnnotation(set, maxReplicasAnnotation) || deployment.status?.replicas || 0
  if (before === 0) return 0
  const scaled = (replicasOf(set) * (desired + maxSurge(deployment))) / before
  return roundHalfAway(scaled) - replicasOf(set)
}

/** The share of a set in `toAdd` replicas (negative: to remove), of which `added` are distributed already. */
function proportionOf(
  set: ReplicaSet,
  deployment: Deployment,
  toAdd: number,
  added: number,
): number {
  if (replicasOf(set) === 0 || toAdd === 0 || toAdd === added) return 0
  const fraction = fractionOf(set, deployment)
  return toAdd > 0 ? Math.min(fraction, toAdd - added) : Math.max(fraction, toAdd - added)
}

/** Sizes of the active sets after a scaling during a rollout, in the order in which they are updated. */
export function proportionalSizes(
  deployment: Deployment,
  active: readonly ReplicaSet[],
): readonly (readonly [set: ReplicaSet, size: number])[] {
  const desired = desiredReplicas(deployment)
  const allowed = desired > 0 ? desired + maxSurge(deployment) : 0
  const toAdd = allowed - total(active)
  const sorted = sortedBySize(active, toAdd)
  let added = 0
  const sizes = sorted.map((set): [ReplicaSet, number] => {
    const proportion = proportionOf(set, deployment, toAdd, added)
    added += proportion
    return [set, replicasOf(set) + proportion]
  })
  const [largest] = sizes
  if (largest !== undefined && toAdd !== 0) largest[1] = Math.max(0, largest[1] + toAdd - added)
  return sizes
}

/** Oldest first; sets of the same second by name. */
export function byAge(a: ReplicaSet, b: ReplicaSet): number {
  const [timeA = '', timeB = ''] = [a.metadata.creationTimestamp, b.metadata.creationTimestamp]
  if (timeA !== timeB) return timeA < timeB ? -1 : 1
  return a.metadata.name < b.metadata.name ? -1 : 1
}

function sortedBySize(sets: readonly ReplicaSet[], toAdd: number): readonly ReplicaSet[] {
  if (toAdd === 0) return sets
  return sets.toSorted(
    (a, b) => replicasOf(b) - replicasOf(a) || (toAdd > 0 ? byAge(b, a) : byAge(a, b)),
  )
}
