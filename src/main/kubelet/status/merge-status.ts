import { defined, withFields } from '../../../shared/json.ts'
import type { Pod, PodCondition, PodStatus } from '../../../shared/kubernetes/objects.ts'
import { toTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import { isTerminalPhase } from '../pod/identity.ts'
import {
  isConditionByKubelet,
  isConditionSharedByKubelet,
  unreadyForTerminalPhase,
  withCondition,
} from './conditions.ts'
import { isSemanticallyEqual } from './semantic-equality.ts'

/** Fields of a pod's status that the kubelet writes; the rest is others' and is neither compared nor touched. */
const kubeletFields = [
  'observedGeneration',
  'phase',
  'message',
  'reason',
  'nominatedNodeName',
  'hostIP',
  'hostIPs',
  'podIP',
  'podIPs',
  'startTime',
  'initContainerStatuses',
  'containerStatuses',
  'ephemeralContainerStatuses',
  'qosClass',
] as const

const kubeletFieldNames: ReadonlySet<string> = new Set([...kubeletFields, 'conditions'])

/** Whether two statuses say the same as far as the kubelet has a say (isPodStatusByKubeletEqual): transition times do not count. */
export function isStatusByKubeletEqual(a: PodStatus, b: PodStatus): boolean {
  return (
    areConditionsEqual(a.conditions ?? [], b.conditions ?? []) &&
    kubeletFields.every((field) => isSemanticallyEqual(a[field], b[field]))
  )
}

function areConditionsEqual(a: readonly PodCondition[], b: readonly PodCondition[]): boolean {
  if (areAllOfOneVerdict(a, b)) return true
  const verdicts = (conditions: readonly PodCondition[]): Readonly<Record<string, unknown>> =>
    Object.fromEntries(
      conditions
        .filter(({ type }) => isConditionByKubelet(type) || isConditionSharedByKubelet(type))
        .map(({ type, status, reason, message }) => [type, { status, reason, message }]),
    )
  return isSemanticallyEqual(verdicts(a), verdicts(b))
}

/** Says no sooner than the comparison by type: most statuses have the same conditions in the same order. */
function areAllOfOneVerdict(a: readonly PodCondition[], b: readonly PodCondition[]): boolean {
  return (
    a.length === b.length &&
    a.every((one, index) => {
      const other = b[index]
      return (
        one.type === other?.type &&
        one.status === other.status &&
        one.reason === other.reason &&
        one.message === other.message
      )
    })
  )
}

/** A merged status, and whether a terminal phase was kept back because containers could still run. */
export interface MergedStatus {
  readonly status: PodStatus
  readonly isWithheld: boolean
}

interface MergeInput {
  /** The object whose status it is, for the generation that conditions observe. */
  readonly pod: Pod
  /** What the API server has. */
  readonly old: PodStatus
  /** What the kubelet wants to say. */
  readonly next: PodStatus
  readonly couldHaveRunningContainers: boolean
  readonly now: number
}

/** What is sent (status#merge): others' conditions and fields stay, the kubelet's are replaced, a terminal phase waits for the containers. */
export function mergePodStatus(input: MergeInput): MergedStatus {
  const { pod, old, next, couldHaveRunningContainers } = input
  const isEnding = !isTerminal(old) && isTerminal(next)
  const isWithheld = isEnding && couldHaveRunningContainers
  const merged: PodStatus = {
    ...foreignFields(old),
    ...(isWithheld ? withEndingOf(old, next) : next),
    conditions: mergeConditions(input, isEnding && !couldHaveRunningContainers),
  }
  const status = isTerminal(merged) ? withoutReadiness(pod, merged, input.now) : merged
  return { status, isWithheld }
}

function isTerminal(status: PodStatus): boolean {
  return isTerminalPhase(status.phase)
}

function foreignFields(status: PodStatus): PodStatus {
  return Object.fromEntries(
    Object.entries(status).filter(([field]) => !kubeletFieldNames.has(field)),
  )
}

/** The next status with phase, reason and message as the API has them. */
function withEndingOf(old: PodStatus, next: PodStatus): PodStatus {
  const { phase, reason, message } = old
  return defined({ ...next, phase, reason, message })
}

function mergeConditions(
  { old, next, now }: MergeInput,
  takesDisruption: boolean,
): readonly PodCondition[] {
  let conditions: readonly PodCondition[] = (old.conditions ?? []).filter(
    ({ type }) => !isConditionByKubelet(type),
  )
  for (const condition of next.conditions ?? []) {
    if (isConditionByKubelet(condition.type)) {
      conditions = [...conditions, condition]
    } else if (isConditionSharedByKubelet(condition.type) && takesDisruption) {
      // Its transition time is now: the one it has is from before the containers stopped.
      conditions = withCondition(conditions, withTransitionTime(condition, old, now))
    }
  }
  return conditions
}

/** The condition with the transition time of the old one of its type while the status is the same, else now (ms). */
export function withTransitionTime(
  condition: PodCondition,
  old: PodStatus,
  now: number,
): PodCondition {
  const before = old.conditions?.find(({ type }) => type === condition.type)
  const isSame = before !== undefined && before.status === condition.status
  const lastTransitionTime = isSame ? before.lastTransitionTime : toTimestamp(now)
  if (lastTransitionTime) return withFields(condition, { lastTransitionTime })
  const { lastTransitionTime: _own, ...rest } = condition
  return rest
}

/** No watcher is to see an ended pod that is ready. */
function withoutReadiness(pod: Pod, status: PodStatus, now: number): PodStatus {
  const { conditions = [], phase } = status
  const types = ['ContainersReady', 'Ready'] as const
  const isReady = types.some((type) =>
    conditions.some((condition) => condition.type === type && condition.status === 'True'),
  )
  if (!isReady) return status
  const unready = types.map((type) =>
    withTransitionTime(unreadyForTerminalPhase(pod, type, phase), status, now),
  )
  return { ...status, conditions: unready.reduce(withCondition, conditions) }
}
