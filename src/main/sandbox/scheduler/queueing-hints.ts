import { equalJson } from '../../../shared/json.ts'
import { areHostPortsTaken } from '../../../shared/kubernetes/host-ports.ts'
import { matchesNodeAffinity } from '../../../shared/kubernetes/node-affinity.ts'
import type { Node, Pod } from '../../../shared/kubernetes/objects.ts'
import { resourceAmount } from '../../../shared/kubernetes/pod-requests.ts'
import { isDelayed } from '../control-plane/volume-claims/volume-matching.ts'
import { matchesTerm } from './affinity-term.ts'
import type { AffinityTerm } from './affinity-term.ts'
import type { ClusterEvent } from './cluster-event.ts'
import { PodsOnNode } from './node-info.ts'
import { podInfo } from './pod-info.ts'
import type { PodInfo } from './pod-info.ts'
import { interPodAffinity } from './plugins/inter-pod-affinity.ts'
import {
  hasUntoleratedTaint,
  nodeAffinity,
  nodeName,
  nodePorts,
  nodeUnschedulable,
  taintToleration,
  toleratesUnschedulable,
} from './plugins/node-plugins.ts'
import { nodeResourcesFit, requestsToFit, shortage } from './plugins/node-resources.ts'
import { hardConstraints, hasAllKeys, topologySpread } from './plugins/topology-spread.ts'
import { claimNames, ownClaims, volumeBinding } from './plugins/volume-binding.ts'
import { volumeRestrictions } from './plugins/volume-restrictions.ts'
import { hasOtherZones, volumeZone } from './plugins/volume-zone.ts'

/** Whether an event may let a pod fit that the plugin has rejected. Source: the QueueingHintFn of each plugin (v1.34). */
type QueueingHint = (pod: PodInfo, event: ClusterEvent) => boolean

type NodeEvent = Extract<ClusterEvent, { kind: 'node' }>
type PodEvent = Extract<ClusterEvent, { kind: 'pod' }>

/** Hints for events of nodes and of pods; a kind without one never helps. */
function hints(
  onNode: (pod: PodInfo, event: NodeEvent) => boolean,
  onPod: (pod: PodInfo, event: PodEvent) => boolean = () => false,
): QueueingHint {
  return (pod, event) => {
    if (event.kind === 'node') return onNode(pod, event)
    return event.kind === 'pod' && onPod(pod, event)
  }
}

/** A node that is new or has another taint: every plugin that waits for nodes hears of both. */
function isNewOrTainted({ action }: NodeEvent): boolean {
  return action === 'Add' || action === 'Taint'
}

function nodeBecame(event: NodeEvent, passes: (node: Node) => boolean): boolean {
  const { before, after } = event
  if (after === undefined || !passes(after)) return false
  return before === undefined || !passes(before)
}

function isOwnToleration(pod: PodInfo, { action, after }: PodEvent): boolean {
  return action === 'Toleration' && after?.metadata.uid === pod.uid
}

/** It had a node, or a place on one. */
function hadPlace({ spec, status }: Pod): boolean {
  return (spec.nodeName ?? '') !== '' || (status?.nominatedNodeName ?? '') !== ''
}

const ofNodeUnschedulable = hints(
  (_pod, event) =>
    isNewOrTainted(event) && nodeBecame(event, ({ spec }) => spec?.unschedulable !== true),
  (pod, event) =>
    isOwnToleration(pod, event) && event.after !== undefined && toleratesUnschedulable(event.after),
)

const ofTaintToleration = hints(
  ({ pod }, event) =>
    isNewOrTainted(event) &&
    nodeBecame(event, ({ spec }) => !hasUntoleratedTaint(spec?.taints, pod)),
  isOwnToleration,
)

function matches({ pod }: PodInfo, { metadata }: Node): boolean {
  return matchesNodeAffinity(pod.spec, { name: metadata.name, labels: metadata.labels ?? {} })
}

const ofNodeAffinity = hints((pod, event) => {
  if (event.action === 'Taint') return true
  const isOfInterest = event.action === 'Add' || event.action === 'Label'
  return isOfInterest && nodeBecame(event, (node) => matches(pod, node))
})

const ofNodePorts = hints(
  (_pod, event) => isNewOrTainted(event),
  (pod, { action, before }) =>
    action === 'Delete' &&
    before !== undefined &&
    hadPlace(before) &&
    areHostPortsTaken(pod.hostPorts, podInfo(before).hostPorts),
)

function fitsAlone({ pod }: PodInfo, node: Node): boolean {
  return shortage(requestsToFit(pod), new PodsOnNode(node)) === undefined
}

function hasGrown({ pod }: PodInfo, before: Node, after: Node): boolean {
  const amount = (node: Node, name: string): bigint =>
    resourceAmount(name, node.status?.allocatable?.[name])
  const names = ['pods', ...requestsToFit(pod).keys()]
  return names.some((name) => amount(after, name) > amount(before, name))
}

function freesRequested({ pod }: PodInfo, before: Pod, after: Pod): boolean {
  const now = podInfo(after).requests
  const wanted = requestsToFit(pod)
  return [...podInfo(before).requests].some(
    ([name, amount]) => wanted.has(name) && amount > (now.get(name) ?? 0n),
  )
}

const ofFit = hints(
  (pod, { action, before, after }) => {
    if (action === 'Taint') return true
    const isOfInterest = action === 'Add' || action === 'Allocatable'
    if (!isOfInterest || after === undefined || !fitsAlone(pod, after)) return false
    return before === undefined || hasGrown(pod, before, after)
  },
  (pod, { action, before, after }) => {
    if (before === undefined) return false
    if (action === 'Delete') return hadPlace(before)
    if (action !== 'ScaleDown' || after === undefined) return false
    if (after.metadata.uid === pod.uid) return true
    return (after.spec.nodeName ?? '') !== '' && freesRequested(pod, before, after)
  },
)

function isOnNode({ spec }: Pod): boolean {
  return (spec.nodeName ?? '') !== ''
}

function isInvolved(pod: PodInfo, { metadata, spec }: Pod): boolean {
  if (metadata.uid === pod.uid) return true
  return (spec.nodeName ?? '') !== '' && (metadata.namespace ?? '') === pod.namespace
}

function spreadAfterPod(pod: PodInfo, { action, before, after }: PodEvent): boolean {
  if (action === 'ScaleDown' || action === 'GatesEliminated') return false
  const changed = [before, after].filter((one) => one !== undefined)
  if (!changed.every((one) => isInvolved(pod, one))) return false
  const constraints = hardConstraints(pod)
  const selected = (one: Pod) =>
    constraints.map(({ selects }) => selects(one.metadata.labels ?? {}))
  if (before === undefined || after === undefined)
    return changed.some((one) => selected(one).includes(true))
  const isNewToleration =
    after.metadata.uid === pod.uid &&
    !equalJson(before.spec.tolerations ?? [], after.spec.tolerations ?? [])
  if (isNewToleration && constraints.some(({ honorsNodeTaints }) => honorsNodeTaints)) return true
  return !equalJson(selected(before), selected(after))
}

function spreadAfterNode(pod: PodInfo, { action, before, after }: NodeEvent): boolean {
  if (action === 'Allocatable' || action === 'Condition' || action === 'Annotation') return false
  const constraints = hardConstraints(pod)
  const labelsOf = (node: Node) => ({ labels: node.metadata.labels ?? {} })
  const has = (node: Node | undefined): boolean =>
    node !== undefined && hasAllKeys(labelsOf(node), constraints)
  if (before === undefined || after === undefined) return has(before ?? after)
  if (has(before) !== has(after)) return true
  if (!has(after)) return false
  const values = (node: Node) =>
    constraints.map(({ topologyKey }) => labelsOf(node).labels[topologyKey] ?? '')
  return (
    !equalJson(values(before), values(after)) ||
    !equalJson(before.spec?.taints ?? [], after.spec?.taints ?? [])
  )
}

// Selectors of namespaces are not looked up here, as upstream.
function matchesAll(terms: readonly AffinityTerm[], pod: Pod): boolean {
  return terms.length > 0 && terms.every((term) => matchesTerm(term, pod, undefined))
}

function affinityAfterPod(pod: PodInfo, { action, before, after }: PodEvent): boolean {
  if (action !== 'Add' && action !== 'Delete' && action !== 'Label') return false
  if ([before, after].some((one) => one !== undefined && !isOnNode(one))) return false
  const wanted = pod.affinity.required
  const unwanted = pod.antiAffinity.required
  if (before === undefined) return after !== undefined && matchesAll(wanted, after)
  if (after === undefined) return matchesAll(unwanted, before)
  return (
    (!matchesAll(wanted, before) && matchesAll(wanted, after)) ||
    (matchesAll(unwanted, before) && !matchesAll(unwanted, after))
  )
}

function affinityAfterNode(pod: PodInfo, { action, before, after }: NodeEvent): boolean {
  if (action === 'Taint') return true
  if (action !== 'Add' && action !== 'Label') return false
  const value = (node: Node | undefined, { topologyKey }: AffinityTerm): string | undefined =>
    node?.metadata.labels?.[topologyKey]
  const isHelped = (term: AffinityTerm): boolean => {
    const now = value(after, term)
    return now !== undefined && now !== value(before, term)
  }
  const isFreed = (term: AffinityTerm): boolean => {
    const was = value(before, term)
    return before === undefined || (was !== undefined && was !== value(after, term))
  }
  return pod.affinity.required.some(isHelped) || pod.antiAffinity.required.some(isFreed)
}

function isOwnClaim(pod: PodInfo, event: ClusterEvent): boolean {
  if (event.kind !== 'claim' || event.after.metadata.namespace !== pod.namespace) return false
  return claimNames(pod).some(({ name }) => name === event.after.metadata.name)
}

function sharesClaim(pod: PodInfo, { action, before }: PodEvent): boolean {
  if (action !== 'Delete' || before?.metadata.namespace !== pod.namespace) return false
  const own = claimNames(pod).map(({ name }) => name)
  return claimNames(podInfo(before)).some(({ name }) => own.includes(name))
}

const ofVolumeRestrictions: QueueingHint = (pod, event) =>
  hints((_pod, change) => isNewOrTainted(change), sharesClaim)(pod, event) ||
  (event.kind === 'claim' && event.action === 'Add' && isOwnClaim(pod, event))

const ofVolumeBinding: QueueingHint = (pod, event) => {
  switch (event.kind) {
    case 'node':
      return isNewOrTainted(event) || event.action === 'Label'
    case 'claim':
      return isOwnClaim(pod, event)
    case 'volume':
      return true
    case 'class':
      return (
        event.action === 'Add' ||
        !equalJson(event.before?.['allowedTopologies'], event.after['allowedTopologies'])
      )
    default:
      return false
  }
}

const ofVolumeZone: QueueingHint = (pod, event) => {
  switch (event.kind) {
    case 'node':
      return event.action === 'Add' || event.action === 'Label'
    case 'claim':
      return isOwnClaim(pod, event) && ownClaims(pod).includes(event.after.metadata.name)
    case 'volume':
      return hasOtherZones(event.before, event.after)
    case 'class':
      return event.action === 'Add' && isDelayed(event.after)
    default:
      return false
  }
}

/** Rejects pods with scheduling gates before they are queued. */
export const schedulingGatesName = 'SchedulingGates'

/** Keeps a pod from being tried while its victims are being deleted. It lets other plugins decide when to try again. */
export const defaultPreemptionName = 'DefaultPreemption'

const byPlugin: Readonly<Record<string, QueueingHint>> = {
  [nodeUnschedulable.name]: ofNodeUnschedulable,
  [nodeName.name]: hints((_pod, event) => isNewOrTainted(event)),
  [taintToleration.name]: ofTaintToleration,
  [nodeAffinity.name]: ofNodeAffinity,
  [nodePorts.name]: ofNodePorts,
  [nodeResourcesFit.name]: ofFit,
  [topologySpread.name]: hints(spreadAfterNode, spreadAfterPod),
  [interPodAffinity.name]: hints(affinityAfterNode, affinityAfterPod),
  [volumeRestrictions.name]: ofVolumeRestrictions,
  [volumeBinding.name]: ofVolumeBinding,
  [volumeZone.name]: ofVolumeZone,
  [schedulingGatesName]: (pod, event) =>
    event.kind === 'pod' &&
    event.action === 'GatesEliminated' &&
    event.after?.metadata.uid === pod.uid,
}

/** The plugins, of those that rejected the pod, that would try it again after the event. */
export function pluginsToRetry(
  pod: PodInfo,
  plugins: ReadonlySet<string>,
  event: ClusterEvent,
): readonly string[] {
  return [...plugins].filter((plugin) => byPlugin[plugin]?.(pod, event) ?? false)
}

/** True if a pod that these plugins rejected may fit after the event. Source: isPodWorthRequeuing. */
export function isWorthRequeuing(
  pod: PodInfo,
  plugins: ReadonlySet<string>,
  event: ClusterEvent,
): boolean {
  return (
    plugins.size === 0 || event.kind === 'timeout' || pluginsToRetry(pod, plugins, event).length > 0
  )
}
