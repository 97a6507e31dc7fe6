import { expect, it } from 'vitest'
import { isJsonObject, objectAt } from '../../../src/shared/json.ts'
import type { JsonObject } from '../../../src/shared/json.ts'
import type { KubeObject } from '../../../src/shared/kubernetes/objects.ts'
import type { LabelSelector } from '../../../src/shared/kubernetes/disruption-budget.ts'
import { ClusterCache } from '../../../src/main/sandbox/scheduler/cluster-cache.ts'
import type { Listers } from '../../../src/main/sandbox/scheduler/framework.ts'
import { nodeEvents, podEvents } from '../../../src/main/sandbox/scheduler/cluster-event.ts'
import type { ClusterEvent } from '../../../src/main/sandbox/scheduler/cluster-event.ts'
import { filterPlugins } from '../../../src/main/sandbox/scheduler/default-profile.ts'
import {
  pluginsToRetry,
  schedulingGatesName,
} from '../../../src/main/sandbox/scheduler/queueing-hints.ts'
import { podInfo } from '../../../src/main/sandbox/scheduler/pod-info.ts'
import type { PodInfo } from '../../../src/main/sandbox/scheduler/pod-info.ts'
import { bestCandidates, findCandidates } from '../../../src/main/sandbox/scheduler/preemption.ts'
import {
  findNodesThatFitPod,
  schedulePod,
  scoreNodes,
  totalScores,
} from '../../../src/main/sandbox/scheduler/schedule-pod.ts'
import type { SchedulingContext } from '../../../src/main/sandbox/scheduler/schedule-pod.ts'
import { seededRandom } from '../../../src/main/clock/seeded-random.ts'
import {
  constrainedClusters,
  fullClusters,
  randomChanges,
  roomyClusters,
} from './random-clusters.ts'
import type { RandomChange, RandomCluster } from './random-clusters.ts'
import { describeOracle, functionComparisons } from './oracle-suite.ts'

const counts: string[] = []
const met = { scored: 0, preempting: 0, candidates: 0, ties: 0, unschedulable: 0 }

function named(objects: readonly KubeObject[], namespace: string, name: string) {
  return objects.find(
    ({ metadata }) => (metadata.namespace ?? '') === namespace && metadata.name === name,
  )
}

function specOf(object: KubeObject): JsonObject {
  return objectAt(object, 'spec')
}

function listersOf(cluster: RandomCluster): Listers {
  return {
    namespaces: () => cluster.namespaces,
    namespaceLabels: (name) => named(cluster.namespaces, '', name)?.metadata.labels,
    services: (namespace) =>
      cluster.services
        .filter(({ metadata }) => metadata.namespace === namespace)
        .map((service) => ({
          selector: specOf(service)['selector'] as Readonly<Record<string, string>> | undefined,
        })),
    ownerSelector: ({ pod, namespace }) => {
      const owner = (pod.metadata.ownerReferences ?? []).find((one) => one.controller === true)
      const found = named(cluster.replicaSets, namespace, owner?.name ?? '')
      return found === undefined ? undefined : (specOf(found)['selector'] as LabelSelector)
    },
    claim: (namespace, name) => named(cluster.claims, namespace, name),
    storageClass: (name) => named(cluster.storageClasses, '', name),
    volume: () => undefined,
    volumesOfClass: () => [],
  }
}

function contextOf(cluster: RandomCluster): SchedulingContext {
  const snapshot = new ClusterCache()
  for (const node of cluster.nodes) snapshot.putNode(node)
  for (const pod of cluster.pods) snapshot.putPod(pod, pod.spec.nodeName ?? '')
  const waiting = cluster.nominated.map(podInfo)
  return {
    snapshot,
    listers: listersOf(cluster),
    nominated: (node) => waiting.filter(({ pod }) => pod.status?.nominatedNodeName === node),
    budgets: () => cluster.budgets,
    random: seededRandom(1),
    now: Date.UTC(2026, 0, 2),
    startIndex: 0,
  }
}

function names(nodes: readonly { readonly name: string }[]): readonly string[] {
  return nodes.map(({ name }) => name).toSorted()
}

function uids(pods: readonly PodInfo[]): readonly string[] {
  return pods.map(({ uid }) => uid)
}

/** What both say about one cycle; the tie breaks are sets. */
function cycleOf(cluster: RandomCluster): unknown {
  const context = contextOf(cluster)
  const pod = podInfo(cluster.pod)
  const { feasible, diagnosis, filters } = findNodesThatFitPod(pod, context)
  const order = context.snapshot.nodes.map(({ name }) => name)
  const statuses = Object.fromEntries(
    [...diagnosis.statuses].map(([name, { code, plugin, reasons }]) => [
      name,
      { code, plugin, reasons: reasons.toSorted() },
    ]),
  )
  const common = { order, feasible: names(feasible), statuses }
  if (feasible.length > 0) {
    const columns = feasible.length === 1 ? [] : scoreNodes(pod, feasible, context)
    const totals = totalScores(feasible.length, columns)
    const best = feasible.filter((_, index) => totals[index] === Math.max(...totals))
    if (columns.length > 0) met.scored++
    if (best.length > 1) met.ties++
    const byNode = feasible.map(({ name }, index): [string, unknown] => [
      name,
      {
        total: totals[index],
        byPlugin: Object.fromEntries(columns.map(({ plugin, scores }) => [plugin, scores[index]])),
      },
    ])
    if (feasible.length === 1) byNode.length = 0
    return { ...common, scores: Object.fromEntries(byNode), best: names(best) }
  }
  met.unschedulable++
  const candidates =
    filters === undefined
      ? []
      : findCandidates(pod, diagnosis, filters, { ...context, budgets: cluster.budgets }).candidates
  const scheduled = schedulePod(pod, context)
  if (scheduled.kind === 'fits') throw new Error('no node is feasible')
  const { message, plugins, preemption } = scheduled
  if (preemption.victims.length > 0) met.preempting++
  met.candidates += candidates.length
  return {
    ...common,
    message,
    plugins: [...plugins].toSorted(),
    candidates: candidates
      .map(({ nodeName, victims, violations }) => ({
        node: nodeName,
        victims: uids(victims),
        violations,
      }))
      .toSorted((a, b) => (a.node < b.node ? -1 : 1)),
    chosen: bestCandidates(candidates, context.now)
      .map(({ nodeName }) => nodeName)
      .toSorted(),
    ...(candidates.length > 1
      ? { preempted: preemption.victims.length > 0 }
      : {
          preempted: uids(preemption.victims).toSorted(),
          nominated: preemption.nominatedNodeName,
        }),
  }
}

/** Leaves out what is empty on the other side, and what the order of a map decides. */
function theirCycle(answer: unknown): unknown {
  if (!isJsonObject(answer)) return answer
  const { order, feasible, statuses, scores, best } = answer
  if (Array.isArray(feasible) && feasible.length > 0)
    return { order, feasible, statuses, scores, best }
  const { message, plugins, candidates, chosen, preempted, nominated } = answer
  const isTie = Array.isArray(candidates) && candidates.length > 1
  const victims = Array.isArray(preempted) ? preempted : []
  return {
    order,
    feasible,
    statuses,
    message,
    plugins,
    candidates,
    chosen,
    ...(isTie
      ? { preempted: victims.length > 0 }
      : { preempted: victims, nominated: nominated === null ? undefined : nominated }),
  }
}

function eventsOf(change: RandomChange): readonly ClusterEvent[] {
  const { old, new: next, oldNode, newNode, nodeOnly } = change
  if (nodeOnly) {
    if (oldNode !== null && newNode !== null) return nodeEvents(oldNode, newNode)
    if (newNode !== null) return [{ kind: 'node', action: 'Add', after: newNode }]
    return oldNode === null ? [] : [{ kind: 'node', action: 'Delete', before: oldNode }]
  }
  if (old !== null && next !== null) return podEvents(old, next)
  if (next !== null) return [{ kind: 'pod', action: 'Add', after: next }]
  return old === null ? [] : [{ kind: 'pod', action: 'Delete', before: old }]
}

function hintsOf(change: RandomChange): readonly string[] {
  const retried = eventsOf(change).flatMap((event) =>
    pluginsToRetry(podInfo(change.pod), new Set(change.plugins), event),
  )
  return [...new Set(retried)].toSorted()
}

const plugins = [...filterPlugins.map(({ name }) => name), schedulingGatesName]

await describeOracle(
  {
    name: 'scheduler oracle',
    subject: 'scheduler',
    title: 'the scheduling cycle, compared with kube-scheduler’s default profile',
    summary: () =>
      `${counts.join(', ')}; ${met.scored.toLocaleString('en')} with scores, ${met.ties.toLocaleString('en')} ties, ${met.preempting.toLocaleString('en')} preemptions among ${met.candidates.toLocaleString('en')} candidates`,
  },
  (oracle) => {
    const compares = functionComparisons(oracle, counts)
    const cycle = { ask: 'schedule', ours: cycleOf, theirs: theirCycle }
    compares('many constraints', { ...cycle, values: constrainedClusters, count: 3000 })
    compares('scores', { ...cycle, values: roomyClusters, count: 3000 })
    compares('preemption', { ...cycle, values: fullClusters, count: 3000 })

    compares('queueing hints', {
      ask: 'hints',
      values: randomChanges(plugins),
      ours: hintsOf,
      count: 4000,
    })

    it('included all kinds of results', () => {
      expect(met.scored).toBeGreaterThan(1500)
      expect(met.ties).toBeGreaterThan(100)
      expect(met.preempting).toBeGreaterThan(500)
      expect(met.unschedulable).toBeGreaterThan(1500)
    })
  },
)
