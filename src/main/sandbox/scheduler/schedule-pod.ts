import type { PodDisruptionBudget } from '../../../shared/kubernetes/disruption-budget.ts'
import type { Random } from '../../kubelet/ports.ts'
import { scorePlugins } from './default-profile.ts'
import { prepareFilters, runFiltersWithNominatedPods } from './filters.ts'
import type { CycleFilters, NominatedPods } from './filters.ts'
import { fitErrorMessage, noNodesAvailable } from './fit-error.ts'
import type { Diagnosis } from './fit-error.ts'
import type { CycleContext } from './framework.ts'
import type { NodeInfo } from './node-info.ts'
import type { PodInfo } from './pod-info.ts'
import { preempt } from './preemption.ts'
import type { PreemptionResult } from './preemption.ts'
import { unresolvable } from './status.ts'
import type { PluginStatus } from './status.ts'
import type { PodVolumes } from './volume-binder.ts'

/** What a scheduling cycle needs. */
export interface SchedulingContext extends CycleContext {
  readonly nominated: NominatedPods
  readonly budgets: () => readonly PodDisruptionBudget[]
  readonly random: Random
  readonly now: number
  /** The index of the first node that is tried, so that not always the same ones are found. */
  readonly startIndex: number
}

/** The nodes that passed all filters, or why there are none. */
export interface FilterResult {
  readonly feasible: readonly NodeInfo[]
  readonly diagnosis: Diagnosis
  /** Undefined if a plugin rejected the pod before the filters ran. */
  readonly filters: CycleFilters | undefined
  /** How many nodes were tried. */
  readonly processed: number
}

// percentageOfNodesToScore 0: adaptive.
const minFeasibleNodes = 100

/** Enough feasible nodes to choose from. Source: numFeasibleNodesToFind. */
function feasibleNodesToFind(nodeCount: number): number {
  if (nodeCount < minFeasibleNodes) return nodeCount
  const percentage = Math.max(5, 50 - Math.trunc(nodeCount / 125))
  return Math.max(minFeasibleNodes, Math.trunc((nodeCount * percentage) / 100))
}

const noAbsent = unresolvable()

/** Source: pkg/scheduler/schedule_one.go findNodesThatFitPod. */
export function findNodesThatFitPod(pod: PodInfo, context: SchedulingContext): FilterResult {
  const { snapshot, nominated, startIndex } = context
  const prepared = prepareFilters(pod, context)
  if ('rejected' in prepared) {
    const { rejected } = prepared
    const diagnosis = { statuses: new Map(), absent: rejected, preFilter: rejected }
    return { feasible: [], diagnosis, filters: undefined, processed: 0 }
  }
  const { filters } = prepared
  const check = (node: NodeInfo): PluginStatus | undefined =>
    runFiltersWithNominatedPods(pod, node, filters, nominated)
  const statuses = new Map<string, PluginStatus>()
  const preferred = snapshot.get(pod.pod.status?.nominatedNodeName ?? '')
  if (preferred !== undefined) {
    const status = check(preferred)
    if (status === undefined) {
      const diagnosis = { statuses, absent: noAbsent }
      return { feasible: [preferred], diagnosis, filters, processed: 0 }
    }
    statuses.set(preferred.name, status)
  }
  const only = filters.nodeNames
  const nodes =
    only === undefined ? snapshot.nodes : snapshot.nodes.filter(({ name }) => only.names.has(name))
  const wanted = feasibleNodesToFind(nodes.length)
  const feasible: NodeInfo[] = []
  for (let index = 0; index < nodes.length && feasible.length < wanted; index++) {
    const node = nodes[(startIndex + index) % nodes.length]
    if (node === undefined) continue
    const status = check(node)
    if (status === undefined) feasible.push(node)
    else statuses.set(node.name, status)
  }
  const absent =
    only === undefined
      ? noAbsent
      : unresolvable(`node(s) didn't satisfy plugin(s) [${only.plugin}]`)
  const processed = feasible.length + statuses.size
  return { feasible, diagnosis: { statuses, absent }, filters, processed }
}

/** The weighted scores of one plugin, in the order of the nodes. */
export interface PluginScores {
  readonly plugin: string
  readonly scores: readonly number[]
}

/** Source: prioritizeNodes, RunScorePlugins. */
export function scoreNodes(
  pod: PodInfo,
  feasible: readonly NodeInfo[],
  context: CycleContext,
): readonly PluginScores[] {
  return scorePlugins.flatMap(({ name, weight, prepare }) => {
    const prepared = prepare(pod, feasible, context)
    if (prepared === undefined) return []
    const own = feasible.map((node) => prepared.score(node))
    const scores = (prepared.normalize?.(own) ?? own).map((score) => score * weight)
    return [{ plugin: name, scores }]
  })
}

/** The sum of the scores of all plugins for each node. */
export function totalScores(
  nodeCount: number,
  columns: readonly PluginScores[],
): readonly number[] {
  return Array.from({ length: nodeCount }, (_, index) =>
    columns.reduce((sum, { scores }) => sum + (scores[index] ?? 0), 0),
  )
}

/** One of the nodes with the highest score, each with the same probability (reservoir sampling). Source: selectHost. */
function selectHost(
  feasible: readonly NodeInfo[],
  totals: readonly number[],
  random: Random,
): string {
  let best = -1
  let chosen = ''
  let equal = 0
  for (const [index, { name }] of feasible.entries()) {
    const total = totals[index] ?? 0
    if (total < best) continue
    equal = total === best ? equal + 1 : 1
    best = total
    if (equal === 1 || Math.floor(random.next() * equal) === 0) chosen = name
  }
  return chosen
}

/** The result for one pod. `plugins`: those that rejected it; none if it is to be tried again whatever happens. */
export type Scheduled =
  | {
      readonly kind: 'fits'
      readonly nodeName: string
      /** To be bound before the pod. */
      readonly volumes: PodVolumes | undefined
      readonly processed: number
    }
  | {
      readonly kind: 'unschedulable'
      readonly message: string
      readonly plugins: ReadonlySet<string>
      readonly preemption: PreemptionResult
      readonly processed: number
    }

const noPreemption: PreemptionResult = { nominatedNodeName: undefined, victims: [], message: '' }

// Without resource claims. The PostFilter of plugin DynamicResources runs before DefaultPreemption.
const noClaims = 'no new claims to deallocate'

function postFilter(
  pod: PodInfo,
  { diagnosis, filters }: FilterResult,
  context: SchedulingContext,
): PreemptionResult {
  // Without the state that its PreFilter writes, the PostFilter of DynamicResources ends with this error.
  if (filters === undefined) return { ...noPreemption, message: 'not found' }
  const result = preempt(pod, diagnosis, filters, { ...context, budgets: context.budgets() })
  if (result.message === '') return result
  return { ...result, message: `${noClaims}, ${result.message}` }
}

/** One scheduling cycle, without its writes. Source: schedulingCycle, schedulePod. */
export function schedulePod(pod: PodInfo, context: SchedulingContext): Scheduled {
  const { snapshot, random } = context
  const nodeCount = snapshot.nodes.length
  if (nodeCount === 0) {
    const preemption = { ...noPreemption, nominatedNodeName: '' }
    const plugins = new Set<string>()
    return { kind: 'unschedulable', message: noNodesAvailable, plugins, preemption, processed: 0 }
  }
  const found = findNodesThatFitPod(pod, context)
  const { feasible, diagnosis, processed } = found
  const [first, second] = feasible
  if (first !== undefined) {
    const fits = (nodeName: string): Scheduled => {
      const volumes = found.filters?.podVolumes(nodeName)
      return { kind: 'fits', nodeName, volumes, processed }
    }
    if (second === undefined) return fits(first.name)
    const totals = totalScores(feasible.length, scoreNodes(pod, feasible, context))
    return fits(selectHost(feasible, totals, random))
  }
  const preemption = postFilter(pod, found, context)
  const plugins = new Set([...diagnosis.statuses.values()].map(({ plugin }) => plugin))
  if (diagnosis.preFilter !== undefined) plugins.add(diagnosis.preFilter.plugin)
  const only = found.filters?.nodeNames
  if (only !== undefined) plugins.add(only.plugin)
  return {
    kind: 'unschedulable',
    message: fitErrorMessage(diagnosis, nodeCount, preemption.message),
    plugins,
    preemption,
    processed,
  }
}
