import {
  enumProblems,
  invalidField,
  invalidEach,
  problemIf,
} from '../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../shared/kubernetes/validation/field-problem.ts'
import { defined, equalJson, isJsonObject, objectAt, objectsAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { PodDisruptionBudget } from '../../../shared/kubernetes/disruption-budget.ts'
import { percentProblems } from '../../../shared/kubernetes/validation/name-rules.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { withCondition } from './conditions.ts'
import { conditionsProblems } from './condition-validation.ts'
import { selectorProblems } from './selector-validation.ts'
import { plainStrategy, withFieldOf } from './strategy.ts'
import type { ResourceStrategy } from './strategy.ts'

/** The fields of a budget's status that the API always shows. */
export const emptyBudgetStatus = {
  disruptionsAllowed: 0,
  currentHealthy: 0,
  desiredHealthy: 0,
  expectedPods: 0,
} as const

// Go omits these when they are empty.
const omitted = new Set(['observedGeneration', 'disruptedPods', 'conditions'])

function isEmpty(value: unknown): boolean {
  return (
    value === 0 || (typeof value === 'object' && equalJson(value, Array.isArray(value) ? [] : {}))
  )
}

function withStatusDefaults(status: JsonObject): JsonObject {
  const kept = Object.entries(status).filter(
    ([name, value]) => !omitted.has(name) || !isEmpty(value),
  )
  const shown: JsonObject = { ...emptyBudgetStatus, ...Object.fromEntries(kept) }
  if (shown['conditions'] === undefined) return shown
  const conditions = objectsAt(shown, 'conditions').map(({ observedGeneration, ...condition }) => ({
    type: '',
    status: '',
    lastTransitionTime: null,
    reason: '',
    message: '',
    ...condition,
    ...(isEmpty(observedGeneration ?? 0) ? {} : { observedGeneration }),
  }))
  return { ...shown, conditions }
}

function withSpecDefaults(spec: JsonObject): JsonObject {
  const selector = spec['selector']
  if (!isJsonObject(selector)) return spec
  const parts = Object.entries(selector).filter(([, value]) => !isEmpty(value))
  return { ...spec, selector: Object.fromEntries(parts) }
}

function withDefaults(budget: KubeObject): KubeObject {
  return {
    ...budget,
    spec: withSpecDefaults(objectAt(budget, 'spec')),
    status: withStatusDefaults(objectAt(budget, 'status')),
  }
}

function amountProblems(value: unknown, field: string): FieldProblems {
  if (typeof value === 'string') {
    const problems = percentProblems(value)
    if (problems.length > 0) return invalidEach(field, value, problems)
    const isTooMuch = Number.parseInt(value, 10) > 100
    return problemIf(isTooMuch, invalidField(field, value, 'must not be greater than 100%'))
  }
  if (typeof value !== 'number' || value >= 0) return []
  return [invalidField(field, value, 'must be greater than or equal to 0')]
}

/** The internal type as Go prints it, with other field names. */
function internalSpec(spec: JsonObject): JsonObject {
  return {
    MinAvailable: spec['minAvailable'] ?? null,
    Selector: spec['selector'] ?? null,
    MaxUnavailable: spec['maxUnavailable'] ?? null,
    UnhealthyPodEvictionPolicy: spec['unhealthyPodEvictionPolicy'] ?? null,
  }
}

const policies = ['AlwaysAllow', 'IfHealthyBudget']

function specProblems(budget: KubeObject): FieldProblems {
  const spec = objectAt(budget, 'spec')
  const { minAvailable, maxUnavailable, unhealthyPodEvictionPolicy: policy } = spec
  const hasBoth = minAvailable !== undefined && maxUnavailable !== undefined
  const both = 'minAvailable and maxUnavailable cannot be both set'
  return [
    ...problemIf(hasBoth, invalidField('spec', internalSpec(spec), both)),
    ...amountProblems(minAvailable, 'spec.minAvailable'),
    ...amountProblems(maxUnavailable, 'spec.maxUnavailable'),
    ...selectorProblems(objectAt(spec, 'selector'), 'spec.selector'),
    ...(policy === undefined
      ? []
      : enumProblems('spec.unhealthyPodEvictionPolicy', policy, policies)),
  ]
}

function statusProblems(budget: KubeObject): FieldProblems {
  const status = objectAt(budget, 'status')
  const counts = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods']
  return [
    ...conditionsProblems(objectsAt(status, 'conditions'), 'status.conditions'),
    ...counts.flatMap((count) => amountProblems(status[count], `status.${count}`)),
  ]
}

function prepareForUpdate(next: KubeObject, old: KubeObject): KubeObject {
  const prepared = withFieldOf(next, 'status', old)
  if (equalJson(prepared['spec'], old['spec'])) return prepared
  const generation = (old.metadata.generation ?? 0) + 1
  return { ...prepared, metadata: { ...prepared.metadata, generation } }
}

/** Disruption budgets. Source: pkg/registry/policy/poddisruptionbudget/strategy.go (v1.34). */
export const disruptionBudgetStrategy: ResourceStrategy = plainStrategy({
  withDefaults,
  prepareForCreate: (budget) => ({
    ...budget,
    metadata: { ...budget.metadata, generation: 1 },
    status: emptyBudgetStatus,
  }),
  createProblems: specProblems,
  prepareForUpdate,
  updateProblems: specProblems,
  prepareForStatusUpdate: (next, old) => withFieldOf(next, 'spec', old),
  statusProblems,
  updatesUnconditionally: false,
})

/** Casts a stored object of this kind. */
export function asDisruptionBudget(object: KubeObject): PodDisruptionBudget {
  // The types of its fields were checked when it was decoded.
  return object as unknown as PodDisruptionBudget
}

/**
 * A budget's status with its DisruptionAllowed condition. Source: component-helpers UpdateDisruptionAllowedCondition.
 */
export function withDisruptionAllowed(status: JsonObject, now: number): JsonObject {
  const isAllowed = Number(status['disruptionsAllowed'] ?? 0) > 0
  return withBudgetCondition(status, now, {
    status: isAllowed ? 'True' : 'False',
    reason: isAllowed ? 'SufficientPods' : 'InsufficientPods',
    message: '',
  })
}

/** The same with a given status and reason. */
export function withBudgetCondition(
  status: JsonObject,
  now: number,
  given: { readonly status: 'True' | 'False'; readonly reason: string; readonly message: string },
): JsonObject {
  const { observedGeneration } = status
  const condition = { type: 'DisruptionAllowed', ...given, ...defined({ observedGeneration }) }
  return withCondition(status, condition, now)
}
