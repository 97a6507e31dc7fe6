import { isJsonObject, numberAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import { isEmptySelector, selectsLabels } from '../../../../shared/kubernetes/disruption-budget.ts'
import type { LabelSelector } from '../../../../shared/kubernetes/disruption-budget.ts'
import { matchesNodeAffinity } from '../../../../shared/kubernetes/node-affinity.ts'
import { maxNodeScore } from '../framework.ts'
import type { FilterPlugin, Listers, PreparedFilter, ScorePlugin } from '../framework.ts'
import type { NodeInfo } from '../node-info.ts'
import type { PodInfo } from '../pod-info.ts'
import { unresolvable, unschedulable } from '../status.ts'
import { hasUntoleratedTaint } from './node-plugins.ts'

/** Source: pkg/scheduler/framework/plugins/podtopologyspread (v1.34). */

const topologySpreadName = 'PodTopologySpread'

type Labels = Readonly<Record<string, string>>

export interface SpreadConstraint {
  readonly maxSkew: number
  readonly topologyKey: string
  readonly selects: (labels: Labels) => boolean
  /** True for the empty selector, which counts no pods. */
  readonly isEmpty: boolean
  readonly minDomains: number
  readonly honorsNodeAffinity: boolean
  readonly honorsNodeTaints: boolean
}

function selectorOf(constraint: JsonObject, podLabels: Labels) {
  const { labelSelector, matchLabelKeys } = constraint
  const keys = Array.isArray(matchLabelKeys) ? matchLabelKeys : []
  const own = keys.flatMap((key: unknown): readonly (readonly [string, string])[] => {
    const value =
      typeof key === 'string' && Object.hasOwn(podLabels, key) ? podLabels[key] : undefined
    return typeof key === 'string' && value !== undefined ? [[key, value]] : []
  })
  // What LabelSelector models is checked where it is matched.
  const selector = isJsonObject(labelSelector) ? (labelSelector as LabelSelector) : undefined
  const selects = (labels: Labels): boolean =>
    selectsLabels(selector, labels) && own.every(([key, value]) => labels[key] === value)
  const isEmpty = selector !== undefined && own.length === 0 && isEmptySelector(selector)
  return { selects, isEmpty }
}

type WhenUnsatisfiable = 'DoNotSchedule' | 'ScheduleAnyway'

function constraintsOf({ pod, labels }: PodInfo, action: WhenUnsatisfiable) {
  const { topologySpreadConstraints } = pod.spec
  const all = Array.isArray(topologySpreadConstraints)
    ? topologySpreadConstraints.filter(isJsonObject)
    : []
  const constraints = all
    .filter((one) => textAt(one, 'whenUnsatisfiable') === action)
    .map((one): SpreadConstraint => ({
      maxSkew: numberAt(one, 'maxSkew') ?? 1,
      topologyKey: textAt(one, 'topologyKey'),
      ...selectorOf(one, labels),
      minDomains: numberAt(one, 'minDomains') ?? 1,
      honorsNodeAffinity: textAt(one, 'nodeAffinityPolicy') !== 'Ignore',
      honorsNodeTaints: textAt(one, 'nodeTaintsPolicy') === 'Honor',
    }))
  return { hasOwn: all.length > 0, constraints }
}

/** The constraints of a pod that decide whether it fits. There are no default ones of this kind. */
export function hardConstraints(pod: PodInfo): readonly SpreadConstraint[] {
  return constraintsOf(pod, 'DoNotSchedule').constraints
}

const hostname = 'kubernetes.io/hostname'
const defaults = [
  { topologyKey: hostname, maxSkew: 3 },
  { topologyKey: 'topology.kubernetes.io/zone', maxSkew: 5 },
] as const

/**
 * The default constraints of a pod that sets none: it is spread with the pods of its Services and of its owner.
 * Source: plugins/helper DefaultSelector.
 */
function defaultConstraints(pod: PodInfo, listers: Listers): readonly SpreadConstraint[] {
  const ofServices: Record<string, string> = {}
  for (const { selector } of listers.services(pod.namespace))
    if (selector !== undefined && selectsLabels({ matchLabels: selector }, pod.labels))
      Object.assign(ofServices, selector)
  const owner = listers.ownerSelector(pod)
  const hasNone =
    Object.keys(ofServices).length === 0 && (owner === undefined || isEmptySelector(owner))
  if (hasNone) return []
  const selects = (labels: Labels): boolean =>
    selectsLabels({ matchLabels: ofServices }, labels) &&
    (owner === undefined || selectsLabels(owner, labels))
  return defaults.map((one) => ({
    ...one,
    selects,
    isEmpty: false,
    minDomains: 1,
    honorsNodeAffinity: true,
    honorsNodeTaints: false,
  }))
}

export function hasAllKeys(
  { labels }: Pick<NodeInfo, 'labels'>,
  constraints: readonly SpreadConstraint[],
): boolean {
  return constraints.every(({ topologyKey }) => Object.hasOwn(labels, topologyKey))
}

function isIncluded(constraint: SpreadConstraint, { pod }: PodInfo, node: NodeInfo): boolean {
  if (constraint.honorsNodeAffinity && !matchesNodeAffinity(pod.spec, node)) return false
  return !(constraint.honorsNodeTaints && hasUntoleratedTaint(node.node.spec?.taints, pod))
}

function countMatching(
  { pods }: NodeInfo,
  { selects, isEmpty }: SpreadConstraint,
  namespace: string,
): number {
  if (isEmpty) return 0
  let count = 0
  for (const other of pods)
    if (
      other.namespace === namespace &&
      other.pod.metadata.deletionTimestamp === undefined &&
      selects(other.labels)
    )
      count++
  return count
}

/** Pods by value of the topology, for each constraint. */
type Domains = readonly Map<string, number>[]

// criticalPaths start with this number, and keep it if there is no domain.
const maxInt32 = 2 ** 31 - 1

class SpreadFilter implements PreparedFilter {
  readonly #pod: PodInfo
  readonly #constraints: readonly SpreadConstraint[]
  readonly #domains: Domains
  /** Of each constraint; undefined after a change. */
  #least: readonly number[] | undefined

  constructor(pod: PodInfo, constraints: readonly SpreadConstraint[], domains: Domains) {
    this.#pod = pod
    this.#constraints = constraints
    this.#domains = domains
  }

  readonly clone = (): PreparedFilter =>
    new SpreadFilter(
      this.#pod,
      this.#constraints,
      this.#domains.map((domain) => new Map(domain)),
    )

  readonly changed = (other: PodInfo, node: NodeInfo, sign: 1 | -1): void => {
    if (other.namespace !== this.#pod.namespace || !hasAllKeys(node, this.#constraints)) return
    for (const [index, constraint] of this.#constraints.entries()) {
      if (!constraint.selects(other.labels) || !isIncluded(constraint, this.#pod, node)) continue
      const value = node.labels[constraint.topologyKey] ?? ''
      const domain = this.#domains[index]
      domain?.set(value, (domain.get(value) ?? 0) + sign)
      this.#least = undefined
    }
  }

  /** The fewest pods in a domain; 0 while there are too few domains. */
  #leastOf(index: number): number {
    this.#least ??= this.#constraints.map(({ minDomains }, each) => {
      const domain = this.#domains[each] ?? new Map<string, number>()
      return domain.size < minDomains ? 0 : Math.min(maxInt32, ...domain.values())
    })
    return this.#least[index] ?? 0
  }

  readonly filter: PreparedFilter['filter'] = ({ labels }) => {
    for (const [index, constraint] of this.#constraints.entries()) {
      const { topologyKey, maxSkew } = constraint
      if (!Object.hasOwn(labels, topologyKey))
        return unresolvable(
          "node(s) didn't match pod topology spread constraints (missing required label)",
        )
      const count = this.#domains[index]?.get(labels[topologyKey] ?? '') ?? 0
      const self = constraint.selects(this.#pod.labels) ? 1 : 0
      if (count + self - this.#leastOf(index) > maxSkew)
        return unschedulable("node(s) didn't match pod topology spread constraints")
    }
    return undefined
  }
}

export const topologySpread: FilterPlugin = {
  name: topologySpreadName,
  prepare: (pod, { snapshot }) => {
    const constraints = hardConstraints(pod)
    if (constraints.length === 0) return undefined
    const domains = constraints.map(() => new Map<string, number>())
    for (const node of snapshot.nodes) {
      if (!hasAllKeys(node, constraints)) continue
      for (const [index, constraint] of constraints.entries()) {
        if (!isIncluded(constraint, pod, node)) continue
        const value = node.labels[constraint.topologyKey] ?? ''
        const count = countMatching(node, constraint, pod.namespace)
        const domain = domains[index]
        domain?.set(value, (domain.get(value) ?? 0) + count)
      }
    }
    return new SpreadFilter(pod, constraints, domains)
  },
}

// What a node gets that a constraint does not reach.
const ignored = -1

function normalizeSpread(scores: readonly number[]): readonly number[] {
  const counted = scores.filter((score) => score !== ignored)
  const least = Math.min(...counted)
  const most = Math.max(0, ...counted)
  return scores.map((score) => {
    if (score === ignored) return 0
    return most === 0 ? maxNodeScore : Math.trunc((maxNodeScore * (most + least - score)) / most)
  })
}

export const topologySpreadScore: ScorePlugin = {
  name: topologySpreadName,
  weight: 2,
  prepare: (pod, feasible, { snapshot, listers }) => {
    const { hasOwn, constraints: own } = constraintsOf(pod, 'ScheduleAnyway')
    const constraints = hasOwn ? own : defaultConstraints(pod, listers)
    if (constraints.length === 0) return undefined
    const isScored = (node: NodeInfo): boolean => !hasOwn || hasAllKeys(node, constraints)
    const scoredNodes = feasible.filter(isScored)
    const domains = constraints.map(({ topologyKey }) => {
      const values =
        topologyKey === hostname ? [] : scoredNodes.map(({ labels }) => labels[topologyKey] ?? '')
      return new Map(values.map((value) => [value, 0]))
    })
    for (const node of snapshot.nodes) {
      if (!isScored(node)) continue
      for (const [index, constraint] of constraints.entries()) {
        const value = node.labels[constraint.topologyKey] ?? ''
        const domain = domains[index]
        const before = domain?.get(value)
        if (before === undefined || !isIncluded(constraint, pod, node)) continue
        domain?.set(value, before + countMatching(node, constraint, pod.namespace))
      }
    }
    const weights = constraints.map(({ topologyKey }, index) =>
      Math.log((topologyKey === hostname ? scoredNodes.length : (domains[index]?.size ?? 0)) + 2),
    )
    return {
      score: (node) => {
        if (!isScored(node)) return ignored
        let sum = 0
        for (const [index, constraint] of constraints.entries()) {
          const { topologyKey, maxSkew } = constraint
          if (!Object.hasOwn(node.labels, topologyKey)) continue
          const count =
            topologyKey === hostname
              ? countMatching(node, constraint, pod.namespace)
              : (domains[index]?.get(node.labels[topologyKey] ?? '') ?? 0)
          sum += count * (weights[index] ?? 0) + (maxSkew - 1)
        }
        return Math.round(sum)
      },
      normalize: normalizeSpread,
    }
  },
}
