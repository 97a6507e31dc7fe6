import { isJsonObject, objectAt, textAt } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../../shared/model/trace-event.ts'
import { addressOf } from '../../../cluster/client/resource-paths.ts'
import type { ControllerContext } from '../controller.ts'
import type { ObjectCache } from './object-cache.ts'
import { hostPathPlugin, pluginProblem } from './provisioning.ts'
import {
  claimRefOf,
  hasAnnotation,
  hasSameMode,
  phaseOf,
  provisionedByAnnotation,
  specOf,
  volumeNameOf,
} from './volume-matching.ts'
import type { VolumeWrites } from './volume-writes.ts'

export interface VolumeSyncDeps {
  readonly context: ControllerContext
  readonly writes: VolumeWrites
  readonly claims: ObjectCache
  readonly causes: TraceCauses
  readonly enqueueClaim: (key: string) => void
}

/** Source: pkg/controller/volume/persistentvolume/pv_controller.go syncVolume (v1.34). */
export async function syncVolume(volume: KubeObject, deps: VolumeSyncDeps): Promise<void> {
  const { writes } = deps
  const reference = claimRefOf(volume)
  if (reference === undefined || textAt(reference, 'uid') === '') {
    await writes.setVolumePhase(volume, 'Available')
    return
  }
  const claim = await claimOf(volume, reference, deps)
  if (claim === 'unknown') return
  if (claim === undefined) await release(volume, deps)
  else if (volumeNameOf(claim) === volume.metadata.name)
    await writes.setVolumePhase(volume, 'Bound')
  else if (volumeNameOf(claim) === '') awaitClaim(volume, claim, deps)
  else await giveUp(volume, deps)
}

function claimKeyOf(reference: Readonly<Record<string, unknown>>): string {
  return `${textAt(reference, 'namespace')}/${textAt(reference, 'name')}`
}

/** The claim with the name and the UID; `unknown`: the server does not say. Asked for before a volume is taken from it. */
async function claimOf(
  volume: KubeObject,
  reference: Readonly<Record<string, unknown>>,
  { context, claims, causes }: VolumeSyncDeps,
): Promise<KubeObject | undefined | 'unknown'> {
  const uid = textAt(reference, 'uid')
  const known = claims.get(claimKeyOf(reference))
  if (known?.metadata.uid === uid) return known
  const isReleased = phaseOf(volume) === 'Released' || phaseOf(volume) === 'Failed'
  if (known === undefined && isReleased) return undefined
  const [namespace, name] = [textAt(reference, 'namespace'), textAt(reference, 'name')]
  const address = { resource: 'v1/persistentvolumeclaims', namespace, name } as const
  const found = await context.client.get(address, causes)
  if (!found.ok) return found.error.kind === 'not-found' ? undefined : 'unknown'
  return found.value.metadata.uid === uid ? found.value : undefined
}

/** The claim's own sync binds it to the volume. */
function awaitClaim(
  volume: KubeObject,
  claim: KubeObject,
  { writes, enqueueClaim }: VolumeSyncDeps,
): void {
  const { namespace = '', name } = claim.metadata
  if (hasSameMode(claim, volume)) {
    enqueueClaim(`${namespace}/${name}`)
    return
  }
  const event = { type: 'Warning', reason: 'VolumeMismatch' } as const
  const toClaim = `requested PersistentVolumeClaim ${JSON.stringify(name)}`
  writes.volumeEvent(volume, {
    ...event,
    message: `Cannot bind PersistentVolume to ${toClaim} due to incompatible volumeMode.`,
  })
  const ofVolume = `PersistentVolume ${JSON.stringify(volume.metadata.name)}`
  writes.claimEvent(claim, {
    ...event,
    message: `Cannot bind ${ofVolume} to requested PersistentVolumeClaim due to incompatible volumeMode.`,
  })
}

/** The claim has another volume. */
async function giveUp(volume: KubeObject, deps: VolumeSyncDeps): Promise<void> {
  const isForIt = hasAnnotation(volume, provisionedByAnnotation) && policyOf(volume) === 'Delete'
  if (isForIt) await release(volume, deps)
  else await deps.writes.unbind(volume)
}

function policyOf(volume: KubeObject): string {
  return textAt(specOf(volume), 'persistentVolumeReclaimPolicy')
}

/** The claim is gone. */
async function release(volume: KubeObject, deps: VolumeSyncDeps): Promise<void> {
  const { writes } = deps
  const isReleased = phaseOf(volume) === 'Released' || phaseOf(volume) === 'Failed'
  const released = isReleased ? volume : await writes.setVolumePhase(volume, 'Released')
  if (released === undefined) return
  switch (policyOf(volume)) {
    case 'Recycle':
      await recycle(released, deps)
      break
    case 'Delete':
      await deleteVolume(released, deps)
      break
    default:
      break
  }
}

/** A real controller starts a pod that empties the volume. */
async function recycle(volume: KubeObject, { writes }: VolumeSyncDeps): Promise<void> {
  const spec = specOf(volume)
  const isPossible = isJsonObject(spec['hostPath']) || isJsonObject(spec['nfs'])
  const message = isPossible
    ? 'Recycle failed: the Nodescope sandbox runs no recycler pods'
    : 'No recycler plugin found for the volume!'
  const event = { type: 'Warning', reason: 'VolumeFailedRecycle', message } as const
  await writes.setVolumePhase(volume, 'Failed', event)
}

/** Why the controller cannot delete a volume; undefined if it can or leaves it to another. Source: findDeletablePlugin, Delete. */
function deletionProblem(volume: KubeObject): {
  readonly isOurs: boolean
  readonly problem?: string
} {
  const spec = specOf(volume)
  const provisioner = volume.metadata.annotations?.[provisionedByAnnotation] ?? ''
  const isExternal = provisioner !== '' && !provisioner.startsWith('kubernetes.io/')
  if (isExternal || (provisioner === '' && isJsonObject(spec['csi']))) return { isOurs: false }
  if (provisioner !== '' && provisioner !== hostPathPlugin)
    return { isOurs: true, problem: pluginProblem(provisioner, 'deletable') }
  if (isJsonObject(spec['hostPath'])) {
    const path = textAt(objectAt(spec, 'hostPath'), 'path')
    if (/\/tmp\/.+/.test(path)) return { isOurs: true }
    const problem = `host_path deleter only supports /tmp/.+ but received provided ${path}`
    return { isOurs: true, problem }
  }
  const name = JSON.stringify(volume.metadata.name)
  const reason = isJsonObject(spec['nfs'])
    ? 'no deletable volume plugin matched'
    : 'no volume plugin matched'
  const problem = `error getting deleter volume plugin for volume ${name}: ${reason}`
  return { isOurs: true, problem }
}

async function deleteVolume(
  volume: KubeObject,
  { context, writes, causes }: VolumeSyncDeps,
): Promise<void> {
  const { isOurs, problem } = deletionProblem(volume)
  if (!isOurs) return
  if (problem !== undefined) {
    const event = { type: 'Warning', reason: 'VolumeFailedDelete', message: problem } as const
    await writes.setVolumePhase(volume, 'Failed', event)
    return
  }
  await context.client.delete(addressOf('v1/persistentvolumes', volume), {}, causes)
}
