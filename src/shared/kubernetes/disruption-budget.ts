import { ownField } from '../json.ts'
import { isConditionTrue } from './conditions.ts'
import { isRequirementMet } from './node-affinity.ts'
import type { ObjectMeta } from './objects.ts'

/** A condition of a label selector. */
export interface SelectorRequirement {
  readonly key: string
  readonly operator: string
  readonly values?: readonly string[]
}

/** meta/v1 LabelSelector: every part must match. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>
  readonly matchExpressions?: readonly SelectorRequirement[]
}

/** policy/v1 PodDisruptionBudget as the API server stores it: the numbers of its status are always there. */
export interface PodDisruptionBudget {
  readonly metadata: ObjectMeta
  readonly spec: {
    /** A number of pods, or a percentage of those expected. */
    readonly minAvailable?: number | string
    readonly maxUnavailable?: number | string
    readonly selector?: LabelSelector
    readonly unhealthyPodEvictionPolicy?: string
  }
  readonly status: {
    readonly observedGeneration?: number
    /** By pod: when the API server let its eviction pass. */
    readonly disruptedPods?: Readonly<Record<string, string>>
    readonly disruptionsAllowed: number
    readonly currentHealthy: number
    readonly desiredHealthy: number
    readonly expectedPods: number
    readonly conditions?: readonly unknown[]
  }
}

/** The part of a pod that budgets depend on. */
export interface BudgetedPod {
  readonly metadata: ObjectMeta
  readonly status?: {
    readonly phase?: string
    readonly conditions?: readonly { readonly type: string; readonly status: string }[]
  }
}

/**
 * Whether a selector selects these labels: an absent one selects nothing, an empty one everything. Pure.
 * Source: apimachinery meta/v1 LabelSelectorAsSelector.
 */
export function selectsLabels(
  selector: LabelSelector | undefined,
  labels: Readonly<Record<string, string>>,
): boolean {
  if (selector === undefined) return false
  return (
    Object.entries(selector.matchLabels ?? {}).every(
      ([key, value]) => ownField(labels, key) === value,
    ) &&
    (selector.matchExpressions ?? []).every(({ key, operator, values = [] }) =>
      isRequirementMet(operator, ownField(labels, key), values),
    )
  )
}

/** True for the selector without any requirement. Pure. */
export function isEmptySelector({
  matchLabels = {},
  matchExpressions = [],
}: LabelSelector): boolean {
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0
}

/** The budgets that guard a pod, in their order. Pure. */
export function budgetsOf(
  pod: Pick<BudgetedPod, 'metadata'>,
  budgets: readonly PodDisruptionBudget[],
): readonly PodDisruptionBudget[] {
  const { namespace, labels = {} } = pod.metadata
  return budgets.filter(
    ({ metadata, spec }) =>
      metadata.namespace === namespace && selectsLabels(spec.selector, labels),
  )
}

/** Whether the kubelet says that the pod is ready: what budgets mean by healthy. Pure. */
export function isHealthy({ status }: BudgetedPod): boolean {
  return isConditionTrue(status, 'Ready')
}

/** Whether an eviction ignores the budgets of a pod: it is terminal, has not started, or is being deleted. Pure. */
export function ignoresBudgets({ metadata, status }: BudgetedPod): boolean {
  const phase = status?.phase ?? ''
  return (
    ['Succeeded', 'Failed', 'Pending'].includes(phase) || metadata.deletionTimestamp !== undefined
  )
}

/**
 * What a budget says to an eviction. `takesOne`: it counts as one of the disruptions allowed; a pod
 * that is not healthy anyway counts as none. `unobserved`: the controller has not seen the budget as
 * it is now. `crowded`: too many evictions that the controller has not seen.
 */
export type BudgetDecision =
  | { readonly kind: 'allowed'; readonly takesOne: boolean }
  | { readonly kind: 'unobserved' }
  | { readonly kind: 'negative' }
  | { readonly kind: 'crowded' }
  | { readonly kind: 'exhausted' }

const maxDisruptedPods = 2000

/** Source: pkg/registry/core/pod/storage/eviction.go (v1.34), Create and checkAndDecrement. Pure. */
export function budgetDecision(pod: BudgetedPod, budget: PodDisruptionBudget): BudgetDecision {
  const { spec, status, metadata } = budget
  if (!isHealthy(pod)) {
    const isWhole = status.currentHealthy >= status.desiredHealthy && status.desiredHealthy > 0
    if (isWhole || spec.unhealthyPodEvictionPolicy === 'AlwaysAllow') {
      return { kind: 'allowed', takesOne: false }
    }
  }
  if ((status.observedGeneration ?? 0) < (metadata.generation ?? 0)) return { kind: 'unobserved' }
  if (status.disruptionsAllowed < 0) return { kind: 'negative' }
  if (Object.keys(status.disruptedPods ?? {}).length > maxDisruptedPods) return { kind: 'crowded' }
  if (status.disruptionsAllowed === 0) return { kind: 'exhausted' }
  return { kind: 'allowed', takesOne: true }
}
