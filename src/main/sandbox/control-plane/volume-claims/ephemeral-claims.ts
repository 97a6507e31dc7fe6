import { isJsonObject, objectAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject, Pod } from '../../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../../shared/model/trace-event.ts'
import { objectKey } from '../../../cluster/client/resource-paths.ts'
import { claimNames } from '../../auth/pod-references.ts'
import type { ControllerContext } from '../controller.ts'
import { controllerOf } from '../workloads/controller-ref.ts'
import { WorkloadController } from '../workloads/workload-controller.ts'
import type { Outcome } from '../workloads/workload-controller.ts'

const claimResource = 'v1/persistentvolumeclaims'

interface EphemeralVolume {
  readonly name: string
  readonly template: JsonObject
}

function ephemeralVolumes({ spec }: Pod): readonly EphemeralVolume[] {
  return (spec.volumes ?? []).flatMap(({ name, ephemeral }) => {
    if (!isJsonObject(ephemeral)) return []
    return [{ name, template: objectAt(ephemeral, 'volumeClaimTemplate') }]
  })
}

/** Why the claim of an ephemeral volume is not one of the pod; undefined if it is. Source: VolumeIsForPod. */
export function foreignClaimProblem(claim: KubeObject, { metadata }: Pod): string | undefined {
  if (controllerOf(claim)?.uid === metadata.uid) return undefined
  const { namespace = '', name } = claim.metadata
  return `PVC ${namespace}/${name} was not created for pod ${metadata.namespace ?? ''}/${metadata.name} (pod is not owner)`
}

/** Creates the claims of generic ephemeral volumes; the garbage collector deletes them. Source: pkg/controller/volume/ephemeral (v1.34). */
export class EphemeralVolumeController extends WorkloadController {
  constructor(context: ControllerContext) {
    const { pods, claims } = context
    super(context, { component: 'ephemeral_volume', caches: [pods, claims] })
    const enqueue = (pod: Pod, causes: TraceCauses): void => {
      const isGoing = pod.metadata.deletionTimestamp !== undefined
      if (!isGoing && ephemeralVolumes(pod).length > 0)
        this.queue.add(objectKey(pod.metadata), causes)
    }
    pods.addEventHandler({ onAdd: enqueue })
    claims.addEventHandler({
      onDelete: ({ metadata }, causes) => {
        for (const pod of pods.list()) {
          const isUser =
            pod.metadata.namespace === metadata.namespace &&
            claimNames({ ...pod }).includes(metadata.name)
          if (isUser) enqueue(pod, causes)
        }
      },
    })
  }

  protected async reconcile(namespace: string, name: string, causes: TraceCauses) {
    const pod = this.context.pods.get(namespace, name)
    if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return undefined
    for (const volume of ephemeralVolumes(pod)) {
      const failed = await this.#createClaim(pod, volume, causes)
      if (failed === undefined) continue
      const message = `ephemeral volume ${volume.name}: ${failed.message}`
      const event = { type: 'Warning', reason: 'FailedBinding', message } as const
      void this.events.write('pods', pod, event, causes)
      return failed
    }
    return undefined
  }

  async #createClaim(pod: Pod, volume: EphemeralVolume, causes: TraceCauses): Promise<Outcome> {
    const { name: podName, uid, namespace = '' } = pod.metadata
    const name = `${podName}-${volume.name}`
    const present = this.context.claims.get(namespace, name)
    if (present !== undefined) {
      const message = foreignClaimProblem(present, pod)
      return message === undefined ? undefined : { kind: 'unknown', message }
    }
    const owner = { apiVersion: 'v1', kind: 'Pod', name: podName, uid }
    const ownerReferences = [{ ...owner, controller: true, blockOwnerDeletion: true }]
    const { labels, annotations } = objectAt(volume.template, 'metadata')
    const claim = {
      metadata: { name, namespace, labels, annotations, ownerReferences },
      spec: volume.template['spec'],
    }
    const scope = { resource: claimResource, namespace } as const
    const created = await this.context.client.create(scope, claim, causes)
    if (created.ok) return undefined
    return { ...created.error, message: `create PVC ${name}: ${created.error.message}` }
  }
}
