import { objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { KubeObject, Pod } from '../../../shared/kubernetes/objects.ts'
import type { TransportApiClient } from '../../cluster/client/api-client.ts'
import type { Informer } from '../../cluster/informer/informer.ts'
import { addressOf } from '../../cluster/client/resource-paths.ts'
import type { Clock, Log } from '../../kubelet/ports.ts'
import { claimProtection, volumeProtection } from '../registry/storage-class-admission.ts'
import { ControlQueue } from './control-loop.ts'
import type { PodInformer } from './pod-informer.ts'

type Causes = readonly number[]

const claimResource = 'v1/persistentvolumeclaims'
const volumeResource = 'v1/persistentvolumes'

interface VolumeProtectionDeps {
  readonly client: TransportApiClient
  readonly pods: PodInformer
  readonly claims: Informer<typeof claimResource>
  readonly volumes: Informer<typeof volumeResource>
  readonly clock: Clock
  readonly log: Log
}

/** The claims that a pod on a node uses; one that is not bound to a node counts not. */
function claimsOf({ metadata, spec }: Pod): readonly string[] {
  if (!spec.nodeName) return []
  return objectsAt({ ...spec }, 'volumes').map((volume) =>
    volume['ephemeral'] === undefined
      ? textAt(objectAt(volume, 'persistentVolumeClaim'), 'claimName')
      : `${metadata.name}-${textAt(volume, 'name')}`,
  )
}

function isBound(volume: KubeObject): boolean {
  return objectAt({ ...volume }, 'status')['phase'] === 'Bound'
}

/**
 * Lets claims and volumes that are being deleted go: a claim once no pod on a node uses it, a volume once it is not bound.
 * Source: pkg/controller/volume/pvcprotection, pvprotection.
 */
export class VolumeProtection {
  readonly #deps: VolumeProtectionDeps
  readonly #queue: ControlQueue

  constructor(deps: VolumeProtectionDeps) {
    this.#deps = deps
    const handle = (key: string, causes: Causes): Promise<void> => this.#release(key, causes)
    this.#queue = new ControlQueue({ ...deps, handle })
    const look = ({ metadata }: KubeObject, causes: Causes): void => {
      if (metadata.deletionTimestamp === undefined) return
      this.#queue.add(`${metadata.namespace ?? ''}/${metadata.name}`, causes)
    }
    for (const informer of [deps.claims, deps.volumes]) {
      informer.addEventHandler({ onAdd: look, onUpdate: look })
    }
    deps.pods.addEventHandler({
      onDelete: (pod, causes) => {
        for (const name of claimsOf(pod)) {
          const claim = deps.claims.get(pod.metadata.namespace ?? '', name)
          if (claim !== undefined) look(claim, causes)
        }
      },
    })
  }

  stop(): void {
    this.#queue.stop()
  }

  async #release(key: string, causes: Causes): Promise<void> {
    const [namespace = '', name = ''] = key.split('/')
    if (namespace === '') {
      const volume = this.#deps.volumes.get('', name)
      if (volume !== undefined && !isBound(volume))
        await this.#remove(volume, volumeProtection, causes)
      return
    }
    const claim = this.#deps.claims.get(namespace, name)
    if (claim !== undefined && !this.#isUsed(namespace, name)) {
      await this.#remove(claim, claimProtection, causes)
    }
  }

  #isUsed(namespace: string, claim: string): boolean {
    return this.#deps.pods
      .list()
      .some((pod) => pod.metadata.namespace === namespace && claimsOf(pod).includes(claim))
  }

  async #remove(object: KubeObject, finalizer: string, causes: Causes): Promise<void> {
    const { deletionTimestamp, finalizers = [], resourceVersion } = object.metadata
    if (deletionTimestamp === undefined || !finalizers.includes(finalizer)) return
    const rest = finalizers.filter((one) => one !== finalizer)
    const resource = finalizer === volumeProtection ? volumeResource : claimResource
    // With the version: a finalizer that somebody adds meanwhile stays.
    const body = { metadata: { resourceVersion, finalizers: rest } }
    await this.#deps.client.patch(addressOf(resource, object), { type: 'merge', body }, causes)
  }
}
