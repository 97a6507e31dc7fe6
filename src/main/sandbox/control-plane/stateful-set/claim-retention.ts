import { equalJson } from '../../../../shared/json.ts'
import type { KubeObject, OwnerReference } from '../../../../shared/kubernetes/objects.ts'
import type { StatefulSet } from '../../../../shared/kubernetes/workloads.ts'
import { newControllerRef } from '../workloads/controller-ref.ts'
import { startOrdinal } from './stateful-pods.ts'

/**
 * Who owns the claims of a StatefulSet's pods, by its persistentVolumeClaimRetentionPolicy: the garbage collector then deletes
 * them with the set or with the pod. Source: pkg/controller/statefulset/stateful_set_utils.go (v1.34).
 */

/** A pod of the set, or the place of one, which has no UID yet. */
export interface PodPlace {
  readonly ordinal: number
  readonly uid: string
}

const setResource = 'apps/v1/statefulsets'

function podName(set: StatefulSet, { ordinal }: PodPlace): string {
  return `${set.metadata.name}-${ordinal}`
}

function ownersOf({ metadata }: KubeObject): readonly OwnerReference[] {
  return metadata.ownerReferences ?? []
}

function refersToSet({ apiVersion, kind, name }: OwnerReference, { metadata }: StatefulSet) {
  return apiVersion === 'apps/v1' && kind === 'StatefulSet' && name === metadata.name
}

function refersToPod({ apiVersion, kind, name }: OwnerReference, wanted: string): boolean {
  return apiVersion === 'v1' && kind === 'Pod' && name === wanted
}

function deletes(set: StatefulSet, when: 'whenScaled' | 'whenDeleted'): boolean {
  return set.spec.persistentVolumeClaimRetentionPolicy?.[when] === 'Delete'
}

/** Whether an earlier pod of the same name owns the claim, which will be deleted with it: the new pod has to wait. */
export function isStale(claim: KubeObject, set: StatefulSet, pod: PodPlace): boolean {
  if (!deletes(set, 'whenScaled')) return false
  return hasStaleOwner(claim, set, pod)
}

function hasStaleOwner(claim: KubeObject, set: StatefulSet, pod: PodPlace): boolean {
  const owner = ownersOf(claim).find((one) => refersToPod(one, podName(set, pod)))
  return owner !== undefined && owner.uid !== pod.uid
}

/** Whether another controller owns the claim, while the policy asks for deletions. Source: hasUnexpectedController. */
export function hasOtherController(claim: KubeObject, set: StatefulSet, pod: PodPlace): boolean {
  if (!deletes(set, 'whenScaled') && !deletes(set, 'whenDeleted')) return false
  return ownersOf(claim).some((owner) => {
    if (refersToSet(owner, set)) return owner.uid !== set.metadata.uid
    if (refersToPod(owner, podName(set, pod))) return owner.uid !== pod.uid
    return owner.controller === true
  })
}

function isInRange(set: StatefulSet, { ordinal }: PodPlace): boolean {
  const start = startOrdinal(set)
  return ordinal >= start && ordinal < start + (set.spec.replicas ?? 1)
}

/** The references that the policy asks for. */
function wantedOwners(set: StatefulSet, pod: PodPlace): readonly OwnerReference[] {
  const isScaledDown = deletes(set, 'whenScaled') && !isInRange(set, pod)
  if (isScaledDown) {
    const metadata = { name: podName(set, pod), uid: pod.uid }
    return [newControllerRef('pods', { metadata })]
  }
  return deletes(set, 'whenDeleted') ? [newControllerRef(setResource, set)] : []
}

/** The owners that a claim should have; undefined if they are right, or not to be touched. Source: isClaimOwnerUpToDate, updateClaimOwnerRefForSetAndPod. */
export function changedOwners(
  claim: KubeObject,
  set: StatefulSet,
  pod: PodPlace,
): readonly OwnerReference[] | undefined {
  const owners = ownersOf(claim)
  const ofSet = owners.find((one) => refersToSet(one, set))
  const isStaleSet = ofSet !== undefined && ofSet.uid !== set.metadata.uid
  if (isStaleSet || hasStaleOwner(claim, set, pod)) return undefined
  const others = owners.filter(
    (one) => !refersToSet(one, set) && !refersToPod(one, podName(set, pod)),
  )
  const isOwn = ({ uid }: OwnerReference): boolean => uid === set.metadata.uid || uid === pod.uid
  if (hasOtherController(claim, set, pod)) return owners.some(isOwn) ? others : undefined
  const wanted = wantedOwners(set, pod)
  const uids = (list: readonly OwnerReference[]) => list.map(({ uid }) => uid).toSorted()
  const own = owners.filter(isOwn)
  const isRight =
    own.every(({ controller }) => controller === true) && equalJson(uids(own), uids(wanted))
  return isRight ? undefined : [...others, ...wanted]
}
