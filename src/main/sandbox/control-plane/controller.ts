import type { ObjectMeta } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import type { TransportApiClient } from '../../cluster/client/api-client.ts'
import type { Informer } from '../../cluster/informer/informer.ts'
import { addressOf } from '../../cluster/client/resource-paths.ts'
import type { Clock, Log } from '../../kubelet/ports.ts'
import { defaultBackOff, WorkQueue } from './work-queue.ts'
import type { BackOff } from './work-queue.ts'

/** What every controller works with, like kube-controller-manager's ControllerContext: the informers are shared. */
export interface ControllerContext {
  readonly client: TransportApiClient
  readonly clock: Clock
  readonly log: Log
  readonly nodes: Informer<'nodes'>
  /** Indexed by the node that they are bound to, and by their controller (see `controllerIndexOf`). */
  readonly pods: Informer<'pods', 'nodeName' | 'controller'>
  readonly namespaces: Informer<'namespaces'>
  readonly accounts: Informer<'serviceaccounts'>
  readonly secrets: Informer<'secrets'>
  readonly configMaps: Informer<'configmaps'>
  readonly events: Informer<'events'>
  readonly leases: Informer<'leases'>
  readonly budgets: Informer<'poddisruptionbudgets'>
  readonly claims: Informer<'v1/persistentvolumeclaims'>
  readonly volumes: Informer<'v1/persistentvolumes'>
  readonly deployments: Informer<'apps/v1/deployments'>
  readonly replicaSets: Informer<'apps/v1/replicasets', 'controller'>
  readonly statefulSets: Informer<'apps/v1/statefulsets'>
  readonly daemonSets: Informer<'apps/v1/daemonsets'>
  readonly revisions: Informer<'apps/v1/controllerrevisions', 'controller'>
  readonly jobs: Informer<'batch/v1/jobs'>
  readonly cronJobs: Informer<'batch/v1/cronjobs'>
  readonly endpoints: Informer<'v1/endpoints'>
  /** Indexed by the key of their Service. */
  readonly endpointSlices: Informer<'discovery.k8s.io/v1/endpointslices', 'service'>
  readonly replicationControllers: Informer<'v1/replicationcontrollers', 'controller'>
  /** Indexed by their namespace. */
  readonly services: Informer<'services', 'namespace'>
  readonly storageClasses: Informer<'storage.k8s.io/v1/storageclasses'>
  readonly certificateRequests: Informer<'certificates.k8s.io/v1/certificatesigningrequests'>
}

/** A controller with a work queue. Its event handlers add keys to the queue; `sync` handles one key. */
export abstract class Controller {
  protected readonly context: ControllerContext
  protected readonly queue: WorkQueue

  constructor(context: ControllerContext, backOff: BackOff = defaultBackOff) {
    this.context = context
    const handle = (key: string, causes: TraceCauses): Promise<void> => this.sync(key, causes)
    this.queue = new WorkQueue({ ...context, handle, backOff })
  }

  stop(): void {
    this.queue.stop()
  }

  protected abstract sync(key: string, causes: TraceCauses): Promise<void>
}

/** Patches the status of a pod or a node. The server refuses if an object with another UID has taken the name. */
export function patchStatus(
  client: TransportApiClient,
  resource: 'pods' | 'nodes',
  object: { readonly metadata: ObjectMeta },
  status: object,
  causes?: TraceCauses,
): ReturnType<TransportApiClient['patch']> {
  const body = { metadata: { uid: object.metadata.uid }, status }
  const patch = { type: 'strategic', body, subresource: 'status' } as const
  return client.patch(addressOf(resource, object), patch, causes)
}
