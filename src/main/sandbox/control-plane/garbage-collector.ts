import type { KubeObject, OwnerReference } from '../../../shared/kubernetes/objects.ts'
import type { Log } from '../../kubelet/ports.ts'
import { collectionPath, placeOf } from './control-client.ts'
import type { ControlClient } from './control-client.ts'
import { ControlQueue } from './control-loop.ts'
import type { WatchCache } from './watch-cache.ts'

type Causes = readonly number[]

function nodeOwners(object: KubeObject): readonly OwnerReference[] {
  const owners = object.metadata.ownerReferences ?? []
  return owners.filter((owner) => owner.kind === 'Node' && owner.apiVersion === 'v1')
}

/**
 * Deletes what belongs to a node that is gone: mirror pods (with their grace) and leases. Owners of
 * other kinds do not exist here. Source: pkg/controller/garbagecollector; semantics 3.4.
 */
export class GarbageCollector {
  readonly #client: ControlClient
  readonly #queue: ControlQueue
  readonly #caches: ReadonlyMap<string, WatchCache>

  constructor(deps: {
    readonly client: ControlClient
    readonly nodes: WatchCache
    /** What may belong to a node, by resource. */
    readonly dependents: ReadonlyMap<string, WatchCache>
    readonly log: Log
  }) {
    const { client, nodes, dependents, log } = deps
    this.#client = client
    this.#caches = dependents
    this.#queue = new ControlQueue({ handle: (key, causes) => this.#collect(key, causes), log })
    nodes.listen(({ type, object, causes }) => {
      if (type === 'DELETED') this.#onNodeGone(object.metadata.uid, causes)
    })
    for (const [resource, cache] of dependents) {
      // Somebody may create it after its owner went.
      cache.listen(({ type, object, causes }) => {
        if (type === 'ADDED' && nodeOwners(object).length > 0) this.#add(resource, object, causes)
      })
    }
  }

  stop(): void {
    this.#queue.stop()
  }

  #add(resource: string, { metadata }: KubeObject, causes: Causes): void {
    this.#queue.add(`${metadata.namespace ?? ''} ${metadata.name} ${resource}`, causes)
  }

  #onNodeGone(uid: string, causes: Causes): void {
    for (const [resource, cache] of this.#caches) {
      for (const object of cache.list()) {
        const isOwned = nodeOwners(object).some((owner) => owner.uid === uid)
        if (isOwned) this.#add(resource, object, causes)
      }
    }
  }

  async #collect(key: string, causes: Causes): Promise<void> {
    const [namespace = '', name = '', resource = ''] = key.split(' ', 3)
    const object = this.#caches.get(resource)?.get(namespace, name)
    if (object === undefined || object.metadata.deletionTimestamp !== undefined) return
    const owners = object.metadata.ownerReferences ?? []
    for (const owner of owners) if (await this.#exists(owner)) return
    const { uid } = object.metadata
    await this.#client.delete(placeOf(resource, object), { uid, causes })
  }

  /** Asked of the server: a cache may be behind, and a deletion cannot be taken back. */
  async #exists(owner: OwnerReference): Promise<boolean> {
    if (owner.kind !== 'Node') return true
    const collection = collectionPath('nodes', undefined)
    const node = await this.#client.get({ collection, name: owner.name })
    if (node.ok) return node.value.metadata.uid === owner.uid
    return node.error.code !== 404
  }
}
