import { expect, it } from 'vitest'
import type {
  BudgetedPod,
  PodDisruptionBudget,
} from '../../../shared/kubernetes/disruption-budget.ts'
import type { BudgetFact } from '../../../shared/model/act.ts'
import { budgetFact } from './budget-fact.ts'

const pod: BudgetedPod = {
  metadata: { name: 'web', namespace: 'default', uid: 'u' },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
}

function budget(
  status: Partial<PodDisruptionBudget['status']> = {},
  name = 'guard',
): PodDisruptionBudget {
  return {
    metadata: { name, namespace: 'default', uid: name, generation: 1 },
    spec: { selector: {} },
    status: {
      observedGeneration: 1,
      disruptionsAllowed: 0,
      currentHealthy: 1,
      desiredHealthy: 2,
      expectedPods: 2,
      ...status,
    },
  }
}

it.each<[string, BudgetedPod, readonly PodDisruptionBudget[] | undefined, BudgetFact]>([
  ['cannot be read', pod, undefined, { kind: 'unknown' }],
  [
    'guard other pods',
    { ...pod, metadata: { ...pod.metadata, namespace: 'x' } },
    [budget()],
    { kind: 'none' },
  ],
  ['allow it', pod, [budget({ disruptionsAllowed: 1 })], { kind: 'allows', name: 'guard' }],
  [
    'are not asked',
    { ...pod, status: { phase: 'Pending' } },
    [budget()],
    { kind: 'allows', name: 'guard' },
  ],
  [
    'allow none',
    pod,
    [budget()],
    { kind: 'refuses', name: 'guard', code: 429, why: 'it needs 2 healthy pods and has 1' },
  ],
  [
    'have changed',
    pod,
    [budget({ observedGeneration: 0 })],
    {
      kind: 'refuses',
      name: 'guard',
      code: 429,
      why: 'it has not been evaluated since it changed',
    },
  ],
  [
    'are two',
    pod,
    [budget(), budget({}, 'other')],
    { kind: 'refuses', name: 'guard and other', code: 500, why: 'a pod may match only one' },
  ],
  [
    'count below zero',
    pod,
    [budget({ disruptionsAllowed: -1 })],
    { kind: 'refuses', name: 'guard', code: 403, why: 'its allowed disruptions are negative' },
  ],
])('a pod whose budgets %s', (_, evicted, budgets, fact) => {
  expect(budgetFact(evicted, budgets)).toEqual(fact)
})
