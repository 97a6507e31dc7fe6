import { budgetDecision, budgetsOf } from '../../../../shared/kubernetes/disruption-budget.ts'
import type { PodDisruptionBudget } from '../../../../shared/kubernetes/disruption-budget.ts'
import type { Pod } from '../../../../shared/kubernetes/objects.ts'
import type { DrainedPod, DrainOptions } from '../../../../shared/model/seen/drain.ts'
import type { Result } from '../../../../shared/result.ts'
import type { ApiClient, ApiError } from '../../../kubelet/ports.ts'
import { podNamespace } from '../../../kubelet/pod/identity.ts'
import { budgetFact } from '../../rows/budget-fact.ts'
import { inParallel } from '../../../../shared/in-parallel.ts'
import { asksDaemonSet, controllerOf, drainVerdict } from './drain-filters.ts'
import type { DaemonSetAnswer } from './drain-filters.ts'

export interface RehearsalDeps {
  readonly cluster: string
  readonly node: string
  readonly api: ApiClient
  /** Undefined if they cannot be read. */
  readonly budgets: readonly PodDisruptionBudget[] | undefined
  /** Whether the server is asked for a dry run of each eviction. */
  readonly isAsked: boolean
}

interface Rehearsal {
  readonly pods: readonly DrainedPod[]
  /** Why the server was not asked any further, in its own words; empty if it answered. */
  readonly unanswered: string
}

/** Asks no more once the server has not answered: each request would take its whole time limit. */
class Asking {
  unanswered = ''

  async ask<T>(send: () => Promise<Result<T, ApiError>>): Promise<Result<T, ApiError> | undefined> {
    if (this.unanswered !== '') return undefined
    const answer = await send()
    if (answer.ok || answer.error.code !== undefined) return answer
    this.unanswered = answer.error.message
    return undefined
  }
}

/** The answer about each DaemonSet of the pods, by `namespace/name`. */
async function daemonSetsOf(
  pods: readonly Pod[],
  api: ApiClient,
  asking: Asking,
): Promise<ReadonlyMap<string, DaemonSetAnswer>> {
  const asked = pods.filter(asksDaemonSet)
  const keys = [...new Set(asked.map(daemonSetKey))]
  const answers = await inParallel(keys, async (key): Promise<[string, DaemonSetAnswer]> => {
    const [namespace = '', name = ''] = key.split('/')
    const found = await asking.ask(async () => api.get({ resource: 'daemonsets', namespace, name }))
    if (found === undefined) return [key, { kind: 'unknown', message: asking.unanswered }]
    if (found.ok) return [key, { kind: 'exists' }]
    return [
      key,
      found.error.kind === 'not-found'
        ? { kind: 'missing' }
        : { kind: 'unknown', message: found.error.message },
    ]
  })
  return new Map(answers)
}

function daemonSetKey(pod: Pod): string {
  return `${podNamespace(pod)}/${controllerOf(pod)?.name ?? ''}`
}

/** The evictions that each budget allows, which a drain uses up one by one. */
class BudgetsLeft {
  readonly #budgets: readonly PodDisruptionBudget[] | undefined
  readonly #left = new Map<string, number>()

  constructor(budgets: readonly PodDisruptionBudget[] | undefined) {
    this.#budgets = budgets
  }

  nameOf(pod: Pod): string {
    return budgetsOf(pod, this.#budgets ?? [])
      .map(({ metadata }) => metadata.name)
      .join(', ')
  }

  /** Why the eviction would be refused now; empty if not. */
  refusal(pod: Pod): string {
    const fact = budgetFact(pod, this.#budgets)
    if (fact.kind === 'refuses') return `PodDisruptionBudget ${fact.name}: ${fact.why}`
    const [budget] = budgetsOf(pod, this.#budgets ?? [])
    if (fact.kind !== 'allows' || budget === undefined) return ''
    const decision = budgetDecision(pod, budget)
    if (decision.kind !== 'allowed' || !decision.takesOne) return ''
    const key = budget.metadata.uid
    const left = this.#left.get(key) ?? budget.status.disruptionsAllowed
    this.#left.set(key, left - 1)
    return left > 0
      ? ''
      : `PodDisruptionBudget ${budget.metadata.name} allows ${budget.status.disruptionsAllowed} at a time: it waits for those before`
  }
}

function dryRunRefusal(error: ApiError): string {
  return error.causes === undefined ? error.message : `${error.message} ${error.causes.join(' ')}`
}

async function dryRun(
  pod: Pod,
  { api, options }: { readonly api: ApiClient; readonly options: DrainOptions },
): Promise<Result<undefined, ApiError>> {
  const grace = options.gracePeriodSeconds
  return await api.evict(
    { namespace: podNamespace(pod), name: pod.metadata.name },
    { dryRun: true, ...(grace === null ? {} : { gracePeriodSeconds: grace }) },
  )
}

/** Who goes, who is left and why, and whose eviction would be refused. `pods`: of the node, in order. Writes nothing. */
export async function rehearseDrain(
  pods: readonly Pod[],
  options: DrainOptions,
  deps: RehearsalDeps,
): Promise<Rehearsal> {
  const asking = new Asking()
  const daemonSets = await daemonSetsOf(pods, deps.api, asking)
  const left = new BudgetsLeft(deps.budgets)
  const planned = pods.map((pod): { readonly pod: Pod; readonly view: DrainedPod } => {
    const verdict = drainVerdict(
      pod,
      options,
      daemonSets.get(daemonSetKey(pod)) ?? { kind: 'exists' },
    )
    const refusal = verdict.fate === 'evicts' ? left.refusal(pod) : ''
    const controller = controllerOf(pod)
    const view: DrainedPod = {
      key: `${deps.cluster}/${deps.node}/${pod.metadata.uid}`,
      namespace: podNamespace(pod),
      name: pod.metadata.name,
      fate: refusal === '' ? verdict.fate : 'blocks',
      why: refusal === '' ? verdict.why : refusal,
      budget: left.nameOf(pod),
      graceSeconds: options.gracePeriodSeconds ?? pod.spec.terminationGracePeriodSeconds ?? 30,
      controlledBy: controller === undefined ? '' : `${controller.kind} ${controller.name}`,
    }
    return { pod, view }
  })
  if (!deps.isAsked) return { pods: planned.map(({ view }) => view), unanswered: asking.unanswered }
  const asked = await inParallel(planned, async ({ pod, view }) => {
    if (view.fate !== 'evicts') return view
    const answer = await asking.ask(async () => dryRun(pod, { api: deps.api, options }))
    if (answer === undefined || answer.ok || answer.error.kind === 'not-found') return view
    return { ...view, fate: 'blocks', why: dryRunRefusal(answer.error) } as const
  })
  return { pods: asked, unanswered: asking.unanswered }
}
