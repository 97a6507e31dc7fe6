import { isJsonObject, listAt, objectAt, objectsAt, textAt } from '../../../../shared/json.ts'
import type { LabelSelector } from '../../../../shared/kubernetes/disruption-budget.ts'
import { selectsLabels } from '../../../../shared/kubernetes/disruption-budget.ts'
import { matchesNodeSelectorTerm } from '../../../../shared/kubernetes/node-affinity.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import { compareQuantities, parseQuantity } from '../../../../shared/kubernetes/quantity.ts'
import type { Quantity } from '../../../../shared/kubernetes/quantity.ts'
import { classAnnotation } from '../../admission/storage-class.ts'
import { requestedStorage } from '../../registry/claim-strategy.ts'

/** Which volume is for which claim, for the controller and the scheduler. Source: component-helpers storage/volume (v1.34). */

export const bindCompletedAnnotation = 'pv.kubernetes.io/bind-completed'
export const boundByControllerAnnotation = 'pv.kubernetes.io/bound-by-controller'
export const selectedNodeAnnotation = 'volume.kubernetes.io/selected-node'
export const provisionedByAnnotation = 'pv.kubernetes.io/provisioned-by'
export const provisionerAnnotation = 'volume.kubernetes.io/storage-provisioner'
export const betaProvisionerAnnotation = 'volume.beta.kubernetes.io/storage-provisioner'
/** The provisioner of a class whose volumes exist already. */
export const noProvisioner = 'kubernetes.io/no-provisioner'

const zero: Quantity = { nanos: 0n, format: 'decimal' }

export function hasAnnotation({ metadata }: KubeObject, name: string): boolean {
  return metadata.annotations !== undefined && Object.hasOwn(metadata.annotations, name)
}

export function annotated(object: KubeObject, annotations: Readonly<Record<string, string>>) {
  const { metadata } = object
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...metadata.annotations, ...annotations } },
  }
}

export function specOf(object: KubeObject) {
  return objectAt(object, 'spec')
}

export function phaseOf(object: KubeObject): string {
  return textAt(objectAt(object, 'status'), 'phase')
}

/** The class of a claim or a volume; empty if it has none. */
export function classOf(object: KubeObject): string {
  return (
    object.metadata.annotations?.[classAnnotation] ?? textAt(specOf(object), 'storageClassName')
  )
}

/** Whether a claim names a class, even an empty one. */
export function hasClass(claim: KubeObject): boolean {
  return hasAnnotation(claim, classAnnotation) || 'storageClassName' in specOf(claim)
}

/** Whether the volumes of a class are bound when the first pod that uses them is scheduled. */
export function isDelayed(storageClass: KubeObject | undefined): boolean {
  return storageClass?.['volumeBindingMode'] === 'WaitForFirstConsumer'
}

export function claimRefOf(volume: KubeObject) {
  const reference = specOf(volume)['claimRef']
  return isJsonObject(reference) ? reference : undefined
}

export function volumeNameOf(claim: KubeObject): string {
  return textAt(specOf(claim), 'volumeName')
}

/** The claim has a volume, and the controller has finished the binding. */
export function isFullyBound(claim: KubeObject): boolean {
  return volumeNameOf(claim) !== '' && hasAnnotation(claim, bindCompletedAnnotation)
}

/** Whether the volume is bound to the claim, or reserved for it. */
export function isBoundTo(volume: KubeObject, { metadata }: KubeObject): boolean {
  const reference = claimRefOf(volume)
  if (reference === undefined) return false
  if (reference['name'] !== metadata.name || reference['namespace'] !== metadata.namespace)
    return false
  const uid = textAt(reference, 'uid')
  return uid === '' || uid === metadata.uid
}

/** A reference to a claim, for a volume. */
export function claimRefTo({ metadata }: KubeObject) {
  const { namespace, name, uid, resourceVersion } = metadata
  const kind = 'PersistentVolumeClaim'
  return { kind, apiVersion: 'v1', namespace, name, uid, resourceVersion }
}

/** The volume with the claim as its user, and whether that is a change. Source: GetBindVolumeToClaim. */
export function boundTo(
  volume: KubeObject,
  claim: KubeObject,
): { readonly volume: KubeObject; readonly isChanged: boolean } {
  const isReserved = isBoundTo(volume, claim)
  const needsReference =
    !isReserved || textAt(claimRefOf(volume) ?? {}, 'uid') !== claim.metadata.uid
  const needsMark = !isReserved && !hasAnnotation(volume, boundByControllerAnnotation)
  const spec = { ...specOf(volume), claimRef: claimRefTo(claim) }
  const referenced = needsReference ? { ...volume, spec } : volume
  return {
    volume: needsMark
      ? annotated(referenced, { [boundByControllerAnnotation]: 'yes' })
      : referenced,
    isChanged: needsReference || needsMark,
  }
}

export function capacityOf(volume: KubeObject): Quantity {
  return parseQuantity(objectAt(specOf(volume), 'capacity')['storage']) ?? zero
}

export function requestOf(claim: KubeObject): Quantity {
  return parseQuantity(requestedStorage(claim)) ?? zero
}

export function hasSameMode(claim: KubeObject, volume: KubeObject): boolean {
  const modeOf = (object: KubeObject): string =>
    textAt(specOf(object), 'volumeMode') || 'Filesystem'
  return modeOf(claim) === modeOf(volume)
}

/** Whether the volume has all access modes of the claim. */
function hasAccessModes(claim: KubeObject, volume: KubeObject): boolean {
  const offered = listAt(specOf(volume), 'accessModes')
  return listAt(specOf(claim), 'accessModes').every((mode) => offered.includes(mode))
}

function attributesClassOf(object: KubeObject): string {
  return textAt(specOf(object), 'volumeAttributesClassName')
}

function hasSameAttributesClass(claim: KubeObject, volume: KubeObject): boolean {
  return attributesClassOf(claim) === attributesClassOf(volume)
}

/** Whether a volume can be used on a node with these labels. Source: CheckNodeAffinity. */
export function isReachable(
  volume: KubeObject,
  labels: Readonly<Record<string, string>> = {},
): boolean {
  const { required } = objectAt(specOf(volume), 'nodeAffinity')
  if (!isJsonObject(required)) return true
  const node = { name: '', labels }
  return objectsAt(required, 'nodeSelectorTerms').some((term) =>
    matchesNodeSelectorTerm(term, node),
  )
}

function selects(claim: KubeObject, volume: KubeObject): boolean {
  const { selector } = specOf(claim)
  // Validation has checked its shape.
  return (
    !isJsonObject(selector) ||
    selectsLabels(selector as LabelSelector, volume.metadata.labels ?? {})
  )
}

/** How a volume is looked for. */
interface Search {
  /** Of the scheduler: the labels of the node on which the volume is used. */
  readonly node?: { readonly labels: Readonly<Record<string, string>> }
  /** Volumes that other claims of the same pod get. */
  readonly excluded?: ReadonlySet<string>
  /** Of the controller, for a class that waits for its consumer: only a volume that is reserved for the claim. */
  readonly isDelayed: boolean
}

/** What any volume needs, also one that is reserved for the claim. */
function isPossible(claim: KubeObject, volume: KubeObject): boolean {
  return (
    (claimRefOf(volume) === undefined || isBoundTo(volume, claim)) &&
    compareQuantities(capacityOf(volume), requestOf(claim)) >= 0 &&
    hasSameMode(claim, volume) &&
    hasSameAttributesClass(claim, volume) &&
    volume.metadata.deletionTimestamp === undefined
  )
}

/** The volume that is reserved for the claim, else the smallest that fits; undefined if there is none. Source: FindMatchingVolume. */
export function matchingVolume(
  claim: KubeObject,
  volumes: readonly KubeObject[],
  { node, excluded = new Set(), isDelayed: isLeftToScheduler }: Search,
): KubeObject | undefined {
  let smallest: KubeObject | undefined
  for (const volume of volumes) {
    if (excluded.has(volume.metadata.name) || !isPossible(claim, volume)) continue
    const isUsable = node === undefined || isReachable(volume, node.labels)
    if (isBoundTo(volume, claim)) return isUsable ? volume : undefined
    if (node === undefined && isLeftToScheduler) continue
    const fits =
      isUsable &&
      phaseOf(volume) === 'Available' &&
      selects(claim, volume) &&
      classOf(volume) === classOf(claim) &&
      (node === undefined || hasAccessModes(claim, volume))
    if (!fits) continue
    if (smallest === undefined || compareQuantities(capacityOf(smallest), capacityOf(volume)) > 0)
      smallest = volume
  }
  return smallest
}

/** The same for the controller: first among the volumes with the fewest access modes that suffice. Source: index.go findByClaim. */
export function bestMatch(
  claim: KubeObject,
  volumes: readonly KubeObject[],
  isDelayedClass: boolean,
): KubeObject | undefined {
  const groups = new Map<string, KubeObject[]>()
  for (const volume of volumes) {
    if (!hasAccessModes(claim, volume)) continue
    const modes = [...new Set(listAt(specOf(volume), 'accessModes').map(String))].toSorted()
    const key = modes.join(',')
    groups.set(key, [...(groups.get(key) ?? []), volume])
  }
  const fewestFirst = [...groups].toSorted(([a], [b]) => a.split(',').length - b.split(',').length)
  for (const [, group] of fewestFirst) {
    const found = matchingVolume(claim, group, { isDelayed: isDelayedClass })
    if (found !== undefined) return found
  }
  return undefined
}

/** Why a volume that a claim names does not fit it; undefined if it does. Source: checkVolumeSatisfyClaim. */
export function mismatch(volume: KubeObject, claim: KubeObject): string | undefined {
  if (volume.metadata.deletionTimestamp !== undefined)
    return `the volume is marked for deletion ${JSON.stringify(volume.metadata.name)}`
  if (compareQuantities(capacityOf(volume), requestOf(claim)) < 0)
    return 'requested PV is too small'
  if (classOf(volume) !== classOf(claim)) return 'storageClassName does not match'
  if (!hasSameAttributesClass(claim, volume)) return 'volumeAttributesClassName does not match'
  if (!hasSameMode(claim, volume)) return 'incompatible volumeMode'
  return hasAccessModes(claim, volume) ? undefined : 'incompatible accessMode'
}
