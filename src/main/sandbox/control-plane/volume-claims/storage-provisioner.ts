import { defined, isJsonObject, listAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject, Node } from '../../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../../shared/model/trace-event.ts'
import { addressOf, objectKey } from '../../../cluster/client/resource-paths.ts'
import type { ControllerContext } from '../controller.ts'
import { WorkloadController } from '../workloads/workload-controller.ts'
import type { Outcome } from '../workloads/workload-controller.ts'
import {
  claimRefTo,
  classOf,
  phaseOf,
  provisionedByAnnotation,
  provisionerAnnotation,
  selectedNodeAnnotation,
  specOf,
  volumeNameOf,
} from './volume-matching.ts'
import { requestedStorage } from '../../registry/claim-strategy.ts'

/** The provisioner of the class `standard`. */
const sandboxProvisioner = 'nodescope.dev/node-folder'

/** Where its volumes are on a node. */
const volumesFolder = '/var/lib/nodescope/volumes'

/** The default class, which a sandbox has from its start, as kind and minikube have one. */
export const standardClass: KubeObject = {
  metadata: {
    name: 'standard',
    uid: '',
    annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
  },
  provisioner: sandboxProvisioner,
  reclaimPolicy: 'Delete',
  volumeBindingMode: 'WaitForFirstConsumer',
}

const hostnameLabel = 'kubernetes.io/hostname'
const oneNodeModes = new Set<unknown>(['ReadWriteOnce', 'ReadWriteOncePod'])

// As sig-storage-lib-external-provisioner's rate limiter.
const backOff = { baseMs: 15_000, maxMs: 1_000_000 }

/**
 * Makes volumes for claims of the class `standard`: each is a folder of the node that the scheduler chose. Deletes them when
 * their claim is gone. It stands in for a provisioner such as local-path-provisioner, and writes the same events.
 */
export class StorageProvisioner extends WorkloadController {
  constructor(context: ControllerContext) {
    const { claims, volumes, storageClasses, nodes } = context
    const caches = [claims, volumes, storageClasses, nodes]
    super(context, { component: sandboxProvisioner, caches, backOff })
    const enqueue = ({ metadata }: KubeObject, causes: TraceCauses): void => {
      this.queue.add(objectKey(metadata), causes)
    }
    for (const informer of [claims, volumes])
      informer.addEventHandler({ onAdd: enqueue, onUpdate: enqueue })
  }

  protected async reconcile(namespace: string, name: string, causes: TraceCauses) {
    const { claims, volumes } = this.context
    if (namespace === '') return await this.#removeReleased(volumes.get('', name), causes)
    const claim = claims.get(namespace, name)
    return claim === undefined ? undefined : await this.#provision(claim, causes)
  }

  async #removeReleased(volume: KubeObject | undefined, causes: TraceCauses): Promise<Outcome> {
    if (volume === undefined || volume.metadata.deletionTimestamp !== undefined) return undefined
    const isOurs = volume.metadata.annotations?.[provisionedByAnnotation] === sandboxProvisioner
    const policy = textAt(specOf(volume), 'persistentVolumeReclaimPolicy')
    if (!isOurs || phaseOf(volume) !== 'Released' || policy !== 'Delete') return undefined
    const { client } = this.context
    const deleted = await client.delete(addressOf('v1/persistentvolumes', volume), {}, causes)
    return deleted.ok || deleted.error.kind === 'not-found' ? undefined : deleted.error
  }

  async #provision(claim: KubeObject, causes: TraceCauses): Promise<Outcome> {
    const { annotations = {}, deletionTimestamp } = claim.metadata
    const isAsked = annotations[provisionerAnnotation] === sandboxProvisioner
    if (!isAsked || volumeNameOf(claim) !== '' || deletionTimestamp !== undefined) return undefined
    const storageClass = this.context.storageClasses.get('', classOf(claim))
    if (storageClass?.['provisioner'] !== sandboxProvisioner) return undefined
    const volumeName = `pvc-${claim.metadata.uid}`
    if (this.context.volumes.get('', volumeName) !== undefined) return undefined
    const write = (type: 'Normal' | 'Warning', reason: string, message: string): void => {
      const event = { type, reason, message }
      void this.events.write('v1/persistentvolumeclaims', claim, event, causes)
    }
    const key = objectKey(claim.metadata)
    const doing = `External provisioner is provisioning volume for claim "${key}"`
    write('Normal', 'Provisioning', doing)
    const node = this.context.nodes.get('', annotations[selectedNodeAnnotation] ?? '')
    const problem = refusal(claim, node)
    if (problem !== undefined || node === undefined) {
      const message = problem ?? ''
      const quoted = JSON.stringify(storageClass.metadata.name)
      const failed = `failed to provision volume with StorageClass ${quoted}: ${message}`
      write('Warning', 'ProvisioningFailed', failed)
      return { kind: 'unknown', message }
    }
    const volume = newVolume(claim, storageClass, node)
    const scope = { resource: 'v1/persistentvolumes' } as const
    const created = await this.context.client.create(scope, volume, causes)
    if (!created.ok && created.error.kind !== 'already-exists') return created.error
    const done = `Successfully provisioned volume ${volumeName}`
    write('Normal', 'ProvisioningSucceeded', done)
    return undefined
  }
}

/** Why no volume can be made; a folder is on one node and no device. */
function refusal(claim: KubeObject, node: Node | undefined): string | undefined {
  const spec = specOf(claim)
  if (isJsonObject(spec['selector'])) return 'claim Selector is not supported'
  if (spec['dataSource'] !== undefined)
    return 'the sandbox does not fill volumes from a data source'
  if (!listAt(spec, 'accessModes').every((mode) => oneNodeModes.has(mode)))
    return 'a folder of a node supports the access modes ReadWriteOnce and ReadWriteOncePod only'
  if (spec['volumeMode'] === 'Block') return 'a folder of a node is no block device'
  if (node === undefined)
    return 'no node was selected; the class needs volumeBindingMode WaitForFirstConsumer'
  return undefined
}

function newVolume(claim: KubeObject, storageClass: KubeObject, node: Node): JsonObject {
  const { namespace = '', name, uid } = claim.metadata
  const { accessModes, volumeMode } = specOf(claim)
  const volumeName = `pvc-${uid}`
  const hostname = node.metadata.labels?.[hostnameLabel] ?? node.metadata.name
  const expression = { key: hostnameLabel, operator: 'In', values: [hostname] }
  return {
    metadata: {
      name: volumeName,
      annotations: { [provisionedByAnnotation]: sandboxProvisioner },
    },
    spec: defined({
      accessModes,
      capacity: { storage: requestedStorage(claim) },
      claimRef: claimRefTo(claim),
      hostPath: {
        path: `${volumesFolder}/${volumeName}_${namespace}_${name}`,
        type: 'DirectoryOrCreate',
      },
      mountOptions: storageClass['mountOptions'],
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [expression] }] } },
      persistentVolumeReclaimPolicy: storageClass['reclaimPolicy'],
      storageClassName: storageClass.metadata.name,
      volumeMode,
    }),
  }
}
