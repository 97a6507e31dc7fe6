import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import type { Clock, Log } from '../../kubelet/ports.ts'
import { groupVersion, resourceTypes } from '../resource-types.ts'
import { fieldOf } from '../strategy.ts'
import { listAt } from '../../../shared/json.ts'
import { collectionPath, placeOf } from './control-client.ts'
import type { ControlClient } from './control-client.ts'
import { ControlQueue } from './control-loop.ts'
import type { WatchCache } from './watch-cache.ts'

type Causes = readonly number[]

const recheckMs = 2000

// Every real server makes these anew when they go: pkg/controlplane systemnamespaces.
const systemNamespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system']

/** What can be created in a namespace, as `group/version/plural`. */
const contents = resourceTypes
  .filter((type) => type.namespaced && type.verbs.includes('delete'))
  .map((type) => (type.group === '' ? type.plural : `${groupVersion(type)}/${type.plural}`))

/**
 * Empties namespaces that are being deleted, and lets them go when nothing is left in them: pods get
 * their grace. Source: pkg/controller/namespace.
 */
export class Namespaces {
  readonly #client: ControlClient
  readonly #namespaces: WatchCache
  readonly #clock: Clock
  readonly #queue: ControlQueue
  readonly #rechecks = new Set<() => void>()

  constructor(deps: {
    readonly client: ControlClient
    readonly namespaces: WatchCache
    readonly clock: Clock
    readonly log: Log
  }) {
    const { client, namespaces, clock, log } = deps
    this.#client = client
    this.#namespaces = namespaces
    this.#clock = clock
    this.#queue = new ControlQueue({ handle: (name, causes) => this.#empty(name, causes), log })
    namespaces.listen(({ type, object, causes }) => {
      const { name, deletionTimestamp } = object.metadata
      if (type === 'DELETED') void this.#recreate(name, causes)
      else if (deletionTimestamp !== undefined) this.#queue.add(name, causes)
    })
  }

  stop(): void {
    this.#queue.stop()
    for (const cancel of this.#rechecks) cancel()
  }

  async #recreate(name: string, causes: Causes): Promise<void> {
    if (!systemNamespaces.includes(name)) return
    await this.#client.create(
      collectionPath('namespaces', undefined),
      { metadata: { name } },
      causes,
    )
  }

  async #empty(name: string, causes: Causes): Promise<void> {
    const namespace = this.#namespaces.get('', name)
    if (namespace === undefined || namespace.metadata.deletionTimestamp === undefined) return
    let isEmpty = true
    for (const resource of contents) {
      const collection = collectionPath(resource, name)
      const objects = await this.#client.list(collection)
      for (const object of objects) await this.#delete(resource, object, causes)
      if (objects.length > 0 && (await this.#client.list(collection)).length > 0) isEmpty = false
    }
    if (isEmpty) await this.#finalize(namespace, causes)
    else this.#recheck(name, causes)
  }

  async #delete(resource: string, object: KubeObject, causes: Causes): Promise<void> {
    if (object.metadata.deletionTimestamp !== undefined) return
    const { uid } = object.metadata
    await this.#client.delete(placeOf(resource, object), { uid, causes })
  }

  #recheck(name: string, causes: Causes): void {
    const cancel = this.#clock.after(recheckMs, () => {
      this.#rechecks.delete(cancel)
      this.#queue.add(name, causes)
    })
    this.#rechecks.add(cancel)
  }

  async #finalize(namespace: KubeObject, causes: Causes): Promise<void> {
    const { name } = namespace.metadata
    const finalizers = listAt(fieldOf(namespace, 'spec'), 'finalizers')
    const rest = finalizers.filter((finalizer) => finalizer !== 'kubernetes')
    await this.#client.update(
      `${collectionPath('namespaces', undefined)}/${name}/finalize`,
      { ...namespace, spec: { finalizers: rest } },
      causes,
    )
  }
}
