import type {
  Container,
  ContainerStatus,
  Pod,
  PodCondition,
  PodPhase,
} from '../../../shared/kubernetes/objects.ts'
import type { PodRuntimeStatus } from '../container/runtime.ts'
import { isSidecar } from '../../../shared/kubernetes/pod-containers.ts'
import { podSandboxChanged } from '../kuberuntime/sandbox-change.ts'

/** Conditions that only the kubelet writes (status#merge). */
const kubeletConditionTypes: ReadonlySet<string> = new Set([
  'PodReadyToStartContainers',
  'Initialized',
  'Ready',
  'ContainersReady',
  'PodScheduled',
  'PodResizeInProgress',
  'PodResizePending',
])

/** Whether only the kubelet writes conditions of this type. */
export function isConditionByKubelet(type: string): boolean {
  return kubeletConditionTypes.has(type)
}

/** Whether the kubelet is one of several writers of conditions of this type. */
export function isConditionSharedByKubelet(type: string): boolean {
  return type === 'DisruptionTarget'
}

type ConditionValue = Pick<PodCondition, 'status' | 'reason' | 'message'>

const isTrue: ConditionValue = { status: 'True' }

/** A condition of this pod; it observes the pod's generation where the pod has one (static pods have none). */
function conditionOf(pod: Pod, type: string, value: ConditionValue): PodCondition {
  const { generation } = pod.metadata
  const hasGeneration = generation !== undefined && generation !== 0
  return hasGeneration ? { type, observedGeneration: generation, ...value } : { type, ...value }
}

/** Go's `%s` of a list of strings. */
function listed(names: readonly string[]): string {
  return `[${names.join(' ')}]`
}

function described(parts: Readonly<Record<string, readonly string[]>>): string {
  // Nearly always.
  if (Object.values(parts).every(({ length }) => length === 0)) return ''
  return Object.entries(parts)
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => `containers with ${what} status: ${listed(names)}`)
    .join(', ')
}

interface Sorted {
  readonly unknown: readonly string[]
  readonly failing: readonly string[]
}

function sortContainers(
  containers: readonly Container[],
  statuses: readonly ContainerStatus[],
  isFine: (container: Container, status: ContainerStatus) => boolean,
): Sorted {
  const unknown: string[] = []
  const failing: string[] = []
  for (const container of containers) {
    const status = statuses.find(({ name }) => name === container.name)
    if (status === undefined) unknown.push(container.name)
    else if (!isFine(container, status)) failing.push(container.name)
  }
  return { unknown, failing }
}

function containersReady(
  pod: Pod,
  statuses: readonly ContainerStatus[] | undefined,
  phase: PodPhase | undefined,
): ConditionValue {
  if (statuses === undefined) return { status: 'False', reason: 'UnknownContainerStatuses' }
  const { initContainers = [], containers } = pod.spec
  const { unknown, failing } = sortContainers(
    [...initContainers.filter(isSidecar), ...containers],
    statuses,
    (_, status) => status.ready,
  )
  if (phase === 'Succeeded' && unknown.length === 0) return terminalValue(phase)
  if (phase === 'Failed') return terminalValue(phase)
  const message = described({ unknown, unready: failing })
  return message === '' ? isTrue : { status: 'False', reason: 'ContainersNotReady', message }
}

function terminalValue(phase: PodPhase | undefined): ConditionValue {
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' }
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' }
  return { status: 'False' }
}

/** ContainersReady (status#conditions). `statuses`: init and regular containers together; undefined while none are known. */
export function containersReadyCondition(
  pod: Pod,
  statuses: readonly ContainerStatus[] | undefined,
  phase: PodPhase | undefined,
): PodCondition {
  return conditionOf(pod, 'ContainersReady', containersReady(pod, statuses, phase))
}

/** Ready: ContainersReady, and every readiness gate's condition True in `conditions` (status#conditions). */
export function podReadyCondition(
  pod: Pod,
  conditions: readonly PodCondition[],
  statuses: readonly ContainerStatus[] | undefined,
  phase: PodPhase | undefined,
): PodCondition {
  const value = containersReady(pod, statuses, phase)
  if (value.status !== 'True') return conditionOf(pod, 'Ready', value)
  const unready = (pod.spec.readinessGates ?? []).flatMap(({ conditionType }) => {
    const condition = conditions.find(({ type }) => type === conditionType)
    if (condition === undefined) {
      return [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`]
    }
    return condition.status === 'True'
      ? []
      : [
          `the status of pod readiness gate "${conditionType}" is not "True", but ${condition.status}`,
        ]
  })
  if (unready.length === 0) return conditionOf(pod, 'Ready', isTrue)
  const message = unready.join(', ')
  return conditionOf(pod, 'Ready', { status: 'False', reason: 'ReadinessGatesNotReady', message })
}

function isInitContainerDone(container: Container, status: ContainerStatus): boolean {
  return isSidecar(container) ? status.started === true : status.ready
}

function hasStartedRegularContainer(pod: Pod, statuses: readonly ContainerStatus[]): boolean {
  const names = new Set(pod.spec.containers.map(({ name }) => name))
  return statuses.some(
    ({ name, state }) =>
      names.has(name) && (state?.running !== undefined || state?.terminated !== undefined),
  )
}

function initialized(
  pod: Pod,
  statuses: readonly ContainerStatus[] | undefined,
  phase: PodPhase | undefined,
): ConditionValue {
  const initContainers = pod.spec.initContainers ?? []
  if (statuses === undefined && initContainers.length > 0) {
    return { status: 'False', reason: 'UnknownContainerStatuses' }
  }
  const known = statuses ?? []
  const { unknown, failing } = sortContainers(initContainers, known, isInitContainerDone)
  if (phase === 'Succeeded' && unknown.length === 0) {
    return { status: 'True', reason: 'PodCompleted' }
  }
  // Once a regular container has started, a restarting sidecar does not make the pod uninitialised.
  if (hasStartedRegularContainer(pod, known)) return isTrue
  const message = described({ unknown, incomplete: failing })
  return message === '' ? isTrue : { status: 'False', reason: 'ContainersNotInitialized', message }
}

/** Initialized (status#conditions). */
export function podInitializedCondition(
  pod: Pod,
  statuses: readonly ContainerStatus[] | undefined,
  phase: PodPhase | undefined,
): PodCondition {
  return conditionOf(pod, 'Initialized', initialized(pod, statuses, phase))
}

/** PodReadyToStartContainers: there is a sandbox, with its network, and no other is needed. */
export function podReadyToStartContainersCondition(
  pod: Pod,
  status: PodRuntimeStatus,
): PodCondition {
  const isNeeded = podSandboxChanged(pod, status).isNeeded
  return conditionOf(pod, 'PodReadyToStartContainers', { status: isNeeded ? 'False' : 'True' })
}

/** PodScheduled: always True from the kubelet. */
export function podScheduledCondition(pod: Pod): PodCondition {
  return conditionOf(pod, 'PodScheduled', isTrue)
}

/** Ready or ContainersReady of a pod in a terminal phase: False, `PodFailed` or `PodCompleted` (status#merge). */
export function unreadyForTerminalPhase(
  pod: Pod,
  type: 'Ready' | 'ContainersReady',
  phase: PodPhase | undefined,
): PodCondition {
  return conditionOf(pod, type, terminalValue(phase))
}

/**
 * Whether a pod with readiness gates should be synced, because the Ready condition that the API shows is not what
 * its container statuses and gates say (kubelet status/status_manager.go NeedToReconcilePodReadiness).
 */
export function needsReadinessReconcile(pod: Pod): boolean {
  if ((pod.spec.readinessGates ?? []).length === 0) return false
  const { conditions = [], containerStatuses, phase } = pod.status ?? {}
  const present = conditions.find(({ type }) => type === 'Ready')
  if (present === undefined) return false
  const wanted = podReadyCondition(pod, conditions, containerStatuses, phase)
  return present.status !== wanted.status || (present.message ?? '') !== (wanted.message ?? '')
}

/** The list with the first condition of that type replaced, or the condition at its end. */
export function withCondition<T extends { readonly type: string }>(
  conditions: readonly T[],
  condition: T,
): readonly T[] {
  const index = conditions.findIndex(({ type }) => type === condition.type)
  return index === -1 ? [...conditions, condition] : conditions.with(index, condition)
}
