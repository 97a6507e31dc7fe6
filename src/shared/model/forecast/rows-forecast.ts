import { quoted } from '../../shell-words.ts'
import type { ActFacts } from '../act.ts'
import { forecastAct } from './forecast.ts'

/** What can be done to several pods, and to several nodes, with one confirmation. */
export const podRowsActs = ['evictThroughApi', 'delete', 'forceDelete'] as const
export const nodeRowsActs = ['cordon', 'uncordon'] as const

export type PodRowsAct = (typeof podRowsActs)[number]
export type NodeRowsAct = (typeof nodeRowsActs)[number]
/** A drain only of nodes whose kubelets are not this program. */
export type RowsAct = PodRowsAct | NodeRowsAct | 'drain'

/** What an act does to one of the rows. `refusal`: why it is not done, one sentence; empty: it is. */
export interface RowForecast {
  readonly refusal: string
  /** What happens, in a few words: `object gone; SIGKILL after 30 s at the latest`. */
  readonly outcome: string
  /** The API server would refuse it now; it is asked nevertheless. */
  readonly isBlocked: boolean
}

/** The pod is gone: no facts. */
export const goneRow: RowForecast = {
  refusal: 'This pod no longer exists.',
  outcome: '',
  isBlocked: false,
}

/** What an act does to a pod, with its own grace period; the forecast of the act on one pod in fewer words. Pure. */
export function podRowForecast(act: PodRowsAct, facts: ActFacts): RowForecast {
  const { refusal, summary, outcome, effect } = forecastAct(act, facts, null)
  const { answer, containers } = effect
  if (answer.kind === 'refuses') return { refusal, outcome: summary, isBlocked: true }
  const stop =
    containers.kind === 'stop' ? `; SIGKILL after ${containers.latest} s at the latest` : ''
  return { refusal, outcome: `${outcome}${stop}`, isBlocked: false }
}

/** What must be known of a node to cordon it. */
export interface CordonFacts {
  readonly name: string
  readonly isUnschedulable: boolean
  /** Why nothing may be changed, in one sentence; empty if it may. */
  readonly readOnly: string
}

/** What cordon and uncordon do to a node. Pure. */
export function cordonForecast(
  act: NodeRowsAct,
  { name, isUnschedulable, readOnly }: CordonFacts,
): RowForecast {
  const isDone = isUnschedulable === (act === 'cordon')
  return {
    refusal: isDone ? `${name} is ${act}ed already.` : readOnly,
    isBlocked: false,
    outcome:
      act === 'cordon'
        ? `The scheduler binds no more pods to ${name}, except those that tolerate the taint node.kubernetes.io/unschedulable. Its pods keep running.`
        : `The scheduler may bind pods to ${name} again.`,
  }
}

/**
 * What the forecasts do not add up, one sentence for each disruption budget that lets more than one of these evictions
 * through on its own. Pure.
 */
export function sharedBudgets(act: RowsAct, pods: readonly ActFacts[]): readonly string[] {
  if (act !== 'evictThroughApi') return []
  const counts = new Map<string, number>()
  for (const { namespace, budget } of pods)
    if (budget.kind === 'allows') {
      const name = `${namespace}/${budget.name}`
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  return [...counts]
    .filter(([, count]) => count > 1)
    .map(
      ([name, count]) =>
        `PodDisruptionBudget ${name} covers ${count} of these pods. Each forecast is for one eviction; after the first, the budget may refuse the others.`,
    )
}

function byNamespace(
  pods: readonly Pick<ActFacts, 'namespace' | 'name'>[],
): readonly (readonly [namespace: string, names: readonly string[]])[] {
  const names = new Map<string, string[]>()
  for (const { namespace, name } of pods) {
    const known = names.get(namespace)
    if (known === undefined) names.set(namespace, [name])
    else known.push(name)
  }
  return [...names]
}

function kubectl(context: string): string {
  return context === '' ? 'kubectl' : `kubectl --context ${quoted(context)}`
}

function evictionLine(namespace: string, names: readonly string[], context: string): string {
  const body = JSON.stringify({
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { namespace, name: '$pod' },
  })
  const path = `/api/v1/namespaces/${namespace}/pods/$pod/eviction`
  return `for pod in ${names.join(' ')}; do echo '${body.replace('$pod', `'"$pod"'`)}' | ${kubectl(context)} create --raw "${path}" -f -; done`
}

/** The same with kubectl: a line for each namespace. `context` empty: kubectl's current one. Pure. */
export function podRowsLines(
  act: PodRowsAct,
  pods: readonly Pick<ActFacts, 'namespace' | 'name'>[],
  context: string,
): readonly string[] {
  return byNamespace(pods).map(([namespace, names]) =>
    act === 'evictThroughApi'
      ? evictionLine(namespace, names, context)
      : `${kubectl(context)} delete pod${act === 'forceDelete' ? ' --force --grace-period=0' : ''} -n ${namespace} ${names.join(' ')}`,
  )
}

/** The same for nodes: one line, none without nodes. Pure. */
export function nodeRowsLines(
  act: NodeRowsAct,
  nodes: readonly string[],
  context: string,
): readonly string[] {
  return nodes.length === 0 ? [] : [`${kubectl(context)} ${act} ${nodes.join(' ')}`]
}
