import type { ContainerStatus, Pod } from '../../../../shared/kubernetes/objects.ts'
import { fromTimestamp } from '../../../../shared/kubernetes/timestamps.ts'
import type { Job, PodFailurePolicyRule } from '../../../../shared/kubernetes/workloads.ts'

/** What a Job's controller reads of its pods. Source: pkg/controller/job backoff_utils.go, pod_failure_policy.go (v1.34). */

export const trackingFinalizer = 'batch.kubernetes.io/job-tracking'
export const completionIndexKey = 'batch.kubernetes.io/job-completion-index'
const failureCountKey = 'batch.kubernetes.io/job-index-failure-count'
const ignoredCountKey = 'batch.kubernetes.io/job-index-ignored-failure-count'

export function isTracked({ metadata }: Pod): boolean {
  return metadata.finalizers?.includes(trackingFinalizer) === true
}

export function isIndexed({ spec }: Job): boolean {
  return spec.completionMode === 'Indexed'
}

/** Undefined if the pod has no valid index. */
export function completionIndex({ metadata }: Pod): number | undefined {
  const text = metadata.annotations?.[completionIndexKey] ?? ''
  return /^\+?\d+$/.test(text) ? Number(text) : undefined
}

/** The index of a pod, unless the Job has no such index. */
export function validIndex(pod: Pod, { spec }: Job): number | undefined {
  const index = completionIndex(pod)
  return index !== undefined && index < (spec.completions ?? 0) ? index : undefined
}

function countIn({ metadata }: Pod, key: string): number {
  const count = Number(metadata.annotations?.[key] ?? '0')
  return Number.isInteger(count) && count >= 0 && count < 2 ** 31 ? count : 0
}

export function indexFailureCount(pod: Pod): number {
  return countIn(pod, failureCountKey)
}

/** Also the failures that a policy ignored. */
export function absoluteFailureCount(pod: Pod): number {
  return countIn(pod, failureCountKey) + countIn(pod, ignoredCountKey)
}

/** The annotations with which a pod takes over the failures of the one that it replaces. */
export function failureCountAnnotations(
  job: Job,
  replaced: Pod | undefined,
): Readonly<Record<string, string>> {
  if (replaced === undefined) return { [failureCountKey]: '0' }
  const isCounted = failurePolicyOf(job, replaced).isCounted
  const failures = countIn(replaced, failureCountKey) + (isCounted ? 1 : 0)
  const ignored = countIn(replaced, ignoredCountKey) + (isCounted ? 0 : 1)
  return {
    [failureCountKey]: String(failures),
    ...(ignored === 0 ? {} : { [ignoredCountKey]: String(ignored) }),
  }
}

/** Pods that are being deleted are replaced only when they have ended. */
export function replacesOnlyFailed({ spec }: Job): boolean {
  return spec.podReplacementPolicy === 'Failed' || spec.podFailurePolicy !== undefined
}

export function isFailed(pod: Pod, job: Job): boolean {
  const phase = pod.status?.phase
  if (phase === 'Failed') return true
  if (replacesOnlyFailed(job)) return false
  return pod.metadata.deletionTimestamp !== undefined && phase !== 'Succeeded'
}

function sidecarsOf({ spec }: Pod): ReadonlySet<string> {
  const sidecars = (spec.initContainers ?? []).filter((one) => one.restartPolicy === 'Always')
  return new Set(sidecars.map(({ name }) => name))
}

function latestEnd(pod: Pod): number | undefined {
  const sidecars = sidecarsOf(pod)
  const regular = latest(pod.status?.containerStatuses ?? [], undefined)
  const others = (pod.status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name))
  return others.length === 0 ? regular : latest(others, regular)
}

/** Undefined as soon as one of the containers has not ended. */
function latest(
  statuses: readonly ContainerStatus[],
  before: number | undefined,
): number | undefined {
  let end = before
  for (const { state } of statuses) {
    const finished = fromTimestamp(state?.terminated?.finishedAt)
    if (finished === undefined) return undefined
    end = end === undefined ? finished : Math.max(end, finished)
  }
  return end
}

/** When a pod ended, in ms: its last container, else since when it has not been ready, else its deletion, else its creation. */
export function finishedAt(pod: Pod): number {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, creationTimestamp } = pod.metadata
  const notReady = pod.status?.conditions?.find(
    ({ type, status }) => type === 'Ready' && status === 'False',
  )
  const deletion = fromTimestamp(deletionTimestamp)
  return (
    latestEnd(pod) ??
    fromTimestamp(notReady?.lastTransitionTime) ??
    (deletion === undefined ? undefined : deletion - deletionGracePeriodSeconds * 1000) ??
    fromTimestamp(creationTimestamp) ??
    0
  )
}

/** What a Job's policy says about a failed pod. `jobFailure`: why the whole Job fails. */
interface FailurePolicy {
  readonly isCounted: boolean
  readonly action?: string
  readonly jobFailure?: string
}

function exitMatching(
  { containerName, operator, values = [] }: NonNullable<PodFailurePolicyRule['onExitCodes']>,
  statuses: readonly ContainerStatus[] = [],
): ContainerStatus | undefined {
  return statuses.find(({ name, state }) => {
    const code = state?.terminated?.exitCode ?? 0
    if (code === 0 || (containerName !== undefined && containerName !== name)) return false
    return operator === 'In'
      ? values.includes(code)
      : operator === 'NotIn' && !values.includes(code)
  })
}

/** Why a rule applies; undefined if it does not. */
function matchOf(rule: PodFailurePolicyRule, index: number, pod: Pod): string | undefined {
  const { namespace = '', name } = pod.metadata
  const end = `matching ${rule.action} rule at index ${index}`
  if (rule.onExitCodes !== undefined) {
    const { containerStatuses, initContainerStatuses } = pod.status ?? {}
    const container =
      exitMatching(rule.onExitCodes, containerStatuses) ??
      exitMatching(rule.onExitCodes, initContainerStatuses)
    if (container === undefined) return undefined
    const code = container.state?.terminated?.exitCode ?? 0
    return `Container ${container.name} for pod ${namespace}/${name} failed with exit code ${code} ${end}`
  }
  const condition = pod.status?.conditions?.find(({ type, status }) =>
    rule.onPodConditions?.some((one) => one.type === type && (one.status ?? 'True') === status),
  )
  if (condition === undefined) return undefined
  return `Pod ${namespace}/${name} has condition ${condition.type} ${end}`
}

/** Source: matchPodFailurePolicy. The first rule that applies counts. */
export function failurePolicyOf({ spec }: Job, pod: Pod): FailurePolicy {
  for (const [index, rule] of (spec.podFailurePolicy?.rules ?? []).entries()) {
    const match = matchOf(rule, index, pod)
    if (match === undefined) continue
    const { action } = rule
    if (action === 'Ignore') return { isCounted: false, action }
    if (action === 'FailJob') return { isCounted: true, action, jobFailure: match }
    if (action === 'FailIndex' || action === 'Count') return { isCounted: true, action }
  }
  return { isCounted: true }
}
