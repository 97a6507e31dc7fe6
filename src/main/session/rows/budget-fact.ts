import {
  budgetsOf,
  budgetDecision,
  ignoresBudgets,
} from '../../../shared/kubernetes/disruption-budget.ts'
import type {
  BudgetedPod,
  PodDisruptionBudget,
} from '../../../shared/kubernetes/disruption-budget.ts'
import { assertNever } from '../../../shared/assert-never.ts'
import type { BudgetFact } from '../../../shared/model/act.ts'

/**
 * Whether the disruption budgets allow an eviction of the pod now. `budgets`: the cluster's; undefined if they cannot be
 * read. Pure.
 */
export function budgetFact(
  pod: BudgetedPod,
  budgets: readonly PodDisruptionBudget[] | undefined,
): BudgetFact {
  if (budgets === undefined) return { kind: 'unknown' }
  const asked = budgetsOf(pod, budgets)
  const [budget] = asked
  if (budget === undefined) return { kind: 'none' }
  if (ignoresBudgets(pod)) return { kind: 'allows', name: budget.metadata.name }
  if (asked.length > 1) {
    const names = asked.map(({ metadata }) => metadata.name).join(' and ')
    return { kind: 'refuses', name: names, code: 500, why: 'a pod may match only one' }
  }
  return ofVerdict(budget, budgetDecision(pod, budget))
}

function ofVerdict(
  { metadata: { name }, status }: PodDisruptionBudget,
  verdict: ReturnType<typeof budgetDecision>,
): BudgetFact {
  switch (verdict.kind) {
    case 'allowed':
      return { kind: 'allows', name }
    case 'exhausted': {
      const why = `it needs ${status.desiredHealthy} healthy pods and has ${status.currentHealthy}`
      return { kind: 'refuses', name, code: 429, why }
    }
    case 'unobserved':
      return { kind: 'refuses', name, code: 429, why: 'it has not been evaluated since it changed' }
    case 'negative':
      return { kind: 'refuses', name, code: 403, why: 'its allowed disruptions are negative' }
    case 'crowded':
      return {
        kind: 'refuses',
        name,
        code: 403,
        why: 'too many of its pods are being evicted already',
      }
    default:
      return assertNever(verdict, 'verdict of a budget')
  }
}
