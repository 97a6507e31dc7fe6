import type { ObjectMeta, OwnerReference } from '../../../shared/kubernetes/objects.ts'
import type { TransportApiClient } from '../../cluster/client/api-client.ts'
import type { Informer } from '../../cluster/informer/informer.ts'
import type { Clock, Log } from '../../kubelet/ports.ts'
import { ControlQueue } from './control-loop.ts'
import type { PodInformer } from './pod-informer.ts'

type Causes = readonly number[]

function nodeOwners({ ownerReferences = [] }: ObjectMeta): readonly OwnerReference[] {
  return ownerReferences.filter((owner) => owner.kind === 'Node' && owner.apiVersion === 'v1')
}

interface GarbageCollectorDeps {
  readonly client: TransportApiClient
  readonly nodes: Informer<'nodes'>
  /** What may belong to a node. */
  readonly pods: PodInformer
  readonly leases: Informer<'leases'>
  readonly clock: Clock
  readonly log: Log
}

const dependents = ['pods', 'leases'] as const

/**
 * Deletes what belongs to a node that is gone: mirror pods (with their grace) and leases. Owners of
 * other kinds do not exist here. Source: pkg/controller/garbagecollector; mirror-pods#scenarios.
 */
export class GarbageCollector {
  readonly #deps: GarbageCollectorDeps
  readonly #queue: ControlQueue

  constructor(deps: GarbageCollectorDeps) {
    this.#deps = deps
    const handle = (key: string, causes: Causes): Promise<void> => this.#collect(key, causes)
    this.#queue = new ControlQueue({ ...deps, handle })
    deps.nodes.addEventHandler({
      onDelete: ({ metadata }, causes) => {
        this.#onNodeGone(metadata.uid, causes)
      },
    })
    for (const resource of dependents) {
      deps[resource].addEventHandler({
        // It may be created after its owner went.
        onAdd: ({ metadata }, causes) => {
          if (nodeOwners(metadata).length > 0) this.#add(resource, metadata, causes)
        },
      })
    }
  }

  stop(): void {
    this.#queue.stop()
  }

  #add(resource: string, { namespace = '', name }: ObjectMeta, causes: Causes): void {
    this.#queue.add(`${namespace} ${name} ${resource}`, causes)
  }

  #onNodeGone(uid: string, causes: Causes): void {
    for (const resource of dependents) {
      for (const { metadata } of this.#deps[resource].list()) {
        const isOwned = nodeOwners(metadata).some((owner) => owner.uid === uid)
        if (isOwned) this.#add(resource, metadata, causes)
      }
    }
  }

  async #collect(key: string, causes: Causes): Promise<void> {
    const [namespace = '', name = '', plural] = key.split(' ', 3)
    const resource = plural === 'pods' ? 'pods' : 'leases'
    const object = this.#deps[resource].get(namespace, name)
    if (object === undefined || object.metadata.deletionTimestamp !== undefined) return
    const { uid, ownerReferences = [] } = object.metadata
    for (const owner of ownerReferences) if (await this.#exists(owner)) return
    const { client } = this.#deps
    await client.delete({ resource, namespace, name }, { preconditions: { uid } }, causes)
  }

  /** Asked of the server: a cache may be behind, and a deletion cannot be taken back. */
  async #exists(owner: OwnerReference): Promise<boolean> {
    if (owner.kind !== 'Node') return true
    const node = await this.#deps.client.get({ resource: 'nodes', name: owner.name })
    if (node.ok) return node.value.metadata.uid === owner.uid
    return node.error.kind !== 'not-found'
  }
}
