import { objectAt } from '../../../shared/json.ts'
import type { KubeObject, Pod } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { addressOf, objectKey } from '../../cluster/client/resource-paths.ts'
import { claimNames } from '../auth/pod-references.ts'
import { claimProtection, volumeProtection } from '../admission/storage-class.ts'
import { Controller } from './controller.ts'
import type { ControllerContext } from './controller.ts'

/** The claims that a pod uses; none if it is not bound to a node. */
function claimsOf(pod: Pod): readonly string[] {
  return pod.spec.nodeName ? claimNames({ ...pod }) : []
}

function isBound(volume: KubeObject): boolean {
  return objectAt(volume, 'status')['phase'] === 'Bound'
}

/**
 * Removes the finalizers of claims and volumes that are being deleted: of a claim once no pod on a node uses it, of a volume
 * once it is not bound. Source: pkg/controller/volume/pvcprotection, pvprotection.
 */
export class VolumeProtectionController extends Controller {
  constructor(context: ControllerContext) {
    super(context)
    const enqueue = ({ metadata }: KubeObject, causes: TraceCauses): void => {
      if (metadata.deletionTimestamp !== undefined) this.queue.add(objectKey(metadata), causes)
    }
    for (const informer of [context.claims, context.volumes]) {
      informer.addEventHandler({ onAdd: enqueue, onUpdate: enqueue })
    }
    context.pods.addEventHandler({
      onDelete: (pod, causes) => {
        for (const name of claimsOf(pod)) {
          const claim = context.claims.get(pod.metadata.namespace ?? '', name)
          if (claim !== undefined) enqueue(claim, causes)
        }
      },
    })
  }

  protected async sync(key: string, causes: TraceCauses): Promise<void> {
    const [namespace = '', name = ''] = key.split('/')
    if (namespace === '') {
      const volume = this.context.volumes.get('', name)
      if (volume !== undefined && !isBound(volume))
        await this.#removeFinalizer(volume, volumeProtection, causes)
      return
    }
    const claim = this.context.claims.get(namespace, name)
    if (claim !== undefined && !this.#isUsed(namespace, name)) {
      await this.#removeFinalizer(claim, claimProtection, causes)
    }
  }

  #isUsed(namespace: string, claim: string): boolean {
    return this.context.pods
      .list()
      .some((pod) => pod.metadata.namespace === namespace && claimsOf(pod).includes(claim))
  }

  async #removeFinalizer(
    object: KubeObject,
    finalizer: string,
    causes: TraceCauses,
  ): Promise<void> {
    const { deletionTimestamp, finalizers = [], resourceVersion } = object.metadata
    if (deletionTimestamp === undefined || !finalizers.includes(finalizer)) return
    const rest = finalizers.filter((one) => one !== finalizer)
    const plural = finalizer === volumeProtection ? 'persistentvolumes' : 'persistentvolumeclaims'
    // With the resource version: a finalizer that another client adds meanwhile must not be lost.
    const body = { metadata: { resourceVersion, finalizers: rest } }
    await this.context.client.patch(
      addressOf(`v1/${plural}`, object),
      { type: 'merge', body },
      causes,
    )
  }
}
