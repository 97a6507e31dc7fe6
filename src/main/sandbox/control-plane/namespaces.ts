import type { Namespace, ObjectMeta } from '../../../shared/kubernetes/objects.ts'
import type { TransportApiClient } from '../../cluster/client/api-client.ts'
import type { Informer } from '../../cluster/informer/informer.ts'
import { addressOf } from '../../cluster/client/resource-paths.ts'
import type { AnyResource } from '../../cluster/client/resource-paths.ts'
import type { Clock, Log } from '../../kubelet/ports.ts'
import { groupVersion } from '../registry/resource-type.ts'
import { resourceTypes } from '../registry/resource-types.ts'
import { ControlQueue } from './control-loop.ts'

type Causes = readonly number[]

const recheckMs = 2000

// Every real server makes these anew when they go: pkg/controlplane systemnamespaces.
const systemNamespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system']

/** What can be created in a namespace. */
const contents = resourceTypes
  .filter((type) => type.namespaced && type.verbs.includes('delete'))
  .map((type): AnyResource => `${groupVersion(type)}/${type.plural}`)

interface Contained {
  readonly metadata: ObjectMeta
}

interface NamespacesDeps {
  readonly client: TransportApiClient
  readonly namespaces: Informer<'namespaces'>
  readonly clock: Clock
  readonly log: Log
}

/**
 * Empties namespaces that are being deleted, and lets them go when nothing is left in them: pods get
 * their grace. Source: pkg/controller/namespace.
 */
export class Namespaces {
  readonly #deps: NamespacesDeps
  readonly #queue: ControlQueue

  constructor(deps: NamespacesDeps) {
    this.#deps = deps
    const handle = (name: string, causes: Causes): Promise<void> => this.#empty(name, causes)
    this.#queue = new ControlQueue({ ...deps, handle })
    const look = ({ metadata }: Namespace, causes: Causes): void => {
      if (metadata.deletionTimestamp !== undefined) this.#queue.add(metadata.name, causes)
    }
    deps.namespaces.addEventHandler({
      onAdd: look,
      onUpdate: look,
      onDelete: ({ metadata }, causes) => void this.#recreate(metadata.name, causes),
    })
  }

  stop(): void {
    this.#queue.stop()
  }

  async #recreate(name: string, causes: Causes): Promise<void> {
    if (!systemNamespaces.includes(name)) return
    await this.#deps.client.create({ resource: 'namespaces' }, { metadata: { name } }, causes)
  }

  async #empty(name: string, causes: Causes): Promise<void> {
    const namespace = this.#deps.namespaces.get('', name)
    if (namespace === undefined || namespace.metadata.deletionTimestamp === undefined) return
    let isEmpty = true
    for (const resource of contents) {
      const objects = await this.#list(resource, name)
      for (const object of objects) await this.#delete(resource, object, causes)
      if (objects.length > 0 && (await this.#list(resource, name)).length > 0) isEmpty = false
    }
    if (isEmpty) await this.#finalize(namespace, causes)
    else this.#queue.addAfter(name, causes, recheckMs)
  }

  async #list(resource: AnyResource, namespace: string): Promise<readonly Contained[]> {
    const listed = await this.#deps.client.list({ resource, namespace })
    return listed.ok ? listed.value : []
  }

  async #delete(resource: AnyResource, object: Contained, causes: Causes): Promise<void> {
    const { uid, deletionTimestamp } = object.metadata
    if (deletionTimestamp !== undefined) return
    const { client } = this.#deps
    await client.delete(addressOf(resource, object), { preconditions: { uid } }, causes)
  }

  async #finalize(namespace: Namespace, causes: Causes): Promise<void> {
    const { finalizers = [] } = namespace.spec ?? {}
    const rest = finalizers.filter((finalizer) => finalizer !== 'kubernetes')
    await this.#deps.client.update(
      { ...addressOf('namespaces', namespace), subresource: 'finalize' },
      { ...namespace, spec: { finalizers: rest } },
      causes,
    )
  }
}
