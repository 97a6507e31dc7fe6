import type {
  KubeObject,
  ObjectMeta,
  OwnerReference,
} from '../../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../../shared/model/trace-event.ts'
import { err, ok } from '../../../../shared/result.ts'
import type { Result } from '../../../../shared/result.ts'
import { resourceType } from '../../../cluster/client/resource-paths.ts'
import type { AnyResource } from '../../../cluster/client/resource-paths.ts'
import type { ResourceEventHandler } from '../../../cluster/informer/informer.ts'
import type { ApiError, DeleteOptions } from '../../../kubelet/ports.ts'
import { groupVersion } from '../../registry/resource-type.ts'
import type { ResourceRegistry } from '../../registry/resource-registry.ts'
import type { ResourceType } from '../../registry/resource-type.ts'
import { Controller } from '../controller.ts'
import type { ControllerContext } from '../controller.ts'
import type { Outcome } from '../workloads/workload-controller.ts'
import { nodeOf, OwnerGraph } from './owner-graph.ts'
import type { GraphNode } from './owner-graph.ts'

/** The informer of one resource, as far as the garbage collector uses it. */
export interface Monitored {
  readonly resource: AnyResource
  readonly informer: {
    addEventHandler(handler: ResourceEventHandler<{ readonly metadata: ObjectMeta }>): void
    hasSynced(): boolean
  }
}

const syncPollMs = 100

function addressOfNode({ resource, namespace, name }: GraphNode): {
  readonly resource: AnyResource
  readonly name: string
  readonly namespace?: string
} {
  return { resource, name, ...(namespace === '' ? {} : { namespace }) }
}

/** Owners by their state. `waiting`: those that are deleted after their dependents. */
interface Classified {
  readonly solid: readonly OwnerReference[]
  readonly dangling: readonly OwnerReference[]
  readonly waiting: readonly OwnerReference[]
}

/**
 * Deletes objects whose owners are gone, lets owners go that wait for their dependents, and takes owners from dependents that
 * are to stay. Source: pkg/controller/garbagecollector (v1.34).
 */
export class GarbageCollector extends Controller {
  readonly #graph = new OwnerGraph()
  readonly #monitored = new Map<AnyResource, Monitored>()
  readonly #registry: Pick<ResourceRegistry, 'stored'>
  /** Custom kinds that owners had, also those whose definition is gone. */
  readonly #ownerTypes = new Map<string, ResourceType>()

  constructor(
    context: ControllerContext,
    monitored: readonly Monitored[],
    registry: Pick<ResourceRegistry, 'stored'>,
  ) {
    super(context)
    this.#registry = registry
    for (const one of monitored) this.monitor(one)
  }

  /** Takes the objects of one more resource into account. Call it before its informer starts. */
  monitor(monitored: Monitored): void {
    const { resource, informer } = monitored
    this.#monitored.set(resource, monitored)
    const put = ({ metadata }: { readonly metadata: ObjectMeta }, causes: TraceCauses): void => {
      this.#put(nodeOf(resource, metadata), causes)
    }
    informer.addEventHandler({
      onAdd: put,
      onUpdate: put,
      onDelete: ({ metadata }, causes) => {
        this.#remove(metadata.uid, causes)
      },
    })
    this.#rememberTypes()
  }

  /** The resource is no longer served: its objects are gone. */
  forget(resource: AnyResource): void {
    this.#monitored.delete(resource)
    for (const { uid } of this.#graph.ofResource(resource)) this.#remove(uid, [])
  }

  #rememberTypes(): void {
    for (const type of this.#registry.stored)
      if (type.custom !== undefined)
        this.#ownerTypes.set(`${groupVersion(type)} ${type.kind}`, type)
  }

  #put(node: GraphNode, causes: TraceCauses): void {
    const before = this.#graph.get(node.uid)
    this.#graph.put(node)
    if (node.isOrphaning && before?.isOrphaning !== true)
      this.queue.add(`orphan ${node.uid}`, causes)
    if (node.isDeletingDependents && before?.isDeletingDependents !== true) {
      for (const { uid } of this.#graph.dependentsOf(node.uid)) this.#add(uid, causes)
      this.#add(node.uid, causes)
    }
    for (const owner of before?.owners ?? []) this.#onReference(owner, node, causes)
    const hasUnknownOwner = node.owners.some(
      (owner) =>
        !before?.owners.some(({ uid }) => uid === owner.uid) && !this.#isKnown(owner, node),
    )
    if (hasUnknownOwner) this.#add(node.uid, causes)
  }

  /** An owner that waits for its dependents goes on when one of them lets go of it. */
  #onReference(owner: OwnerReference, dependent: GraphNode, causes: TraceCauses): void {
    const after = dependent.owners.find(({ uid }) => uid === owner.uid)
    const isUnblocked =
      after === undefined ||
      (owner.blockOwnerDeletion === true && after.blockOwnerDeletion !== true)
    if (isUnblocked && this.#graph.get(owner.uid)?.isDeletingDependents === true) {
      this.#add(owner.uid, causes)
    }
  }

  /** Whether the graph has the owner as the reference describes it. */
  #isKnown(owner: OwnerReference, dependent: GraphNode): boolean {
    const node = this.#graph.get(owner.uid)
    if (node === undefined) return false
    const { kind, apiVersion } = resourceType(node.resource)
    return (
      node.name === owner.name &&
      kind === owner.kind &&
      apiVersion === owner.apiVersion &&
      (node.namespace === '' || node.namespace === dependent.namespace)
    )
  }

  #remove(uid: string, causes: TraceCauses): void {
    const node = this.#graph.get(uid)
    const dependents = this.#graph.dependentsOf(uid)
    this.#graph.remove(uid)
    this.queue.forget(`delete ${uid}`)
    for (const dependent of dependents) this.#add(dependent.uid, causes)
    for (const owner of node?.owners ?? []) {
      if (this.#graph.get(owner.uid)?.isDeletingDependents === true) this.#add(owner.uid, causes)
    }
  }

  #add(uid: string, causes: TraceCauses): void {
    this.queue.add(`delete ${uid}`, causes)
  }

  protected async sync(key: string, causes: TraceCauses): Promise<void> {
    if (![...this.#monitored.values()].every(({ informer }) => informer.hasSynced())) {
      this.queue.addAfter(key, causes, syncPollMs)
      return
    }
    const [act, uid = ''] = key.split(' ', 2)
    const node = this.#graph.get(uid)
    if (node === undefined) {
      this.queue.forget(key)
      return
    }
    const error =
      act === 'orphan' ? await this.#orphan(node, causes) : await this.#collect(node, causes)
    if (error === undefined || error.kind === 'not-found') this.queue.forget(key)
    else this.queue.addRateLimited(key, causes)
  }

  /** Takes an owner from its dependents, then lets the owner go. */
  async #orphan(owner: GraphNode, causes: TraceCauses): Promise<Outcome> {
    const dependents = this.#graph.dependentsOf(owner.uid)
    const outcomes = await Promise.all(
      dependents.map((dependent) => this.#removeOwners(dependent, [owner.uid], causes)),
    )
    const failed = outcomes.find((error) => error !== undefined && error.kind !== 'not-found')
    return failed ?? (await this.#removeFinalizer(owner, 'orphan', causes))
  }

  async #removeOwners(
    node: GraphNode,
    uids: readonly string[],
    causes: TraceCauses,
  ): Promise<Outcome> {
    if (this.#isCustom(node)) {
      return await this.#mergeOwners(
        node,
        (owners) => owners.filter(({ uid }) => !uids.includes(uid)),
        causes,
      )
    }
    const ownerReferences = uids.map((uid) => ({ $patch: 'delete', uid }))
    const body = { metadata: { uid: node.uid, ownerReferences } }
    const patch = { type: 'strategic', body } as const
    const patched = await this.context.client.patch(addressOfNode(node), patch, causes)
    return patched.ok ? undefined : patched.error
  }

  #isCustom({ resource }: GraphNode): boolean {
    return [...this.#ownerTypes.values()].some(
      (type) => resource === `${groupVersion(type)}/${type.plural}`,
    )
  }

  /** Custom kinds have no strategic merge patch. Source: pkg/controller/garbagecollector/patch.go. */
  #mergeOwners(
    node: GraphNode,
    change: (owners: readonly OwnerReference[]) => readonly OwnerReference[],
    causes: TraceCauses,
  ): Promise<Outcome> {
    const changed = ({ uid, ownerReferences = [] }: ObjectMeta): Partial<ObjectMeta> => ({
      uid,
      ownerReferences: change(ownerReferences),
    })
    return this.#mergeMetadata(node, changed, causes)
  }

  #removeFinalizer(node: GraphNode, finalizer: string, causes: TraceCauses): Promise<Outcome> {
    const changed = ({ finalizers = [] }: ObjectMeta): Partial<ObjectMeta> | undefined =>
      finalizers.includes(finalizer)
        ? { finalizers: finalizers.filter((one) => one !== finalizer) }
        : undefined
    return this.#mergeMetadata(node, changed, causes)
  }

  /** Writes what `change` makes of the latest metadata of this very object; undefined: nothing to write. */
  async #mergeMetadata(
    node: GraphNode,
    change: (latest: ObjectMeta) => Partial<ObjectMeta> | undefined,
    causes: TraceCauses,
  ): Promise<Outcome> {
    const { client } = this.context
    const address = addressOfNode(node)
    const latest = await client.get(address)
    if (!latest.ok) return latest.error
    const { uid, resourceVersion } = latest.value.metadata
    const changed = uid === node.uid ? change(latest.value.metadata) : undefined
    if (changed === undefined) return undefined
    const body = { metadata: { resourceVersion, ...changed } }
    const patched = await client.patch(address, { type: 'merge', body }, causes)
    return patched.ok ? undefined : patched.error
  }

  async #collect(node: GraphNode, causes: TraceCauses): Promise<Outcome> {
    if (node.isDeletingDependents) return await this.#processDeletingDependents(node, causes)
    if (node.isDeleting) return undefined
    const { client } = this.context
    // The graph may be stale, and a deletion cannot be undone.
    const latest = await client.get(addressOfNode(node))
    if (!latest.ok) return latest.error
    const { uid, ownerReferences = [] } = latest.value.metadata
    if (uid !== node.uid || ownerReferences.length === 0) return undefined
    const classified = await this.#classify(node, ownerReferences)
    if (!classified.ok) return classified.error
    return await this.#act(node, latest.value, classified.value, causes)
  }

  async #act(
    node: GraphNode,
    { metadata }: { readonly metadata: ObjectMeta },
    { solid, dangling, waiting }: Classified,
    causes: TraceCauses,
  ): Promise<Outcome> {
    if (solid.length > 0) {
      const uids = [...dangling, ...waiting].map(({ uid }) => uid)
      return uids.length === 0 ? undefined : await this.#removeOwners(node, uids, causes)
    }
    const dependents = this.#graph.dependentsOf(node.uid)
    if (waiting.length > 0 && dependents.length > 0) {
      if (dependents.some((one) => one.isDeletingDependents)) {
        const failed = await this.#unblockOwners(node, causes)
        if (failed !== undefined) return failed
      }
      return await this.#delete(node, metadata, 'Foreground', causes)
    }
    const { finalizers = [] } = metadata
    const policy = finalizers.includes('orphan')
      ? 'Orphan'
      : finalizers.includes('foregroundDeletion')
        ? 'Foreground'
        : 'Background'
    return await this.#delete(node, metadata, policy, causes)
  }

  /** A possible circle: the object must not block its owners. */
  async #unblockOwners(node: GraphNode, causes: TraceCauses): Promise<Outcome> {
    const unblocked = (owners: readonly OwnerReference[]): readonly OwnerReference[] =>
      owners.map((owner) =>
        owner.blockOwnerDeletion === true ? { ...owner, blockOwnerDeletion: false } : owner,
      )
    if (this.#isCustom(node)) return await this.#mergeOwners(node, unblocked, causes)
    const ownerReferences = node.owners
      .filter((owner) => owner.blockOwnerDeletion === true)
      .map((owner) => ({ ...owner, blockOwnerDeletion: false }))
    const body = { metadata: { uid: node.uid, ownerReferences } }
    const patch = { type: 'strategic', body } as const
    const patched = await this.context.client.patch(addressOfNode(node), patch, causes)
    return patched.ok ? undefined : patched.error
  }

  async #delete(
    node: GraphNode,
    { resourceVersion }: ObjectMeta,
    propagationPolicy: DeleteOptions['propagationPolicy'] & string,
    causes: TraceCauses,
  ): Promise<Outcome> {
    const preconditions = {
      uid: node.uid,
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    }
    const options = { preconditions, propagationPolicy }
    const deleted = await this.context.client.delete(addressOfNode(node), options, causes)
    return deleted.ok ? undefined : deleted.error
  }

  async #processDeletingDependents(owner: GraphNode, causes: TraceCauses): Promise<Outcome> {
    const blocking = this.#graph.blockingDependentsOf(owner.uid)
    if (blocking.length === 0)
      return await this.#removeFinalizer(owner, 'foregroundDeletion', causes)
    for (const { uid, isDeletingDependents } of blocking) {
      if (!isDeletingDependents) this.#add(uid, causes)
    }
    return undefined
  }

  async #classify(
    node: GraphNode,
    owners: readonly OwnerReference[],
  ): Promise<Result<Classified, ApiError>> {
    const [solid, dangling, waiting]: [OwnerReference[], OwnerReference[], OwnerReference[]] = [
      [],
      [],
      [],
    ]
    for (const owner of owners) {
      const found = await this.#find(node, owner)
      if (!found.ok) return found
      if (found.value === undefined) dangling.push(owner)
      else if (nodeOf(node.resource, found.value.metadata).isDeletingDependents) waiting.push(owner)
      else solid.push(owner)
    }
    return ok({ solid, dangling, waiting })
  }

  /** The owner as the server has it; undefined if it is gone, or another object has its name. */
  async #find(
    { namespace }: GraphNode,
    { apiVersion, kind, name, uid }: OwnerReference,
  ): Promise<Result<KubeObject | undefined, ApiError>> {
    const type =
      this.#registry.stored.find((one) => one.kind === kind && groupVersion(one) === apiVersion) ??
      this.#ownerTypes.get(`${apiVersion} ${kind}`)
    if (type === undefined) {
      const message = `no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`
      return err({ kind: 'unknown', message })
    }
    // A reference that can never be right: the object stays, and no retry follows.
    if (type.namespaced && namespace === '')
      return err({ kind: 'not-found', message: 'a namespaced owner' })
    const resource: AnyResource = `${groupVersion(type)}/${type.plural}`
    const found = await this.context.client.get({
      resource,
      name,
      ...(type.namespaced ? { namespace } : {}),
    })
    if (found.ok) return ok(found.value.metadata.uid === uid ? found.value : undefined)
    return found.error.kind === 'not-found' ? ok(undefined) : found
  }
}
