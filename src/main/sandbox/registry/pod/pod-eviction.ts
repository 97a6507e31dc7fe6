import { assertNever } from '../../../../shared/assert-never.ts'
import { equalJson, objectAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import {
  budgetsOf,
  budgetDecision,
  ignoresBudgets,
} from '../../../../shared/kubernetes/disruption-budget.ts'
import type {
  BudgetDecision,
  PodDisruptionBudget,
} from '../../../../shared/kubernetes/disruption-budget.ts'
import type { KubeObject, KubeStatus } from '../../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../../shared/result.ts'
import { toTimestamp } from '../../../../shared/kubernetes/timestamps.ts'
import type { Clock } from '../../../kubelet/ports.ts'
import { badRequest, forbidden, serverError, tooManyRequests } from '../../api-status.ts'
import type { ApiResult } from '../../api-status.ts'
import { apiServerCaller } from '../../auth/caller.ts'
import { deleteOptions, preconditionConflict } from '../../endpoints/delete-options.ts'
import type { DeleteOptions } from '../../endpoints/delete-options.ts'
import type { ObjectDeletion } from '../../endpoints/object-deletion.ts'
import type { ObjectStore } from '../../object-store.ts'
import type { ObjectWriter, WriteContext } from '../../endpoints/object-writer.ts'
import { asDisruptionBudget, withDisruptionAllowed } from '../disruption-budget-strategy.ts'
import { withPodCondition } from '../conditions.ts'
import { disruptionBudgets } from '../resource-types.ts'
import type { ResourceType } from '../resource-type.ts'
import { asPod } from './pod-strategy.ts'

const disruption = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'EvictionByEvictionAPI',
  message: 'Eviction API: evicting',
} as const

/** The options of a decoded policy/v1 Eviction of this pod; the error is the answer. */
export function evictionOptions(
  eviction: JsonObject,
  podName: string,
  options: { readonly dryRun: boolean },
): ApiResult<DeleteOptions> {
  if (textAt(objectAt(eviction, 'metadata'), 'name') !== podName) {
    return err(badRequest('name in URL does not match name in Eviction object'))
  }
  return deleteOptions(eviction['deleteOptions'] ?? {}, options.dryRun ? { dryRun: 'All' } : {})
}

const severalBudgets =
  'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.'

const wouldViolate = "Cannot evict pod as it would violate the pod's disruption budget."

function budgetRefusal(
  type: ResourceType,
  verdict: Exclude<BudgetDecision, { readonly kind: 'allowed' }>,
  { metadata: { name }, status }: PodDisruptionBudget,
): KubeStatus {
  // Upstream names the resource in the singular here.
  const named = { ...type, plural: type.singular }
  const refused = (retryAfterSeconds: number, message: string): KubeStatus =>
    tooManyRequests(wouldViolate, {
      retryAfterSeconds,
      causes: [{ reason: 'DisruptionBudget', message }],
    })
  switch (verdict.kind) {
    case 'unobserved':
      return refused(10, `The disruption budget ${name} is still being processed by the server.`)
    case 'exhausted':
      return refused(
        0,
        `The disruption budget ${name} needs ${status.desiredHealthy} healthy pods and has ${status.currentHealthy} currently`,
      )
    case 'negative':
      return forbidden(named, name, 'pdb disruptions allowed is negative')
    case 'crowded':
      return forbidden(
        named,
        name,
        'DisruptedPods map too big - too many evictions not confirmed by PDB controller',
      )
    default:
      return assertNever(verdict, 'verdict of a budget')
  }
}

/** The budget after an eviction: one disruption fewer, and the pod is listed until the controller sees its deletion. */
function withDisruption(object: KubeObject, podName: string, now: number): KubeObject {
  const status = objectAt(object, 'status')
  const left = asDisruptionBudget(object).status.disruptionsAllowed - 1
  const disrupted = { ...objectAt(status, 'disruptedPods'), [podName]: toTimestamp(now) }
  const next = { ...status, disruptionsAllowed: left, disruptedPods: disrupted }
  return { ...object, status: left === 0 ? withDisruptionAllowed(next, now) : next }
}

interface PodEvictionDeps {
  readonly store: ObjectStore
  readonly writer: ObjectWriter
  readonly deletion: ObjectDeletion
  readonly clock: Clock
}

/**
 * Evictions through the API: checks the disruption budget of the pod, sets its DisruptionTarget condition and deletes it
 * gracefully. Upstream's retries and preconditions against races are not needed: nothing changes between two steps.
 * Source: pkg/registry/core/pod/storage/eviction.go (v1.34).
 */
export class PodEviction {
  readonly #deps: PodEvictionDeps

  constructor(deps: PodEvictionDeps) {
    this.#deps = deps
  }

  evict(
    type: ResourceType,
    pod: KubeObject,
    options: DeleteOptions,
    context: WriteContext,
  ): ApiResult<undefined> {
    const refusal = this.#checkBudget(pod, context)
    if (refusal !== undefined) return err(refusal)
    const unmet = preconditionConflict(type, pod, options)
    if (unmet !== undefined) return err(unmet)
    const target = context.dryRun ? pod : this.#marked(type, pod, context)
    // The write of the condition must not fail the caller's precondition.
    const unversioned = { ...options, resourceVersion: '' }
    const deletion = this.#deps.deletion.delete(type, target, unversioned, context)
    return deletion.ok ? ok(undefined) : deletion
  }

  /** Counts the eviction in the pod's budget, or returns why the budget refuses it. */
  #checkBudget(object: KubeObject, context: WriteContext): KubeStatus | undefined {
    const pod = asPod(object)
    if (ignoresBudgets(pod)) return undefined
    const budgets = this.#deps.store.of(disruptionBudgets).list()
    const matching = budgetsOf(pod, budgets.map(asDisruptionBudget))
    const [budget] = matching
    if (budget === undefined) return undefined
    if (matching.length > 1) return serverError(severalBudgets)
    const verdict = budgetDecision(pod, budget)
    if (verdict.kind !== 'allowed') return budgetRefusal(disruptionBudgets, verdict, budget)
    const stored = budgets.find(({ metadata }) => metadata.uid === budget.metadata.uid)
    if (verdict.takesOne && !context.dryRun && stored !== undefined) {
      const next = withDisruption(stored, object.metadata.name, this.#deps.clock.now())
      this.#deps.writer.modify(disruptionBudgets, next, stored, {
        ...context,
        caller: apiServerCaller,
        subresource: 'status',
      })
    }
    return undefined
  }

  #marked(type: ResourceType, pod: KubeObject, context: WriteContext): KubeObject {
    const marked = withPodCondition(pod, disruption, this.#deps.clock.now())
    return equalJson(marked, pod) ? pod : this.#deps.writer.modify(type, marked, pod, context)
  }
}
