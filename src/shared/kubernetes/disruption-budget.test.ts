import { describe, expect, it } from 'vitest'
import { budgetsOf, budgetDecision, ignoresBudgets, selectsLabels } from './disruption-budget.ts'
import type {
  BudgetedPod,
  BudgetDecision,
  LabelSelector,
  PodDisruptionBudget,
} from './disruption-budget.ts'

type Status = PodDisruptionBudget['status']
type Spec = PodDisruptionBudget['spec']

function pod(ready: 'True' | 'False' = 'True', phase = 'Running'): BudgetedPod {
  return {
    metadata: { name: 'web', namespace: 'default', uid: 'u', labels: { app: 'web' } },
    status: { phase, conditions: [{ type: 'Ready', status: ready }] },
  }
}

function budget(status: Partial<Status> = {}, spec: Spec = {}): PodDisruptionBudget {
  return {
    metadata: { name: 'guard', namespace: 'default', uid: 'g', generation: 1 },
    spec: { selector: {}, ...spec },
    status: {
      observedGeneration: 1,
      disruptionsAllowed: 1,
      currentHealthy: 2,
      desiredHealthy: 1,
      expectedPods: 2,
      ...status,
    },
  }
}

describe('a label selector', () => {
  const requirement = (operator: string, ...values: readonly string[]): LabelSelector => ({
    matchExpressions: [{ key: 'app', operator, values }],
  })

  it.each<[string, LabelSelector | undefined, boolean]>([
    ['that is absent selects nothing', undefined, false],
    ['that is empty selects everything', {}, true],
    ['of a label', { matchLabels: { app: 'web' } }, true],
    ['of another value', { matchLabels: { app: 'api' } }, false],
    ['with In', requirement('In', 'api', 'web'), true],
    ['with In of others', requirement('In', 'api'), false],
    ['with NotIn', requirement('NotIn', 'web'), false],
    ['with NotIn of others', requirement('NotIn', 'api'), true],
    ['with Exists', requirement('Exists'), true],
    ['with DoesNotExist', requirement('DoesNotExist'), false],
    ['with an operator that is none', requirement('Like', 'web'), false],
    ['of which one part fails', { matchLabels: { app: 'web', tier: 'front' } }, false],
  ])('%s', (_, selector, selected) => {
    expect(selectsLabels(selector, { app: 'web' })).toBe(selected)
  })

  it('with NotIn selects what has no such label', () => {
    expect(selectsLabels(requirement('NotIn', 'web'), {})).toBe(true)
    const inherited = { matchExpressions: [{ key: 'constructor', operator: 'Exists' }] }
    expect(selectsLabels(inherited, {})).toBe(false)
  })
})

it('only budgets of the pod’s own namespace guard it', () => {
  const own = budget()
  const other = { ...own, metadata: { ...own.metadata, namespace: 'other' } }
  expect(budgetsOf(pod(), [other, own])).toEqual([own])
})

it.each([
  ['Running', false],
  ['Unknown', false],
  ['Pending', true],
  ['Succeeded', true],
  ['Failed', true],
])('a pod that is %s goes without its budgets: %s', (phase, ignores) => {
  expect(ignoresBudgets(pod('True', phase))).toBe(ignores)
})

it('a pod that is being deleted ignores its budgets', () => {
  const { metadata, ...rest } = pod()
  const deleted = { ...rest, metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }
  expect(ignoresBudgets(deleted)).toBe(true)
})

describe('a budget', () => {
  const spent = { disruptionsAllowed: 0, currentHealthy: 1 } as const
  const crowd = Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [`p${index}`, 't']))
  it.each<[string, BudgetedPod, PodDisruptionBudget, BudgetDecision]>([
    ['with disruptions left', pod(), budget(), { kind: 'allowed', takesOne: true }],
    ['with none left', pod(), budget(spent), { kind: 'exhausted' }],
    [
      'that has changed since it was counted',
      pod(),
      budget({ observedGeneration: 0 }),
      { kind: 'unobserved' },
    ],
    ['below zero', pod(), budget({ disruptionsAllowed: -1 }), { kind: 'negative' }],
    ['with too many disrupted pods', pod(), budget({ disruptedPods: crowd }), { kind: 'crowded' }],
    [
      'that is kept without an unhealthy pod',
      pod('False'),
      budget(spent),
      { kind: 'allowed', takesOne: false },
    ],
    [
      'that is not kept, of an unhealthy pod',
      pod('False'),
      budget({ ...spent, currentHealthy: 0 }),
      { kind: 'exhausted' },
    ],
    [
      'that wants none, of an unhealthy pod',
      pod('False'),
      budget({ desiredHealthy: 0 }),
      { kind: 'allowed', takesOne: true },
    ],
    [
      'that always lets unhealthy pods go',
      pod('False'),
      budget({ ...spent, currentHealthy: 0 }, { unhealthyPodEvictionPolicy: 'AlwaysAllow' }),
      { kind: 'allowed', takesOne: false },
    ],
    [
      'that always lets unhealthy pods go, of a healthy one',
      pod(),
      budget(spent, { unhealthyPodEvictionPolicy: 'AlwaysAllow' }),
      { kind: 'exhausted' },
    ],
  ])('%s', (_, evicted, asked, verdict) => {
    expect(budgetDecision(evicted, asked)).toEqual(verdict)
  })
})
