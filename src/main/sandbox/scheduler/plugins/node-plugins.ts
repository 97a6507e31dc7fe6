import { isJsonObject, numberAt, objectAt, objectsAt } from '../../../../shared/json.ts'
import { areHostPortsTaken } from '../../../../shared/kubernetes/host-ports.ts'
import {
  matchesNodeAffinity,
  matchesNodeSelectorTerm,
  requiredNodeNames,
} from '../../../../shared/kubernetes/node-affinity.ts'
import type { Pod, Taint } from '../../../../shared/kubernetes/objects.ts'
import { toleratesTaint } from '../../../../shared/kubernetes/taints.ts'
import { normalized } from '../framework.ts'
import type { FilterPlugin, ScorePlugin } from '../framework.ts'
import { unresolvable, unschedulable } from '../status.ts'

/** Plugins that look at one node and one pod only. Source: pkg/scheduler/framework/plugins (v1.34). */

const unschedulableTaint: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }

function isTolerated({ spec }: Pod, taint: Taint): boolean {
  return (spec.tolerations ?? []).some((toleration) => toleratesTaint(toleration, taint))
}

/** True if the pod tolerates the taint of a cordoned node. */
export function toleratesUnschedulable(pod: Pod): boolean {
  return isTolerated(pod, unschedulableTaint)
}

/** True if a taint keeps the pod from the node. */
export function hasUntoleratedTaint(taints: readonly Taint[] | undefined, pod: Pod): boolean {
  return (taints ?? []).some(
    (taint) => taint.effect !== 'PreferNoSchedule' && !isTolerated(pod, taint),
  )
}

export const nodeUnschedulable: FilterPlugin = {
  name: 'NodeUnschedulable',
  prepare: ({ pod }) => ({
    filter: ({ node }) =>
      node.spec?.unschedulable === true && !toleratesUnschedulable(pod)
        ? unresolvable('node(s) were unschedulable')
        : undefined,
  }),
}

export const nodeName: FilterPlugin = {
  name: 'NodeName',
  prepare: ({ pod }) => {
    const wanted = pod.spec.nodeName ?? ''
    if (wanted === '') return undefined
    return {
      filter: ({ name }) =>
        name === wanted ? undefined : unresolvable("node(s) didn't match the requested node name"),
    }
  },
}

const taintTolerationName = 'TaintToleration'

export const taintToleration: FilterPlugin = {
  name: taintTolerationName,
  prepare: ({ pod }) => ({
    filter: ({ node }) =>
      hasUntoleratedTaint(node.spec?.taints, pod)
        ? unresolvable('node(s) had untolerated taint(s)')
        : undefined,
  }),
}

export const taintScore: ScorePlugin = {
  name: taintTolerationName,
  weight: 3,
  prepare: ({ pod }) => {
    // Tolerations of other effects do not count, whatever their key.
    const tolerations = (pod.spec.tolerations ?? []).filter(
      ({ effect }) => !effect || effect === 'PreferNoSchedule',
    )
    const isUntolerated = (taint: Taint): boolean =>
      taint.effect === 'PreferNoSchedule' && !tolerations.some((one) => toleratesTaint(one, taint))
    return {
      score: ({ node }) => (node.spec?.taints ?? []).filter(isUntolerated).length,
      normalize: (scores) => normalized(scores, true),
    }
  },
}

function nodeAffinityOf({ spec }: Pod): Readonly<Record<string, unknown>> {
  return isJsonObject(spec['affinity']) ? objectAt(spec['affinity'], 'nodeAffinity') : {}
}

const nodeAffinityName = 'NodeAffinity'

export const nodeAffinity: FilterPlugin = {
  name: nodeAffinityName,
  prepare: ({ pod }) => {
    const required = nodeAffinityOf(pod)['requiredDuringSchedulingIgnoredDuringExecution']
    if (!isJsonObject(required) && pod.spec.nodeSelector === undefined) return undefined
    const nodeNames = requiredNodeNames(pod.spec)
    if (nodeNames?.size === 0) return unresolvable('pod affinity terms conflict')
    return {
      ...(nodeNames === undefined ? {} : { nodeNames }),
      filter: (node) =>
        matchesNodeAffinity(pod.spec, node)
          ? undefined
          : unresolvable("node(s) didn't match Pod's node affinity/selector"),
    }
  },
}

export const nodeAffinityScore: ScorePlugin = {
  name: nodeAffinityName,
  weight: 2,
  prepare: ({ pod }) => {
    const preferred = 'preferredDuringSchedulingIgnoredDuringExecution'
    const terms = objectsAt(nodeAffinityOf(pod), preferred)
    if (!Array.isArray(nodeAffinityOf(pod)[preferred])) return undefined
    return {
      score: (node) =>
        terms
          .filter((term) => matchesNodeSelectorTerm(objectAt(term, 'preference'), node))
          .reduce((sum, term) => sum + (numberAt(term, 'weight') ?? 0), 0),
      normalize: (scores) => normalized(scores, false),
    }
  },
}

export const nodePorts: FilterPlugin = {
  name: 'NodePorts',
  prepare: ({ hostPorts }) => {
    if (hostPorts.length === 0) return undefined
    return {
      filter: ({ ports }) =>
        areHostPortsTaken(hostPorts, ports)
          ? unschedulable("node(s) didn't have free ports for the requested pod ports")
          : undefined,
    }
  },
}
