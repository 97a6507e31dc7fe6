import type { Pod, PodStatus } from '../../../shared/kubernetes/objects.ts'
import { withCondition } from './conditions.ts'
import { withTransitionTime } from './merge-status.ts'

/**
 * The status with the condition that says that the kubelet itself ends the pod: DisruptionTarget True,
 * reason TerminationByKubelet. One that is there is replaced where it stands and keeps its time while it was
 * True. `now`: ms. Source: pkg/api/v1/pod UpdatePodCondition.
 */
export function withDisruptionTarget(
  pod: Pod,
  status: PodStatus,
  message: string,
  now: number,
): PodStatus {
  const { generation } = pod.metadata
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    reason: 'TerminationByKubelet',
    message,
  } as const
  const dated = withTransitionTime(condition, status, now)
  return { ...status, conditions: withCondition(status.conditions ?? [], dated) }
}
