import { isJsonObject, objectAt, ownField, textAt } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import type { FilterPlugin, Listers } from '../framework.ts'
import type { PodInfo } from '../pod-info.ts'
import { unresolvable } from '../status.ts'

/**
 * Rejects pods whose claims are missing or not bound. It does not look at where a volume can be attached: the volumes of the
 * sandbox are folders of any node. Source: pkg/scheduler/framework/plugins/volumebinding (v1.34) PreFilter.
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

function claimProblem(
  { pod, namespace }: PodInfo,
  { name, isEphemeral }: ClaimName,
  claim: KubeObject | undefined,
): string | undefined {
  const quoted = JSON.stringify(name)
  if (claim === undefined)
    return isEphemeral
      ? `waiting for ephemeral volume controller to create the persistentvolumeclaim ${quoted}`
      : `persistentvolumeclaim ${quoted} not found`
  if (phaseOf(claim) === 'Lost') {
    const volume = JSON.stringify(textAt(specOf(claim), 'volumeName'))
    return `persistentvolumeclaim ${quoted} bound to non-existent persistentvolume ${volume}`
  }
  if (claim.metadata.deletionTimestamp !== undefined)
    return `persistentvolumeclaim ${quoted} is being deleted`
  const owner = (claim.metadata.ownerReferences ?? []).find(({ controller }) => controller === true)
  if (isEphemeral && owner?.uid !== pod.metadata.uid)
    return `PVC ${namespace}/${name} was not created for pod ${namespace}/${pod.metadata.name} (pod is not owner)`
  return undefined
}

function specOf(claim: KubeObject) {
  return objectAt(claim, 'spec')
}

function phaseOf(claim: KubeObject): string {
  return textAt(objectAt(claim, 'status'), 'phase')
}

/** The claim has a volume, and the controller has finished the binding. */
function isFullyBound(claim: KubeObject): boolean {
  const annotations = claim.metadata.annotations ?? {}
  const isCompleted = ownField(annotations, 'pv.kubernetes.io/bind-completed') !== undefined
  return textAt(specOf(claim), 'volumeName') !== '' && isCompleted
}

/** The scheduler would choose a volume for the claim. */
function waitsForConsumer(claim: KubeObject, { storageClass }: Listers): boolean {
  const found = storageClass(textAt(specOf(claim), 'storageClassName'))
  const mode = found === undefined ? '' : textAt(found, 'volumeBindingMode')
  return mode === 'WaitForFirstConsumer' && textAt(specOf(claim), 'volumeName') === ''
}

export const volumeBinding: FilterPlugin = {
  name: 'VolumeBinding',
  prepare: (pod, { listers }) => {
    const claims = claimNames(pod).map((used) => ({
      used,
      claim: listers.claim(pod.namespace, used.name),
    }))
    for (const { used, claim } of claims) {
      const problem = claimProblem(pod, used, claim)
      if (problem !== undefined) return unresolvable(problem)
    }
    const isUnbound = claims.some(
      ({ claim }) =>
        claim !== undefined && !isFullyBound(claim) && !waitsForConsumer(claim, listers),
    )
    return isUnbound ? unresolvable('pod has unbound immediate PersistentVolumeClaims') : undefined
  },
}
