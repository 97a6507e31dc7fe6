import { toTimestamp } from '../../../../shared/kubernetes/timestamps.ts'
import type { Job, WorkloadCondition } from '../../../../shared/kubernetes/workloads.ts'
import { conditionOfType } from '../workloads/conditions.ts'

import { IndexIntervals } from './index-intervals.ts'

export function jobCondition(
  type: string,
  reason: string,
  message: string,
  now: number,
): WorkloadCondition {
  const time = toTimestamp(now)
  return { type, status: 'True', lastProbeTime: time, lastTransitionTime: time, reason, message }
}

function isTrue(job: Pick<Job, 'status'>, type: string): boolean {
  return conditionOfType(job.status?.conditions, type)?.status === 'True'
}

/** Source: pkg/controller/job/util IsJobFinished. */
export function isFinished(job: Pick<Job, 'status'>): boolean {
  return isTrue(job, 'Complete') || isTrue(job, 'Failed')
}

/** The condition of a type, if it is true. */
export function trueCondition(job: Job, type: string): WorkloadCondition | undefined {
  return isTrue(job, type) ? conditionOfType(job.status?.conditions, type) : undefined
}

/**
 * The conditions with one set to a status. One that is missing is not added as False. Undefined if nothing changes. Source:
 * ensureJobConditionStatus.
 */
export function withStatus(
  conditions: readonly WorkloadCondition[] = [],
  condition: WorkloadCondition,
): readonly WorkloadCondition[] | undefined {
  const index = conditions.findIndex(({ type }) => type === condition.type)
  const before = conditions[index]
  if (before === undefined)
    return condition.status === 'False' ? undefined : [...conditions, condition]
  const isSame =
    before.status === condition.status &&
    before.reason === condition.reason &&
    before.message === condition.message
  return isSame ? undefined : conditions.with(index, condition)
}

/** Which rule of the success policy the succeeded indexes meet. Source: pkg/controller/job/success_policy.go (v1.34). */
export function metSuccessRule({ spec }: Job, succeeded: IndexIntervals): string | undefined {
  if (succeeded.total === 0) return undefined
  const index = (spec.successPolicy?.rules ?? []).findIndex((rule) => {
    const { succeededIndexes, succeededCount } = rule
    if (succeededIndexes === undefined)
      return succeededCount !== undefined && succeeded.total >= succeededCount
    const required = IndexIntervals.parse(succeededIndexes, spec.completions ?? 0)
    const overlap = required.overlap(succeeded)
    const isEnough = succeededCount !== undefined && overlap >= succeededCount
    return required.total > 0 && (isEnough || overlap === required.total)
  })
  return index === -1 ? undefined : `Matched rules at index ${index}`
}
