import type { Namespace, ObjectMeta } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { addressOf } from '../../cluster/client/resource-paths.ts'
import type { AnyResource } from '../../cluster/client/resource-paths.ts'
import type { ResourceRegistry } from '../registry/resource-registry.ts'
import { groupVersion } from '../registry/resource-type.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { resourceTypes } from '../registry/resource-types.ts'
import { Controller } from './controller.ts'
import type { ControllerContext } from './controller.ts'

const recheckMs = 2000

// A real server recreates these after their deletion: pkg/controlplane/controller/systemnamespaces.
const systemNamespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system']

function isContained(type: ResourceType): boolean {
  return type.namespaced && type.verbs.includes('delete')
}

function pathOf(type: ResourceType): AnyResource {
  return `${groupVersion(type)}/${type.plural}`
}

const builtInResources = resourceTypes.filter(isContained).map(pathOf)

interface Contained {
  readonly metadata: ObjectMeta
}

/**
 * Deletes everything in namespaces that are being deleted, pods with their grace period, and then finalizes the namespaces.
 * Source: pkg/controller/namespace.
 */
export class NamespaceController extends Controller {
  readonly #registry: Pick<ResourceRegistry, 'custom'>

  constructor(context: ControllerContext, registry: Pick<ResourceRegistry, 'custom'>) {
    super(context)
    this.#registry = registry
    const enqueue = ({ metadata }: Namespace, causes: TraceCauses): void => {
      if (metadata.deletionTimestamp !== undefined) this.queue.add(metadata.name, causes)
    }
    context.namespaces.addEventHandler({
      onAdd: enqueue,
      onUpdate: enqueue,
      onDelete: ({ metadata }, causes) => void this.#recreate(metadata.name, causes),
    })
  }

  /** The resources that a namespace can contain. */
  get #resources(): readonly AnyResource[] {
    return [...builtInResources, ...this.#registry.custom.filter(isContained).map(pathOf)]
  }

  async #recreate(name: string, causes: TraceCauses): Promise<void> {
    if (!systemNamespaces.includes(name)) return
    await this.context.client.create({ resource: 'namespaces' }, { metadata: { name } }, causes)
  }

  protected async sync(name: string, causes: TraceCauses): Promise<void> {
    const namespace = this.context.namespaces.get('', name)
    if (namespace === undefined || namespace.metadata.deletionTimestamp === undefined) return
    let isEmpty = true
    for (const resource of this.#resources) {
      const objects = await this.#list(resource, name)
      for (const object of objects) await this.#delete(resource, object, causes)
      if (objects.length > 0 && (await this.#list(resource, name)).length > 0) isEmpty = false
    }
    if (isEmpty) await this.#finalize(namespace, causes)
    else this.queue.addAfter(name, causes, recheckMs)
  }

  async #list(resource: AnyResource, namespace: string): Promise<readonly Contained[]> {
    const listed = await this.context.client.list({ resource, namespace })
    return listed.ok ? listed.value : []
  }

  async #delete(resource: AnyResource, object: Contained, causes: TraceCauses): Promise<void> {
    const { uid, deletionTimestamp } = object.metadata
    if (deletionTimestamp !== undefined) return
    const { client } = this.context
    await client.delete(addressOf(resource, object), { preconditions: { uid } }, causes)
  }

  async #finalize(namespace: Namespace, causes: TraceCauses): Promise<void> {
    const { finalizers = [] } = namespace.spec ?? {}
    const rest = finalizers.filter((finalizer) => finalizer !== 'kubernetes')
    await this.context.client.update(
      { ...addressOf('namespaces', namespace), subresource: 'finalize' },
      { ...namespace, spec: { finalizers: rest } },
      causes,
    )
  }
}
