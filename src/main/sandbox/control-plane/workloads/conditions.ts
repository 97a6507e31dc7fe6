import type { WorkloadCondition } from '../../../../shared/kubernetes/workloads.ts'

type Conditions = readonly WorkloadCondition[]

/** The condition of a type. */
export function conditionOfType(
  conditions: Conditions | undefined,
  type: string,
): WorkloadCondition | undefined {
  return conditions?.find((one) => one.type === type)
}

/** The conditions without those of a type. */
export function withoutCondition(conditions: Conditions | undefined, type: string): Conditions {
  return (conditions ?? []).filter((one) => one.type !== type)
}

/**
 * The conditions with one at the end, in place of another of its type. One with the same status and reason stays as it is; the
 * transition time changes only with the status. Source: pkg/controller/deployment/util SetDeploymentCondition (v1.34).
 */
export function withNewCondition(
  conditions: Conditions | undefined,
  condition: WorkloadCondition,
): Conditions {
  const current = conditionOfType(conditions, condition.type)
  const isSame = current?.status === condition.status
  if (isSame && current?.reason === condition.reason) return conditions ?? []
  const { lastTransitionTime } = isSame && current !== undefined ? current : condition
  const set = lastTransitionTime === undefined ? condition : { ...condition, lastTransitionTime }
  return [...withoutCondition(conditions, condition.type), set]
}
