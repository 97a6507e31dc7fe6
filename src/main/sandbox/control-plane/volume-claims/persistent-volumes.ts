import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../../shared/model/trace-event.ts'
import { objectKey } from '../../../cluster/client/resource-paths.ts'
import { Controller } from '../controller.ts'
import type { ControllerContext } from '../controller.ts'
import { EventWriter } from '../event-writer.ts'
import { repeat } from '../work-queue.ts'
import { syncClaim } from './claim-sync.ts'
import { ObjectCache } from './object-cache.ts'
import { claimRefOf, volumeNameOf } from './volume-matching.ts'
import { syncVolume } from './volume-sync.ts'
import { VolumeWrites } from './volume-writes.ts'
import { textAt } from '../../../../shared/json.ts'

const syncPollMs = 100
/** --pvclaimbinder-sync-period */
const resyncMs = 15_000

/**
 * Binds claims to volumes, says why a claim is pending, and releases the volumes of claims that are gone. The key of a claim is
 * `namespace/name`, of a volume `/name`. Source: pkg/controller/volume/persistentvolume (v1.34).
 */
export class PersistentVolumeController extends Controller {
  readonly #events: EventWriter
  readonly #claims = new ObjectCache()
  readonly #volumes = new ObjectCache()
  readonly #stopResync: () => void
  #isFilled = false

  constructor(context: ControllerContext) {
    super(context)
    this.#events = new EventWriter({ ...context, component: 'persistentvolume-controller' })
    const enqueue = ({ metadata }: KubeObject, causes: TraceCauses): void => {
      this.queue.add(objectKey(metadata), causes)
    }
    for (const informer of [context.claims, context.volumes]) {
      informer.addEventHandler({ onAdd: enqueue, onUpdate: enqueue, onDelete: enqueue })
    }
    this.#stopResync = repeat(context, resyncMs, () => {
      for (const { metadata } of [...context.claims.list(), ...context.volumes.list()])
        this.queue.add(objectKey(metadata), [])
      return Promise.resolve()
    })
  }

  override stop(): void {
    this.#stopResync()
    super.stop()
  }

  protected async sync(key: string, causes: TraceCauses): Promise<void> {
    if (!this.#fillCaches()) {
      this.queue.addAfter(key, causes, syncPollMs)
      return
    }
    const [namespace = '', name = ''] = key.split('/')
    const { claims, volumes } = this.context
    if (namespace === '') await this.#syncVolume(volumes.get('', name), key, causes)
    else await this.#syncClaim(claims.get(namespace, name), key, causes)
  }

  /** With all objects, before the first sync. False while the informers lack them. */
  #fillCaches(): boolean {
    if (this.#isFilled) return true
    const { claims, volumes, storageClasses, pods } = this.context
    if (![claims, volumes, storageClasses, pods].every((informer) => informer.hasSynced()))
      return false
    for (const claim of claims.list()) this.#claims.store(claim)
    for (const volume of volumes.list()) this.#volumes.store(volume)
    this.#isFilled = true
    return true
  }

  #writes(causes: TraceCauses): VolumeWrites {
    return new VolumeWrites({
      context: this.context,
      events: this.#events,
      claims: this.#claims,
      volumes: this.#volumes,
      causes,
    })
  }

  async #syncClaim(claim: KubeObject | undefined, key: string, causes: TraceCauses) {
    if (claim !== undefined) {
      if (!this.#claims.store(claim)) return
      const writes = this.#writes(causes)
      await syncClaim(claim, { context: this.context, writes, volumes: this.#volumes })
      return
    }
    const before = this.#claims.get(key)
    this.#claims.delete(key)
    const volume = before === undefined ? '' : volumeNameOf(before)
    if (volume !== '') this.queue.add(`/${volume}`, causes)
  }

  async #syncVolume(volume: KubeObject | undefined, key: string, causes: TraceCauses) {
    if (volume !== undefined) {
      if (!this.#volumes.store(volume)) return
      await syncVolume(volume, {
        context: this.context,
        writes: this.#writes(causes),
        claims: this.#claims,
        causes,
        enqueueClaim: (claim) => {
          this.queue.add(claim, causes)
        },
      })
      return
    }
    const before = this.#volumes.get(key)
    this.#volumes.delete(key)
    const reference = before === undefined ? undefined : claimRefOf(before)
    if (reference === undefined) return
    const claim = `${textAt(reference, 'namespace')}/${textAt(reference, 'name')}`
    this.queue.add(claim, causes)
  }
}
