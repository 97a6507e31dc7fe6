import { toTimestamp, fromTimestamp } from '../../../../shared/kubernetes/timestamps.ts'
import type {
  Deployment,
  DeploymentStatus,
  ReplicaSet,
  WorkloadCondition,
} from '../../../../shared/kubernetes/workloads.ts'
import { nonZero } from '../replica-set/replica-set-status.ts'
import { conditionOfType, withNewCondition, withoutCondition } from '../workloads/conditions.ts'
import { availableOf, desiredReplicas, maxUnavailable, total } from './rolling-update.ts'

/** Source: pkg/controller/deployment/sync.go calculateStatus and progress.go syncRolloutStatus (v1.34). All pure. */

const neverMs = 2 ** 31 - 1

export function hasProgressDeadline({ spec }: Deployment): boolean {
  return (spec.progressDeadlineSeconds ?? 600) !== neverMs
}

export function deadlineMs({ spec }: Deployment): number {
  return (spec.progressDeadlineSeconds ?? 600) * 1000
}

export function newCondition(
  type: string,
  [status, reason, message]: readonly [status: string, reason: string, message: string],
  now: number,
): WorkloadCondition {
  const time = toTimestamp(now)
  return { type, status, lastUpdateTime: time, lastTransitionTime: time, reason, message }
}

export function progressing({ status }: Pick<Deployment, 'status'>): WorkloadCondition | undefined {
  return conditionOfType(status?.conditions, 'Progressing')
}

/** The sets of a Deployment. */
export interface Sets {
  readonly current: ReplicaSet | undefined
  readonly old: readonly ReplicaSet[]
}

export function allOf({ current, old }: Sets): readonly ReplicaSet[] {
  return current === undefined ? old : [...old, current]
}

/** The counts, and whether enough pods are available. */
export function deploymentStatus(
  deployment: Deployment,
  sets: Sets,
  now: number,
): DeploymentStatus {
  const all = allOf(sets)
  const availableReplicas = total(all, availableOf)
  const { conditions, collisionCount } = deployment.status ?? {}
  const isAvailable = availableReplicas >= desiredReplicas(deployment) - maxUnavailable(deployment)
  const available = isAvailable
    ? (['True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.'] as const)
    : ([
        'False',
        'MinimumReplicasUnavailable',
        'Deployment does not have minimum availability.',
      ] as const)
  return {
    ...nonZero({
      observedGeneration: deployment.metadata.generation ?? 0,
      replicas: total(all, ({ status }) => status?.replicas ?? 0),
      updatedReplicas: sets.current?.status?.replicas ?? 0,
      readyReplicas: total(all, ({ status }) => status?.readyReplicas ?? 0),
      availableReplicas,
      unavailableReplicas: Math.max(0, total(all) - availableReplicas),
    }),
    ...(collisionCount === undefined ? {} : { collisionCount }),
    conditions: withNewCondition(conditions, newCondition('Available', available, now)),
  }
}

/** Whether all replicas are updated and available, and no other ones are left. */
export function isComplete(deployment: Deployment, status: DeploymentStatus = {}): boolean {
  const desired = desiredReplicas(deployment)
  const { updatedReplicas = 0, replicas = 0, availableReplicas = 0 } = status
  return (
    updatedReplicas === desired &&
    replicas === desired &&
    availableReplicas === desired &&
    (status.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0)
  )
}

function isProgressing(before: DeploymentStatus = {}, after: DeploymentStatus): boolean {
  const oldOnes = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus): number =>
    replicas - updatedReplicas
  return (
    (after.updatedReplicas ?? 0) > (before.updatedReplicas ?? 0) ||
    oldOnes(after) < oldOnes(before) ||
    (after.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (after.availableReplicas ?? 0) > (before.availableReplicas ?? 0)
  )
}

function hasTimedOut(deployment: Deployment, status: DeploymentStatus, now: number): boolean {
  const condition = progressing({ status })
  if (condition === undefined || condition.reason === 'NewReplicaSetAvailable') return false
  if (condition.reason === 'ProgressDeadlineExceeded') return true
  return (fromTimestamp(condition.lastUpdateTime) ?? 0) + deadlineMs(deployment) < now
}

function withProgress(
  deployment: Deployment,
  status: DeploymentStatus,
  set: ReplicaSet | undefined,
  now: number,
): readonly WorkloadCondition[] {
  const subject =
    set === undefined
      ? `Deployment ${JSON.stringify(deployment.metadata.name)}`
      : `ReplicaSet ${JSON.stringify(set.metadata.name)}`
  const { conditions } = status
  const condition = (status: string, reason: string, words: string): WorkloadCondition =>
    newCondition('Progressing', [status, reason, `${subject} ${words}.`], now)
  if (isComplete(deployment, status)) {
    const done = condition('True', 'NewReplicaSetAvailable', 'has successfully progressed')
    return withNewCondition(conditions, done)
  }
  if (isProgressing(deployment.status, status)) {
    const current = progressing(deployment)
    const going = condition('True', 'ReplicaSetUpdated', 'is progressing')
    const since = current?.status === 'True' ? current.lastTransitionTime : undefined
    const set = since === undefined ? going : { ...going, lastTransitionTime: since }
    return [...withoutCondition(conditions, 'Progressing'), set]
  }
  if (hasTimedOut(deployment, status, now)) {
    const late = condition('False', 'ProgressDeadlineExceeded', 'has timed out progressing')
    return withNewCondition(conditions, late)
  }
  return conditions ?? []
}

/** The failure of a set, of the new one before others. */
function replicaFailure(sets: Sets): WorkloadCondition | undefined {
  const failures = [sets.current, ...allOf(sets)].flatMap((set) => {
    const failure = conditionOfType(set?.status?.conditions, 'ReplicaFailure')
    return failure === undefined ? [] : [failure]
  })
  const [first] = failures
  if (first === undefined) return undefined
  const { type, status, lastTransitionTime = null, reason, message } = first
  return {
    type,
    status,
    lastTransitionTime,
    lastUpdateTime: lastTransitionTime,
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
  }
}

/** The status during a rollout: also whether it progresses, and whether replicas cannot be created. */
export function rolloutStatus(deployment: Deployment, sets: Sets, now: number): DeploymentStatus {
  const status = deploymentStatus(deployment, sets, now)
  const isDone =
    (status.replicas ?? 0) === (status.updatedReplicas ?? 0) &&
    progressing(deployment)?.reason === 'NewReplicaSetAvailable'
  let conditions: readonly WorkloadCondition[] = status.conditions ?? []
  if (!hasProgressDeadline(deployment)) conditions = withoutCondition(conditions, 'Progressing')
  else if (!isDone) conditions = withProgress(deployment, status, sets.current, now)
  const failure = replicaFailure(sets)
  return {
    ...status,
    conditions:
      failure === undefined
        ? withoutCondition(conditions, 'ReplicaFailure')
        : withNewCondition(conditions, failure),
  }
}
