import { defined, equalJson, isJsonObject, objectAt, textAt } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import { compareQuantities, parseQuantity } from '../../../../shared/kubernetes/quantity.ts'
import type { TraceCauses } from '../../../../shared/model/trace-event.ts'
import { addressOf } from '../../../cluster/client/resource-paths.ts'
import type { ControllerContext } from '../controller.ts'
import type { EventWriter } from '../event-writer.ts'
import type { ObjectCache } from './object-cache.ts'
import {
  annotated,
  bindCompletedAnnotation,
  boundByControllerAnnotation,
  boundTo,
  capacityOf,
  claimRefOf,
  hasAnnotation,
  phaseOf,
  specOf,
  volumeNameOf,
} from './volume-matching.ts'

const claimResource = 'v1/persistentvolumeclaims'
const volumeResource = 'v1/persistentvolumes'

type VolumePhase = 'Available' | 'Bound' | 'Released' | 'Failed'
type ClaimPhase = 'Pending' | 'Bound' | 'Lost'

interface VolumeWritesDeps {
  readonly context: ControllerContext
  readonly events: EventWriter
  readonly claims: ObjectCache
  readonly volumes: ObjectCache
  readonly causes: TraceCauses
}

interface NewEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

/**
 * The writes of one sync of the persistent volume controller. Each returns the written object, or undefined if the server
 * refused: the next sync of the object, at the latest after 15 s, tries again. Source: pv_controller.go (v1.34).
 */
export class VolumeWrites {
  readonly #deps: VolumeWritesDeps

  constructor(deps: VolumeWritesDeps) {
    this.#deps = deps
  }

  claimEvent(claim: KubeObject, event: NewEvent): void {
    const { events, causes } = this.#deps
    void events.write(claimResource, claim, event, causes)
  }

  volumeEvent(volume: KubeObject, event: NewEvent): void {
    const { events, causes } = this.#deps
    void events.write(volumeResource, volume, event, causes)
  }

  async updateClaim(claim: KubeObject, subresource?: 'status'): Promise<KubeObject | undefined> {
    const { context, claims, causes } = this.#deps
    const address = { ...addressOf(claimResource, claim), subresource }
    const updated = await context.client.update(address, claim, causes)
    if (!updated.ok) return this.#refused(claim, updated.error.message)
    claims.store(updated.value)
    return updated.value
  }

  async updateVolume(volume: KubeObject, subresource?: 'status'): Promise<KubeObject | undefined> {
    const { context, volumes, causes } = this.#deps
    const address = { ...addressOf(volumeResource, volume), subresource }
    const updated = await context.client.update(address, volume, causes)
    if (!updated.ok) return this.#refused(volume, updated.error.message)
    volumes.store(updated.value)
    return updated.value
  }

  #refused({ metadata }: KubeObject, message: string): undefined {
    const { name } = metadata
    this.#deps.context.log.debug('a write of the volume controller was refused', { name, message })
  }

  /** The volume first, then the claim. */
  async bind(volume: KubeObject, claim: KubeObject): Promise<void> {
    const { volume: next, isChanged } = boundTo(volume, claim)
    const referenced = isChanged ? await this.updateVolume(next) : volume
    if (referenced === undefined) return
    const bound = await this.setVolumePhase(referenced, 'Bound')
    if (bound === undefined) return
    const named = await this.#nameVolume(claim, bound)
    if (named !== undefined) await this.setClaimStatus(named, 'Bound', bound)
  }

  #nameVolume(claim: KubeObject, { metadata }: KubeObject): Promise<KubeObject | undefined> {
    const needsName = volumeNameOf(claim) !== metadata.name
    if (!needsName && hasAnnotation(claim, bindCompletedAnnotation)) return Promise.resolve(claim)
    const marks = {
      ...(needsName ? { [boundByControllerAnnotation]: 'yes' } : {}),
      [bindCompletedAnnotation]: 'yes',
      ...claim.metadata.annotations,
    }
    const spec = { ...specOf(claim), volumeName: metadata.name }
    return this.updateClaim({ ...annotated(claim, marks), spec })
  }

  /** Makes the volume available again; one that a user has reserved stays reserved. */
  async unbind(volume: KubeObject): Promise<void> {
    const { claimRef: _, ...spec } = specOf(volume)
    const { uid: _uid, ...reference } = claimRefOf(volume) ?? {}
    const { [boundByControllerAnnotation]: mark, ...annotations } =
      volume.metadata.annotations ?? {}
    const next =
      mark === undefined
        ? { ...volume, spec: { ...spec, claimRef: reference } }
        : { ...volume, metadata: { ...volume.metadata, annotations }, spec }
    const updated = await this.updateVolume(next)
    if (updated !== undefined) await this.setVolumePhase(updated, 'Available')
  }

  async setVolumePhase(
    volume: KubeObject,
    phase: VolumePhase,
    event?: NewEvent,
  ): Promise<KubeObject | undefined> {
    if (phaseOf(volume) === phase) return volume
    const { message: _, ...status } = objectAt(volume, 'status')
    const message = event === undefined ? {} : { message: event.message }
    const updated = await this.updateVolume(
      { ...volume, status: { ...status, ...message, phase } },
      'status',
    )
    if (updated !== undefined && event !== undefined) this.volumeEvent(updated, event)
    return updated
  }

  async setClaimStatus(
    claim: KubeObject,
    phase: ClaimPhase,
    volume?: KubeObject,
  ): Promise<KubeObject | undefined> {
    const status = nextStatus(claim, phase, volume)
    if (equalJson(status, objectAt(claim, 'status'))) return claim
    return await this.updateClaim({ ...claim, status }, 'status')
  }

  async loseClaim(claim: KubeObject, reason: string, message: string): Promise<void> {
    if (phaseOf(claim) === 'Lost') return
    const lost = await this.setClaimStatus(claim, 'Lost')
    if (lost !== undefined) this.claimEvent(lost, { type: 'Warning', reason, message })
  }
}

function nextStatus(claim: KubeObject, phase: ClaimPhase, volume: KubeObject | undefined) {
  const before = objectAt(claim, 'status')
  const { accessModes: _a, capacity, currentVolumeAttributesClassName, ...rest } = before
  if (volume === undefined) return { ...rest, phase }
  const { accessModes, capacity: offered, volumeAttributesClassName } = specOf(volume)
  const isNew = phaseOf(claim) !== phase
  const wasPending = phaseOf(claim) === 'Pending'
  const known = isJsonObject(capacity) ? parseQuantity(textAt(capacity, 'storage')) : undefined
  const isSameSize = known !== undefined && compareQuantities(known, capacityOf(volume)) === 0
  return defined({
    ...rest,
    phase,
    accessModes,
    // One that is bound already may be smaller than its volume on purpose, while its file system grows.
    capacity: isNew && !isSameSize ? offered : capacity,
    currentVolumeAttributesClassName:
      isNew && wasPending ? volumeAttributesClassName : currentVolumeAttributesClassName,
  })
}
