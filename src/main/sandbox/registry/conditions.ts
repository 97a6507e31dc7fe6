import { defined, objectAt, objectsAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { toTimestamp } from '../../../shared/kubernetes/timestamps.ts'

/** A condition that the control plane sets. */
interface NewCondition {
  readonly type: string
  readonly status: 'True' | 'False'
  readonly reason?: string
  readonly message?: string
}

/**
 * A status with a condition, set or replaced by type. The transition time changes only with the condition's status. Source:
 * pkg/api/v1/pod UpdatePodCondition, apimachinery meta.SetStatusCondition.
 */
export function withCondition(
  status: JsonObject,
  condition: NewCondition,
  now: number,
): JsonObject {
  const conditions = objectsAt(status, 'conditions')
  const index = conditions.findIndex(({ type }) => type === condition.type)
  const before = conditions[index]
  const since = before?.['status'] === condition.status ? before['lastTransitionTime'] : undefined
  const set = { ...condition, lastTransitionTime: since || toTimestamp(now) }
  const all = before === undefined ? [...conditions, set] : conditions.with(index, set)
  return { ...status, conditions: all }
}

/** The pod with this condition. */
export function withPodCondition(
  pod: KubeObject,
  { type, status, reason, message }: NewCondition,
  now: number,
): KubeObject {
  const times = { lastProbeTime: null, lastTransitionTime: null }
  const condition = { type, status, ...times, ...defined({ reason, message }) }
  return { ...pod, status: withCondition(objectAt(pod, 'status'), condition, now) }
}
