import { isEmptySelector, selectsLabels } from '../../../../shared/kubernetes/disruption-budget.ts'
import { matchesTerm } from '../affinity-term.ts'
import type { AffinityTerm } from '../affinity-term.ts'
import { maxNodeScore } from '../framework.ts'
import type {
  CycleContext,
  FilterPlugin,
  Listers,
  PreparedFilter,
  ScorePlugin,
} from '../framework.ts'
import type { NodeInfo } from '../node-info.ts'
import type { PodInfo } from '../pod-info.ts'
import { unresolvable, unschedulable } from '../status.ts'

/** Source: pkg/scheduler/framework/plugins/interpodaffinity (v1.34). */

const interPodAffinityName = 'InterPodAffinity'

/** How often terms match pods, by `key=value` of the topology. */
type TopologyCounts = Map<string, number>

function topologyPair({ labels }: NodeInfo, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? `${key}=${labels[key] ?? ''}` : undefined
}

function count(counts: TopologyCounts, node: NodeInfo, key: string, amount: number): void {
  const pair = topologyPair(node, key)
  if (pair === undefined) return
  const sum = (counts.get(pair) ?? 0) + amount
  if (sum === 0) counts.delete(pair)
  else counts.set(pair, sum)
}

/** Replaces a selector of namespaces by their names, as the API server has them now. An empty selector stays: it selects all. */
function withNamespaces(
  terms: readonly AffinityTerm[],
  { namespaces }: Listers,
): readonly AffinityTerm[] {
  return terms.map((term) => {
    const { namespaceSelector } = term
    if (namespaceSelector === undefined || isEmptySelector(namespaceSelector)) return term
    const selected = namespaces()
      .filter(({ metadata }) => selectsLabels(namespaceSelector, metadata.labels ?? {}))
      .map(({ metadata }) => metadata.name)
    const names = new Set([...term.namespaces, ...selected])
    return { ...term, namespaces: names, namespaceSelector: undefined }
  })
}

interface Terms {
  readonly affinity: readonly AffinityTerm[]
  readonly antiAffinity: readonly AffinityTerm[]
}

/** What the filter counts; `updateWithPod` of upstream's preFilterState. */
interface Counts {
  /** Of pods on nodes whose anti-affinity rejects the pod. */
  readonly existingAntiAffinity: TopologyCounts
  readonly affinity: TopologyCounts
  readonly antiAffinity: TopologyCounts
}

class AffinityFilter implements PreparedFilter {
  readonly #pod: PodInfo
  readonly #terms: Terms
  readonly #labels: Readonly<Record<string, string>>
  readonly #counts: Counts

  constructor(
    pod: PodInfo,
    terms: Terms,
    labels: Readonly<Record<string, string>>,
    counts: Counts,
  ) {
    this.#pod = pod
    this.#terms = terms
    this.#labels = labels
    this.#counts = counts
  }

  /** True if the filter cannot reject any node. */
  get isEmpty(): boolean {
    const { affinity, antiAffinity } = this.#terms
    const isUnconstrained = affinity.length === 0 && antiAffinity.length === 0
    return isUnconstrained && this.#counts.existingAntiAffinity.size === 0
  }

  countExisting(other: PodInfo, node: NodeInfo, sign: number): void {
    for (const term of other.antiAffinity.required)
      if (matchesTerm(term, this.#pod.pod, this.#labels))
        count(this.#counts.existingAntiAffinity, node, term.topologyKey, sign)
  }

  countIncoming({ pod }: PodInfo, node: NodeInfo, sign: number): void {
    const { affinity, antiAffinity } = this.#terms
    if (this.#matchesAll(pod))
      for (const { topologyKey } of affinity) count(this.#counts.affinity, node, topologyKey, sign)
    for (const term of antiAffinity)
      if (matchesTerm(term, pod, undefined))
        count(this.#counts.antiAffinity, node, term.topologyKey, sign)
  }

  #matchesAll(pod: PodInfo['pod']): boolean {
    const { affinity } = this.#terms
    return affinity.length > 0 && affinity.every((term) => matchesTerm(term, pod, undefined))
  }

  readonly changed = (other: PodInfo, node: NodeInfo, sign: 1 | -1): void => {
    this.countExisting(other, node, sign)
    this.countIncoming(other, node, sign)
  }

  readonly clone = (): PreparedFilter => {
    const { existingAntiAffinity, affinity, antiAffinity } = this.#counts
    return new AffinityFilter(this.#pod, this.#terms, this.#labels, {
      existingAntiAffinity: new Map(existingAntiAffinity),
      affinity: new Map(affinity),
      antiAffinity: new Map(antiAffinity),
    })
  }

  readonly filter: PreparedFilter['filter'] = (node) => {
    if (!this.#satisfiesAffinity(node))
      return unresolvable("node(s) didn't match pod affinity rules")
    const { antiAffinity, existingAntiAffinity } = this.#counts
    const isRejected = this.#terms.antiAffinity.some(
      ({ topologyKey }) => (antiAffinity.get(topologyPair(node, topologyKey) ?? '') ?? 0) > 0,
    )
    if (isRejected) return unschedulable("node(s) didn't match pod anti-affinity rules")
    if (existingAntiAffinity.size === 0) return undefined
    const isRejectedByPods = Object.entries(node.labels).some(
      ([key, value]) => (existingAntiAffinity.get(`${key}=${value}`) ?? 0) > 0,
    )
    return isRejectedByPods
      ? unschedulable("node(s) didn't satisfy existing pods anti-affinity rules")
      : undefined
  }

  #satisfiesAffinity(node: NodeInfo): boolean {
    const { affinity } = this.#counts
    const pairs = this.#terms.affinity.map(({ topologyKey }) => topologyPair(node, topologyKey))
    if (pairs.some((pair) => pair === undefined)) return false
    if (pairs.every((pair) => (affinity.get(pair ?? '') ?? 0) > 0)) return true
    // The first of a group of pods that want each other.
    return affinity.size === 0 && this.#matchesAll(this.#pod.pod)
  }
}

export const interPodAffinity: FilterPlugin = {
  name: interPodAffinityName,
  prepare: (pod, { snapshot, listers }) => {
    const terms = {
      affinity: withNamespaces(pod.affinity.required, listers),
      antiAffinity: withNamespaces(pod.antiAffinity.required, listers),
    }
    const labels = listers.namespaceLabels(pod.namespace) ?? {}
    const counts = {
      existingAntiAffinity: new Map(),
      affinity: new Map(),
      antiAffinity: new Map(),
    }
    const filter = new AffinityFilter(pod, terms, labels, counts)
    for (const node of snapshot.withRequiredAntiAffinity)
      for (const other of node.podsWithRequiredAntiAffinity) filter.countExisting(other, node, 1)
    if (terms.affinity.length > 0 || terms.antiAffinity.length > 0)
      for (const node of snapshot.nodes)
        for (const other of node.pods) filter.countIncoming(other, node, 1)
    return filter.isEmpty ? undefined : filter
  },
}

// InterPodAffinityArgs hardPodAffinityWeight.
const hardPodAffinityWeight = 1

function scoresByTopology(pod: PodInfo, { snapshot, listers }: CycleContext): TopologyCounts {
  const wanted = withNamespaces(pod.affinity.preferred, listers)
  const unwanted = withNamespaces(pod.antiAffinity.preferred, listers)
  const hasPreferences = wanted.length > 0 || unwanted.length > 0
  const labels = listers.namespaceLabels(pod.namespace) ?? {}
  const sums: TopologyCounts = new Map()
  const add = (node: NodeInfo, { topologyKey }: AffinityTerm, weight: number): void => {
    const pair = topologyPair(node, topologyKey)
    if (pair !== undefined) sums.set(pair, (sums.get(pair) ?? 0) + weight)
  }
  const addOwn = (terms: readonly AffinityTerm[], other: PodInfo, node: NodeInfo, sign: number) => {
    for (const term of terms)
      if (matchesTerm(term, other.pod, undefined)) add(node, term, sign * term.weight)
  }
  const addTheirs = (terms: readonly AffinityTerm[], node: NodeInfo, factor: number) => {
    for (const term of terms)
      if (matchesTerm(term, pod.pod, labels)) add(node, term, factor * term.weight)
  }
  for (const node of hasPreferences ? snapshot.nodes : snapshot.withAffinity)
    for (const other of hasPreferences ? node.pods : node.podsWithAffinity) {
      addOwn(wanted, other, node, 1)
      addOwn(unwanted, other, node, -1)
      addTheirs(other.affinity.required, node, hardPodAffinityWeight)
      addTheirs(other.affinity.preferred, node, 1)
      addTheirs(other.antiAffinity.preferred, node, -1)
    }
  return sums
}

/** What this pod prefers, and what the pods on the nodes prefer, for all nodes of a topology. */
export const interPodAffinityScore: ScorePlugin = {
  name: interPodAffinityName,
  weight: 2,
  prepare: (pod, _feasible, context) => {
    const sums = scoresByTopology(pod, context)
    if (sums.size === 0) return undefined
    return {
      score: ({ labels }) =>
        Object.entries(labels).reduce(
          (sum, [key, value]) => sum + (sums.get(`${key}=${value}`) ?? 0),
          0,
        ),
      normalize: (scores) => {
        const least = Math.min(...scores)
        const range = Math.max(...scores) - least
        return scores.map((score) =>
          range === 0 ? 0 : Math.trunc(maxNodeScore * ((score - least) / range)),
        )
      },
    }
  },
}
