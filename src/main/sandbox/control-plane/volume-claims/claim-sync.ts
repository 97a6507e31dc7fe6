import { textAt } from '../../../../shared/json.ts'
import type { KubeObject, Pod } from '../../../../shared/kubernetes/objects.ts'
import { defaultClass } from '../../admission/storage-class.ts'
import { claimNames } from '../../auth/pod-references.ts'
import type { ControllerContext } from '../controller.ts'
import type { ObjectCache } from './object-cache.ts'
import { provision } from './provisioning.ts'
import {
  bestMatch,
  bindCompletedAnnotation,
  boundByControllerAnnotation,
  claimRefOf,
  classOf,
  hasAnnotation,
  hasClass,
  isBoundTo,
  isDelayed,
  mismatch,
  selectedNodeAnnotation,
  specOf,
  volumeNameOf,
} from './volume-matching.ts'
import type { VolumeWrites } from './volume-writes.ts'

export interface ClaimSyncDeps {
  readonly context: ControllerContext
  readonly writes: VolumeWrites
  readonly volumes: ObjectCache
}

/** Source: pkg/controller/volume/persistentvolume/pv_controller.go syncClaim (v1.34). */
export async function syncClaim(claim: KubeObject, deps: ClaimSyncDeps): Promise<void> {
  if (hasAnnotation(claim, bindCompletedAnnotation)) await syncBoundClaim(claim, deps)
  else if (volumeNameOf(claim) === '') await findVolume(claim, deps)
  else await bindNamedVolume(claim, deps)
}

/** A claim that takes any volume. */
async function findVolume(claim: KubeObject, deps: ClaimSyncDeps): Promise<void> {
  const { context, writes, volumes } = deps
  const isDelayedClass = isDelayed(context.storageClasses.get('', classOf(claim)))
  const found = bestMatch(claim, volumes.list(), isDelayedClass)
  if (found !== undefined) {
    await writes.bind(found, claim)
    return
  }
  const storageClassName = hasClass(claim) ? undefined : defaultClass(context.storageClasses.list())
  if (storageClassName !== undefined) {
    await writes.updateClaim({ ...claim, spec: { ...specOf(claim), storageClassName } })
    return
  }
  if (isDelayedClass && !hasAnnotation(claim, selectedNodeAnnotation))
    writes.claimEvent(claim, waitingEvent(unscheduledPods(claim, context)))
  else if (classOf(claim) !== '') {
    await provision(claim, deps)
    return
  } else
    writes.claimEvent(claim, {
      type: 'Normal',
      reason: 'FailedBinding',
      message: 'no persistent volumes available for this claim and no storage class is set',
    })
  await writes.setClaimStatus(claim, 'Pending')
}

function waitingEvent(podNames: readonly string[]) {
  const type = 'Normal' as const
  if (podNames.length === 0) {
    const message = 'waiting for first consumer to be created before binding'
    return { type, reason: 'WaitForFirstConsumer', message }
  }
  const pods = `${podNames.length > 1 ? 'pods' : 'pod'} ${podNames.join(',')}`
  return { type, reason: 'WaitForPodScheduled', message: `waiting for ${pods} to be scheduled` }
}

function isTerminated({ status = {}, metadata }: Pod): boolean {
  if (status.phase === 'Failed' || status.phase === 'Succeeded') return true
  if (metadata.deletionTimestamp === undefined) return false
  return (status.containerStatuses ?? []).every(
    ({ state = {} }) => state.terminated !== undefined || state.waiting !== undefined,
  )
}

/** The pods that use the claim and have no node yet. */
function unscheduledPods({ metadata }: KubeObject, { pods }: ControllerContext): readonly string[] {
  return pods
    .list()
    .filter(
      (pod) =>
        pod.metadata.namespace === metadata.namespace &&
        (pod.spec.nodeName ?? '') === '' &&
        claimNames({ ...pod }).includes(metadata.name) &&
        !isTerminated(pod),
    )
    .map((pod) => pod.metadata.name)
}

/** A claim for one volume, which a user or the scheduler has named. */
async function bindNamedVolume(claim: KubeObject, deps: ClaimSyncDeps): Promise<void> {
  const { writes, volumes } = deps
  const volume = volumes.get(`/${volumeNameOf(claim)}`)
  if (volume === undefined) {
    await writes.setClaimStatus(claim, 'Pending')
    return
  }
  const name = JSON.stringify(volume.metadata.name)
  if (claimRefOf(volume) === undefined) {
    const problem = mismatch(volume, claim)
    if (problem === undefined) await writes.bind(volume, claim)
    else {
      const message = `Cannot bind to requested volume ${name}: ${problem}`
      writes.claimEvent(claim, { type: 'Warning', reason: 'VolumeMismatch', message })
      await writes.setClaimStatus(claim, 'Pending')
    }
  } else if (isBoundTo(volume, claim)) await writes.bind(volume, claim)
  else {
    const message = `volume ${name} already bound to a different claim.`
    writes.claimEvent(claim, { type: 'Warning', reason: 'FailedBinding', message })
    if (!hasAnnotation(claim, boundByControllerAnnotation))
      await writes.setClaimStatus(claim, 'Pending')
  }
}

async function syncBoundClaim(claim: KubeObject, { writes, volumes }: ClaimSyncDeps) {
  const name = volumeNameOf(claim)
  if (name === '') {
    const what = 'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!'
    await writes.loseClaim(claim, 'ClaimLost', what)
    return
  }
  const volume = volumes.get(`/${name}`)
  if (volume === undefined) {
    const what = 'Bound claim has lost its PersistentVolume. Data on the volume is lost!'
    await writes.loseClaim(claim, 'ClaimLost', what)
    return
  }
  const reference = claimRefOf(volume)
  if (reference === undefined || textAt(reference, 'uid') === claim.metadata.uid) {
    await writes.bind(volume, claim)
    return
  }
  const what = 'Two claims are bound to the same volume, this one is bound incorrectly'
  await writes.loseClaim(claim, 'ClaimMisbound', what)
}
