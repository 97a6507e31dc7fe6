import { defined } from '../../../shared/json.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { toTimestamp } from '../../../shared/kubernetes/timestamps.ts'

/** A condition that the scheduler or a controller sets. */
export interface NewPodCondition {
  readonly type: 'PodScheduled' | 'DisruptionTarget'
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}

/** The condition to write; undefined if the pod has it. Source: pkg/api/v1/pod UpdatePodCondition. */
export function changedCondition({ metadata, status }: Pod, next: NewPodCondition, now: number) {
  const before = (status?.conditions ?? []).find(({ type }) => type === next.type)
  const isSame =
    before?.status === next.status &&
    before.reason === next.reason &&
    before.message === next.message &&
    before.observedGeneration === metadata.generation
  if (isSame) return undefined
  const isSameStatus = before?.status === next.status
  const lastTransitionTime = isSameStatus ? before.lastTransitionTime : toTimestamp(now)
  return defined({ ...next, observedGeneration: metadata.generation, lastTransitionTime })
}
