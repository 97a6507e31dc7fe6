import type { Log } from '../../kubelet/ports.ts'
import { collectionPath } from './control-client.ts'
import type { ControlClient } from './control-client.ts'
import { ControlQueue } from './control-loop.ts'
import type { WatchCache } from './watch-cache.ts'

/** Gives every namespace its service account `default`, and a new one when it is deleted. */
export class ServiceAccounts {
  readonly #client: ControlClient
  readonly #namespaces: WatchCache
  readonly #queue: ControlQueue

  constructor(deps: {
    readonly client: ControlClient
    readonly namespaces: WatchCache
    readonly accounts: WatchCache
    readonly log: Log
  }) {
    const { client, namespaces, accounts, log } = deps
    this.#client = client
    this.#namespaces = namespaces
    this.#queue = new ControlQueue({ handle: (name, causes) => this.#ensure(name, causes), log })
    namespaces.listen(({ type, object, causes }) => {
      if (type === 'ADDED') this.#queue.add(object.metadata.name, causes)
    })
    accounts.listen(({ type, object, causes }) => {
      const isDefault = object.metadata.name === 'default'
      if (type === 'DELETED' && isDefault) this.#queue.add(object.metadata.namespace ?? '', causes)
    })
  }

  stop(): void {
    this.#queue.stop()
  }

  async #ensure(namespace: string, causes: readonly number[]): Promise<void> {
    const found = this.#namespaces.get('', namespace)
    if (found === undefined || found.metadata.deletionTimestamp !== undefined) return
    // That it is there already is what every start finds.
    await this.#client.create(
      collectionPath('serviceaccounts', namespace),
      { metadata: { name: 'default' } },
      causes,
    )
  }
}
