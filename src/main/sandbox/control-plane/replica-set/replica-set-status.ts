import { toTimestamp } from '../../../../shared/kubernetes/timestamps.ts'
import type { Pod } from '../../../../shared/kubernetes/objects.ts'
import type {
  ReplicaSetStatus,
  WorkloadCondition,
} from '../../../../shared/kubernetes/workloads.ts'
import type { ApiError } from '../../../kubelet/ports.ts'
import { isAvailable, isReady } from '../workloads/active-pods.ts'
import { conditionOfType, withoutCondition } from '../workloads/conditions.ts'

const failure = 'ReplicaFailure'

interface Counted {
  readonly desired: number
  readonly minReadySeconds: number
  readonly templateLabels: Readonly<Record<string, string>>
  readonly pods: readonly Pod[]
  readonly error: ApiError | undefined
  readonly now: number
}

function conditionsAfter(
  conditions: readonly WorkloadCondition[] | undefined,
  { desired, pods, error, now }: Counted,
): readonly WorkloadCondition[] {
  if (error === undefined) return withoutCondition(conditions, failure)
  if (conditionOfType(conditions, failure) !== undefined) return conditions ?? []
  const condition = {
    type: failure,
    status: 'True',
    lastTransitionTime: toTimestamp(now),
    ...(pods.length < desired ? { reason: 'FailedCreate' } : {}),
    ...(pods.length > desired ? { reason: 'FailedDelete' } : {}),
    message: error.message,
  }
  return [...(conditions ?? []), condition]
}

/** The counts that are not 0: Go omits the others. */
export function nonZero<K extends string>(
  counts: Readonly<Record<K, number>>,
): {
  readonly [name in K]?: number
} {
  const kept: { [name in K]?: number } = {}
  for (const name in counts) if (counts[name] !== 0) kept[name] = counts[name]
  return kept
}

/** The status without `observedGeneration`. Source: pkg/controller/replicaset/replica_set_utils.go calculateStatus (v1.34). */
export function replicaSetStatus(
  before: ReplicaSetStatus | undefined,
  counted: Counted,
): ReplicaSetStatus {
  const { pods, templateLabels, minReadySeconds, now } = counted
  const labels = Object.entries(templateLabels)
  const conditions = conditionsAfter(before?.conditions, counted)
  return {
    replicas: pods.length,
    ...nonZero({
      fullyLabeledReplicas: pods.filter(({ metadata }) =>
        labels.every(([name, value]) => metadata.labels?.[name] === value),
      ).length,
      readyReplicas: pods.filter(isReady).length,
      availableReplicas: pods.filter((pod) => isAvailable(pod, minReadySeconds, now)).length,
    }),
    ...(conditions.length === 0 ? {} : { conditions }),
  }
}
