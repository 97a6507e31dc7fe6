import type { Pod } from '../../../../shared/kubernetes/objects.ts'
import type { Job } from '../../../../shared/kubernetes/workloads.ts'
import { compareActive } from '../workloads/active-pods.ts'
import { isIndexed, validIndex } from './job-pods.ts'

/**
 * The active pods that a Job has too many of: of an indexed Job all without a valid index and all but one of each index, then
 * others until there are `atLeast`. Source: pkg/controller/job activePodsForRemoval (v1.34).
 */
export function podsToRemove(job: Job, active: readonly Pod[], atLeast: number): readonly Pod[] {
  const [removed, left] = isIndexed(job) ? withoutRepeated(job, active) : [[], active]
  if (removed.length >= atLeast) return removed
  const others = left.toSorted(compareActive).slice(0, atLeast - removed.length)
  return [...removed, ...others]
}

function withoutRepeated(
  job: Job,
  active: readonly Pod[],
): readonly [removed: readonly Pod[], left: readonly Pod[]] {
  const removed: Pod[] = []
  const byIndex = new Map<number, Pod[]>()
  for (const pod of active) {
    const index = validIndex(pod, job)
    if (index === undefined) removed.push(pod)
    else byIndex.set(index, [...(byIndex.get(index) ?? []), pod])
  }
  const left: Pod[] = []
  for (const same of byIndex.values()) {
    const sorted = same.toSorted(compareActive)
    removed.push(...sorted.slice(0, -1))
    left.push(...sorted.slice(-1))
  }
  return [removed, left]
}
