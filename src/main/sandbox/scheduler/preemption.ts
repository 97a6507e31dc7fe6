import { isEmptySelector, selectsLabels } from '../../../shared/kubernetes/disruption-budget.ts'
import type { PodDisruptionBudget } from '../../../shared/kubernetes/disruption-budget.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { Random } from '../../kubelet/ports.ts'
import { runFiltersWithNominatedPods } from './filters.ts'
import type { CycleFilters, NominatedPods } from './filters.ts'
import { fitErrorMessage } from './fit-error.ts'
import type { Diagnosis } from './fit-error.ts'
import type { Snapshot } from './framework.ts'
import { PodsOnNode } from './node-info.ts'
import type { NodeInfo } from './node-info.ts'
import type { PodInfo } from './pod-info.ts'
import { unresolvable } from './status.ts'
import type { PluginStatus, Status } from './status.ts'

/** A node that the pod fits on once the victims are gone; the most important victim first. */
export interface Candidate {
  readonly nodeName: string
  readonly victims: readonly PodInfo[]
  /** How many victims are evicted against a disruption budget. */
  readonly violations: number
}

export interface PreemptionContext {
  readonly snapshot: Snapshot
  readonly nominated: NominatedPods
  readonly budgets: readonly PodDisruptionBudget[]
  readonly random: Random
  /** Milliseconds; stands for the start of a pod that has not started. */
  readonly now: number
}

/**
 * `nominatedNodeName`: undefined leaves it as it is, empty removes it. `message`: why nothing is preempted.
 * Source: PostFilterResult.
 */
export interface PreemptionResult {
  readonly nominatedNodeName: string | undefined
  readonly victims: readonly PodInfo[]
  readonly message: string
}

/** DefaultPreemptionArgs: minCandidateNodesPercentage, minCandidateNodesAbsolute. */
const minCandidates = { percentage: 10, absolute: 100 } as const

function startTime({ pod }: PodInfo, now: number): number {
  const { startTime: started } = pod.status ?? {}
  return started === undefined ? now : Date.parse(started)
}

/** Descending importance: by priority, then by the time that the pod has run. Source: pkg/scheduler/util MoreImportantPod. */
function byImportance(now: number): (a: PodInfo, b: PodInfo) => number {
  return (a, b) => b.priority - a.priority || startTime(a, now) - startTime(b, now)
}

/** The pods, in their order, whose removal a budget does not allow, and the others. Source: filterPodsWithPDBViolation. */
function splitByViolation(
  pods: readonly PodInfo[],
  budgets: readonly PodDisruptionBudget[],
): { readonly violating: readonly PodInfo[]; readonly others: readonly PodInfo[] } {
  const allowed = new Map(budgets.map((one) => [one, one.status.disruptionsAllowed]))
  const violating: PodInfo[] = []
  const others: PodInfo[] = []
  for (const info of pods) {
    let isViolated = false
    for (const budget of budgets) {
      if (!isGuarded(info, budget)) continue
      const left = (allowed.get(budget) ?? 0) - 1
      allowed.set(budget, left)
      if (left < 0) isViolated = true
    }
    ;(isViolated ? violating : others).push(info)
  }
  return { violating, others }
}

/** A budget without a selector guards nothing here, and neither does one that has counted the pod already. */
function isGuarded(
  { namespace, labels, pod }: PodInfo,
  { metadata, spec, status }: PodDisruptionBudget,
): boolean {
  if (Object.keys(labels).length === 0 || metadata.namespace !== namespace) return false
  if (spec.selector === undefined || isEmptySelector(spec.selector)) return false
  if (!selectsLabels(spec.selector, labels)) return false
  return !Object.hasOwn(status.disruptedPods ?? {}, pod.metadata.name)
}

/** The fewest pods of lower priority without which the pod fits on the node. Source: SelectVictimsOnNode. */
function selectVictims(
  pod: PodInfo,
  node: NodeInfo,
  filters: CycleFilters,
  { nominated, budgets, now }: PreemptionContext,
): Candidate | Status {
  const possible = node.pods.filter(({ priority }) => priority < pod.priority)
  if (possible.length === 0) return unresolvable('No preemption victims found for incoming pod')
  const rest = new PodsOnNode(node.node, node)
  const changed = filters.clone()
  const remove = (victim: PodInfo): void => {
    rest.remove(victim)
    changed.changed(victim, rest, -1)
  }
  const fits = (): PluginStatus | undefined =>
    runFiltersWithNominatedPods(pod, rest, changed, nominated)
  for (const victim of possible) remove(victim)
  const status = fits()
  if (status !== undefined) return status
  const victims: PodInfo[] = []
  const reprieve = (candidates: readonly PodInfo[]): void => {
    for (const one of candidates) {
      rest.add(one)
      changed.changed(one, rest, 1)
      if (fits() === undefined) continue
      remove(one)
      victims.push(one)
    }
  }
  const important = possible.toSorted(byImportance(now))
  const { violating, others } = splitByViolation(important, budgets)
  reprieve(violating)
  const violations = victims.length
  reprieve(others)
  return { nodeName: node.name, victims: victims.toSorted(byImportance(now)), violations }
}

/** All candidates, and why the other nodes are none. Source: DryRunPreemption. */
export function findCandidates(
  pod: PodInfo,
  { statuses }: Diagnosis,
  filters: CycleFilters,
  context: PreemptionContext,
): { readonly candidates: readonly Candidate[]; readonly statuses: Map<string, PluginStatus> } {
  const { snapshot, random } = context
  const possible = snapshot.nodes.filter(({ name }) => statuses.get(name)?.code === 'Unschedulable')
  const { percentage, absolute } = minCandidates
  const wanted = Math.max(Math.trunc((possible.length * percentage) / 100), absolute)
  const offset = Math.floor(random.next() * possible.length)
  const kept: Candidate[] = []
  const violating: Candidate[] = []
  const refused = new Map<string, PluginStatus>()
  for (const node of [...possible.slice(offset), ...possible.slice(0, offset)]) {
    const found = selectVictims(pod, node, filters, context)
    if ('code' in found) refused.set(node.name, { ...found, plugin: '' })
    else (found.violations === 0 ? kept : violating).push(found)
    if (kept.length > 0 && kept.length + violating.length >= wanted) break
  }
  return { candidates: [...kept, ...violating], statuses: refused }
}

// math.MaxInt32 + 1, so that no sum is negative.
const priorityOffset = 2 ** 31

/** The start of the earliest among the most important victims. Source: GetEarliestPodStartTime. */
function earliestStart(victims: readonly PodInfo[], now: number): number {
  const most = Math.max(...victims.map(({ priority }) => priority))
  const important = victims.filter(({ priority }) => priority === most)
  return Math.min(...important.map((one) => startTime(one, now)))
}

/** The candidates that are equally good and better than all others. Source: pickOneNodeForPreemption. */
export function bestCandidates(
  candidates: readonly Candidate[],
  now: number,
): readonly Candidate[] {
  const criteria: readonly ((candidate: Candidate) => number)[] = [
    ({ violations }) => -violations,
    ({ victims }) => -(victims[0]?.priority ?? 0),
    ({ victims }) => -victims.reduce((sum, { priority }) => sum + priority + priorityOffset, 0),
    ({ victims }) => -victims.length,
    ({ victims }) => earliestStart(victims, now),
  ]
  let best = candidates
  for (const score of criteria) {
    if (best.length <= 1) break
    const most = Math.max(...best.map(score))
    best = best.filter((one) => score(one) === most)
  }
  return best
}

/** Being deleted because of an earlier preemption. */
function isTerminatingByPreemption({ metadata, status }: Pod): boolean {
  if (metadata.deletionTimestamp === undefined) return false
  const target = (status?.conditions ?? []).find(({ type }) => type === 'DisruptionTarget')
  return target?.status === 'True' && target.reason === 'PreemptionByScheduler'
}

/** Why the pod must not preempt others now; undefined if it may. Source: PodEligibleToPreemptOthers. */
function ineligibility(
  pod: PodInfo,
  { statuses, absent }: Diagnosis,
  snapshot: Snapshot,
): string | undefined {
  if (pod.pod.spec['preemptionPolicy'] === 'Never')
    return 'not eligible due to preemptionPolicy=Never.'
  const nominated = pod.pod.status?.nominatedNodeName ?? ''
  if (nominated === '') return undefined
  const { code } = statuses.get(nominated) ?? absent
  if (code === 'UnschedulableAndUnresolvable') return undefined
  const isWaiting = snapshot
    .get(nominated)
    ?.pods.some((one) => one.priority < pod.priority && isTerminatingByPreemption(one.pod))
  return isWaiting === true
    ? 'not eligible due to a terminating pod on the nominated node.'
    : undefined
}

/** Source: pkg/scheduler/framework/preemption Evaluator.Preempt. */
export function preempt(
  pod: PodInfo,
  diagnosis: Diagnosis,
  filters: CycleFilters,
  context: PreemptionContext,
): PreemptionResult {
  const { snapshot, random, now } = context
  const reason = ineligibility(pod, diagnosis, snapshot)
  if (reason !== undefined)
    return { nominatedNodeName: undefined, victims: [], message: `preemption: ${reason}` }
  const { candidates, statuses } = findCandidates(pod, diagnosis, filters, context)
  const best = bestCandidates(candidates, now)
  const chosen = best[Math.floor(random.next() * best.length)]
  if (chosen !== undefined)
    return { nominatedNodeName: chosen.nodeName, victims: chosen.victims, message: '' }
  const absent = unresolvable('Preemption is not helpful for scheduling')
  const message = fitErrorMessage({ statuses, absent }, snapshot.nodes.length, '')
  return { nominatedNodeName: '', victims: [], message: `preemption: ${message}` }
}
