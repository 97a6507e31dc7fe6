import { objectAt, objectsAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import { toTimestamp } from '../../../../shared/kubernetes/timestamps.ts'

/** A condition that the control plane sets on a pod. */
export interface NewCondition {
  readonly type: string
  readonly status: 'True' | 'False'
  readonly reason?: string
  readonly message?: string
}

/**
 * The pod with this condition. The transition time changes only with the condition's status. Source: pkg/api/v1/pod
 * UpdatePodCondition.
 */
export function withPodCondition(
  pod: KubeObject,
  condition: NewCondition,
  now: number,
): KubeObject {
  const status = objectAt(pod, 'status')
  const conditions = objectsAt(status, 'conditions')
  const index = conditions.findIndex(({ type }) => type === condition.type)
  const before: JsonObject | undefined = conditions[index]
  const since = before?.['lastTransitionTime']
  const set = {
    type: condition.type,
    status: condition.status,
    lastProbeTime: null,
    lastTransitionTime: before?.['status'] === condition.status && since ? since : toTimestamp(now),
    ...(condition.reason === undefined ? {} : { reason: condition.reason }),
    ...(condition.message === undefined ? {} : { message: condition.message }),
  }
  const all = before === undefined ? [...conditions, set] : conditions.with(index, set)
  return { ...pod, status: { ...status, conditions: all } }
}
