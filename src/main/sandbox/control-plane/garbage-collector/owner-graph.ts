import type { ObjectMeta, OwnerReference } from '../../../../shared/kubernetes/objects.ts'
import type { AnyResource } from '../../../cluster/client/resource-paths.ts'

/** One object with its owners. */
export interface GraphNode {
  readonly resource: AnyResource
  /** Empty for cluster-scoped objects. */
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly owners: readonly OwnerReference[]
  readonly isDeleting: boolean
  /** It is being deleted, and its dependents first. */
  readonly isDeletingDependents: boolean
  /** It is being deleted, and its dependents lose it as their owner. */
  readonly isOrphaning: boolean
}

export function nodeOf(resource: AnyResource, metadata: ObjectMeta): GraphNode {
  const { namespace = '', name, uid, ownerReferences = [], finalizers = [] } = metadata
  const isDeleting = metadata.deletionTimestamp !== undefined
  return {
    resource,
    namespace,
    name,
    uid,
    owners: ownerReferences,
    isDeleting,
    isDeletingDependents: isDeleting && finalizers.includes('foregroundDeletion'),
    isOrphaning: isDeleting && finalizers.includes('orphan'),
  }
}

/** All objects with the references between them. Source: pkg/controller/garbagecollector/graph_builder.go (v1.34). */
export class OwnerGraph {
  readonly #nodes = new Map<string, GraphNode>()
  /** By the owner's UID, also of owners that are not in the graph. */
  readonly #dependents = new Map<string, Set<string>>()

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid)
  }

  /** Those of a resource. */
  ofResource(resource: AnyResource): readonly GraphNode[] {
    return [...this.#nodes.values()].filter((node) => node.resource === resource)
  }

  put(node: GraphNode): void {
    this.remove(node.uid)
    this.#nodes.set(node.uid, node)
    for (const { uid } of node.owners) {
      const same = this.#dependents.get(uid) ?? new Set<string>()
      this.#dependents.set(uid, same.add(node.uid))
    }
  }

  remove(uid: string): void {
    for (const owner of this.#nodes.get(uid)?.owners ?? []) {
      const same = this.#dependents.get(owner.uid)
      same?.delete(uid)
      if (same?.size === 0) this.#dependents.delete(owner.uid)
    }
    this.#nodes.delete(uid)
  }

  dependentsOf(uid: string): readonly GraphNode[] {
    return [...(this.#dependents.get(uid) ?? [])].flatMap((one) => this.#nodes.get(one) ?? [])
  }

  /** The dependents that keep an owner from being deleted in the foreground. */
  blockingDependentsOf(uid: string): readonly GraphNode[] {
    return this.dependentsOf(uid).filter(({ owners }) =>
      owners.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true),
    )
  }
}
