import type { ObjectMeta, OwnerReference } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { Controller } from './controller.ts'
import type { ControllerContext } from './controller.ts'

function nodeOwners({ ownerReferences = [] }: ObjectMeta): readonly OwnerReference[] {
  return ownerReferences.filter((owner) => owner.kind === 'Node' && owner.apiVersion === 'v1')
}

/** The resources whose objects a node can own. */
const dependents = ['pods', 'leases'] as const

/**
 * Deletes the mirror pods (with their grace period) and leases of a deleted node. Owners of other kinds do not exist in the
 * sandbox. Source: pkg/controller/garbagecollector; mirror-pods#scenarios.
 */
export class GarbageCollector extends Controller {
  constructor(context: ControllerContext) {
    super(context)
    context.nodes.addEventHandler({
      onDelete: ({ metadata }, causes) => {
        this.#onNodeDeleted(metadata.uid, causes)
      },
    })
    for (const resource of dependents) {
      context[resource].addEventHandler({
        // An object can be created after its owner was deleted.
        onAdd: ({ metadata }, causes) => {
          if (nodeOwners(metadata).length > 0) this.#add(resource, metadata, causes)
        },
      })
    }
  }

  #add(resource: string, { namespace = '', name }: ObjectMeta, causes: TraceCauses): void {
    this.queue.add(`${namespace} ${name} ${resource}`, causes)
  }

  #onNodeDeleted(uid: string, causes: TraceCauses): void {
    for (const resource of dependents) {
      for (const { metadata } of this.context[resource].list()) {
        const isOwned = nodeOwners(metadata).some((owner) => owner.uid === uid)
        if (isOwned) this.#add(resource, metadata, causes)
      }
    }
  }

  protected async sync(key: string, causes: TraceCauses): Promise<void> {
    const [namespace = '', name = '', plural] = key.split(' ', 3)
    const resource = plural === 'pods' ? 'pods' : 'leases'
    const object = this.context[resource].get(namespace, name)
    if (object === undefined || object.metadata.deletionTimestamp !== undefined) return
    const { uid, ownerReferences = [] } = object.metadata
    for (const owner of ownerReferences) if (await this.#exists(owner)) return
    const { client } = this.context
    await client.delete({ resource, namespace, name }, { preconditions: { uid } }, causes)
  }

  /** Reads the server: the cache may be stale, and a deletion cannot be undone. */
  async #exists(owner: OwnerReference): Promise<boolean> {
    if (owner.kind !== 'Node') return true
    const node = await this.context.client.get({ resource: 'nodes', name: owner.name })
    if (node.ok) return node.value.metadata.uid === owner.uid
    return node.error.kind !== 'not-found'
  }
}
