import { isJsonObject, listAt, objectsAt, ownField, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import { compareQuantities } from '../../../../shared/kubernetes/quantity.ts'
import { foreignClaimProblem } from '../../control-plane/volume-claims/ephemeral-claims.ts'
import {
  classOf,
  isDelayed,
  isFullyBound,
  isReachable,
  matchingVolume,
  noProvisioner,
  phaseOf,
  requestOf,
  selectedNodeAnnotation,
  volumeNameOf,
} from '../../control-plane/volume-claims/volume-matching.ts'
import type { FilterPlugin, Listers } from '../framework.ts'
import type { NodeInfo } from '../node-info.ts'
import type { PodInfo } from '../pod-info.ts'
import { unresolvable } from '../status.ts'
import type { PodVolumes } from '../volume-binder.ts'

type Labels = Readonly<Record<string, string>>

/**
 * Finds the nodes on which the volumes of a pod can be used or made. Source: pkg/scheduler/framework/plugins/volumebinding (v1.34).
 */

interface ClaimName {
  readonly name: string
  readonly isEphemeral: boolean
}

/** The claims that a pod uses. */
export function claimNames({ pod }: PodInfo): readonly ClaimName[] {
  return (pod.spec.volumes ?? []).flatMap((volume): readonly ClaimName[] => {
    const { persistentVolumeClaim, ephemeral } = volume
    if (isJsonObject(persistentVolumeClaim))
      return [{ name: textAt(persistentVolumeClaim, 'claimName'), isEphemeral: false }]
    if (isJsonObject(ephemeral))
      return [{ name: `${pod.metadata.name}-${volume.name}`, isEphemeral: true }]
    return []
  })
}

/** Without those that a controller creates for the pod. */
export function ownClaims(pod: PodInfo): readonly string[] {
  return claimNames(pod).flatMap(({ name, isEphemeral }) => (isEphemeral ? [] : [name]))
}

function claimProblem(
  { pod }: PodInfo,
  { name, isEphemeral }: ClaimName,
  claim: KubeObject | undefined,
): string | undefined {
  const quoted = JSON.stringify(name)
  if (claim === undefined)
    return isEphemeral
      ? `waiting for ephemeral volume controller to create the persistentvolumeclaim ${quoted}`
      : `persistentvolumeclaim ${quoted} not found`
  if (phaseOf(claim) === 'Lost') {
    const volume = JSON.stringify(volumeNameOf(claim))
    return `persistentvolumeclaim ${quoted} bound to non-existent persistentvolume ${volume}`
  }
  if (claim.metadata.deletionTimestamp !== undefined)
    return `persistentvolumeclaim ${quoted} is being deleted`
  return isEphemeral ? foreignClaimProblem(claim, pod) : undefined
}

/** The scheduler chooses a volume for the claim. */
function waitsForConsumer(claim: KubeObject, { storageClass }: Listers): boolean {
  return isDelayed(storageClass(classOf(claim))) && volumeNameOf(claim) === ''
}

/** The claims of a pod by what is to be done. */
interface PodClaims {
  readonly bound: readonly KubeObject[]
  readonly delayed: readonly KubeObject[]
}

/** Why the node is not possible, or the volumes for the pod on it. */
type Found = { readonly reasons: readonly string[] } | { readonly volumes: PodVolumes }

const nodeConflict = "node(s) didn't match PersistentVolume's node affinity"
const bindConflict = "node(s) didn't find available persistent volumes to bind"
const noVolume = 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)'

/** The first bound claim whose volume is not usable on the node decides. Source: checkBoundClaims. */
function boundProblem(
  claims: readonly KubeObject[],
  labels: Labels,
  listers: Listers,
): string | undefined {
  for (const claim of claims) {
    const volume = listers.volume(volumeNameOf(claim))
    if (volume === undefined) return noVolume
    if (!isReachable(volume, labels)) return nodeConflict
  }
  return undefined
}

/** Source: checkVolumeProvisions, MatchTopologySelectorTerms. */
function canProvision(claim: KubeObject, labels: Labels, { storageClass }: Listers): boolean {
  const found = storageClass(classOf(claim)) ?? {}
  const provisioner = textAt(found, 'provisioner')
  if (provisioner === '' || provisioner === noProvisioner) return false
  const terms = objectsAt(found, 'allowedTopologies')
  if (terms.length === 0) return true
  return terms.some((term) => {
    const expressions = objectsAt(term, 'matchLabelExpressions')
    const isMet = (expression: JsonObject): boolean =>
      listAt(expression, 'values').includes(ownField(labels, textAt(expression, 'key')))
    return expressions.length > 0 && expressions.every(isMet)
  })
}

/** Source: FindPodVolumes. */
function findVolumes(claims: PodClaims, node: NodeInfo, listers: Listers): Found {
  const { labels = {} } = node.node.metadata
  const reasons: string[] = []
  const problem = boundProblem(claims.bound, labels, listers)
  if (problem === nodeConflict) reasons.push(problem)
  const delayed = delayedVolumes(claims.delayed, node.name, labels, listers)
  if (delayed === undefined) reasons.push(bindConflict)
  if (problem === noVolume) reasons.push(problem)
  return delayed === undefined || reasons.length > 0 ? { reasons } : { volumes: delayed }
}

/** Undefined if not all claims can have volumes on the node. */
function delayedVolumes(
  claims: readonly KubeObject[],
  nodeName: string,
  labels: Labels,
  listers: Listers,
): PodVolumes | undefined {
  const selected = (claim: KubeObject): string | undefined =>
    claim.metadata.annotations?.[selectedNodeAnnotation]
  if (claims.some((claim) => (selected(claim) ?? nodeName) !== nodeName)) return undefined
  const provisions = claims.filter((claim) => selected(claim) !== undefined)
  const smallestFirst = claims
    .filter((claim) => selected(claim) === undefined)
    .toSorted((a, b) => compareQuantities(requestOf(a), requestOf(b)))
  const bindings: { volume: KubeObject; claim: KubeObject }[] = []
  const excluded = new Set<string>()
  for (const claim of smallestFirst) {
    const search = { node: { labels }, excluded, isDelayed: true }
    const volume = matchingVolume(claim, listers.volumesOfClass(classOf(claim)), search)
    if (volume === undefined) provisions.push(claim)
    else {
      excluded.add(volume.metadata.name)
      bindings.push({ volume, claim })
    }
  }
  if (!provisions.every((claim) => canProvision(claim, labels, listers))) return undefined
  return { bindings, provisions }
}

export const volumeBinding: FilterPlugin = {
  name: 'VolumeBinding',
  prepare: (pod, { listers }) => {
    const claims: KubeObject[] = []
    for (const used of claimNames(pod)) {
      const claim = listers.claim(pod.namespace, used.name)
      const problem = claimProblem(pod, used, claim)
      if (problem !== undefined) return unresolvable(problem)
      if (claim !== undefined) claims.push(claim)
    }
    if (claims.length === 0) return undefined
    const bound = claims.filter(isFullyBound)
    const unbound = claims.filter((claim) => !isFullyBound(claim))
    if (!unbound.every((claim) => waitsForConsumer(claim, listers)))
      return unresolvable('pod has unbound immediate PersistentVolumeClaims')
    const found = new Map<string, PodVolumes>()
    return {
      filter: (node) => {
        const result = findVolumes({ bound, delayed: unbound }, node, listers)
        if ('reasons' in result) return unresolvable(...result.reasons)
        found.set(node.name, result.volumes)
        return undefined
      },
      // Nothing to bind: the pod is bound at once.
      podVolumes: (nodeName) => (unbound.length === 0 ? undefined : found.get(nodeName)),
    }
  },
}
