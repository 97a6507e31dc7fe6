import { objectAt, textAt } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { compareQuantities, parseQuantity } from '../../../shared/kubernetes/quantity.ts'
import { requestedStorage } from '../registry/claim-strategy.ts'
import { withFinalizer } from '../registry/strategy.ts'

/** Each of them makes a storage class the default. */
const defaultClassAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
] as const

/** The volume protection controller removes these finalizers once the object is not in use. */
export const claimProtection = 'kubernetes.io/pvc-protection'
export const volumeProtection = 'kubernetes.io/pv-protection'

/** Names the class of a claim or a volume, and counts more than its field. */
export const classAnnotation = 'volume.beta.kubernetes.io/storage-class'

export function isDefaultClass({ metadata: { annotations = {} } }: KubeObject): boolean {
  return defaultClassAnnotations.some((key) => annotations[key] === 'true')
}

/** The name of the default class; the newest if there are several. */
export function defaultClass(classes: readonly KubeObject[]): string | undefined {
  const defaults = classes.filter(isDefaultClass).toSorted((a, b) => {
    const [older = '', newer = ''] = [a.metadata.creationTimestamp, b.metadata.creationTimestamp]
    if (older === newer) return a.metadata.name < b.metadata.name ? -1 : 1
    return older < newer ? 1 : -1
  })
  return defaults[0]?.metadata.name
}

/**
 * A new claim with the default class, if it names none, and with the finalizer that protects it while it is in use.
 * Source: plugin/pkg/admission/storage/storageclass/setdefault, storageobjectinuseprotection.
 */
export function admitNewClaim(claim: KubeObject, classes: readonly KubeObject[]): KubeObject {
  const spec = objectAt(claim, 'spec')
  const isGiven =
    spec['storageClassName'] !== undefined ||
    claim.metadata.annotations?.[classAnnotation] !== undefined
  const storageClassName = isGiven ? undefined : defaultClass(classes)
  const named =
    storageClassName === undefined ? claim : { ...claim, spec: { ...spec, storageClassName } }
  return withFinalizer(named, claimProtection)
}

/** Why a bound claim may not grow. Source: plugin/pkg/admission/storage/persistentvolume/resize. */
export function resizeRefusal(
  next: KubeObject,
  old: KubeObject,
  classes: readonly KubeObject[],
): string | undefined {
  const size = parseQuantity(requestedStorage(next))
  const before = parseQuantity(requestedStorage(old))
  if (size === undefined || before === undefined || compareQuantities(size, before) <= 0)
    return undefined
  // Validation refuses it for claims that are not bound.
  if (objectAt(old, 'status')['phase'] !== 'Bound') return undefined
  const name = textAt(objectAt(next, 'spec'), 'storageClassName')
  const isSame = name !== '' && name === textAt(objectAt(old, 'spec'), 'storageClassName')
  const storageClass = classes.find(({ metadata }) => metadata.name === name)
  if (isSame && storageClass?.['allowVolumeExpansion'] === true) return undefined
  return 'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize'
}
