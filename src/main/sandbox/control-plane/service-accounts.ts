import type { TransportApiClient } from '../../cluster/client/api-client.ts'
import type { Informer } from '../../cluster/informer/informer.ts'
import type { Clock, Log } from '../../kubelet/ports.ts'
import { ControlQueue } from './control-loop.ts'

type Causes = readonly number[]

interface ServiceAccountsDeps {
  readonly client: TransportApiClient
  readonly namespaces: Informer<'namespaces'>
  readonly accounts: Informer<'serviceaccounts'>
  readonly clock: Clock
  readonly log: Log
}

/** Gives every namespace its service account `default`, and a new one when it is deleted. */
export class ServiceAccounts {
  readonly #deps: ServiceAccountsDeps
  readonly #queue: ControlQueue

  constructor(deps: ServiceAccountsDeps) {
    this.#deps = deps
    const { namespaces, accounts } = deps
    const handle = (name: string, causes: Causes): Promise<void> => this.#ensure(name, causes)
    this.#queue = new ControlQueue({ ...deps, handle })
    namespaces.addEventHandler({
      onAdd: ({ metadata }, causes) => {
        this.#queue.add(metadata.name, causes)
      },
    })
    accounts.addEventHandler({
      onDelete: ({ metadata: { namespace = '', name } }, causes) => {
        if (name === 'default') this.#queue.add(namespace, causes)
      },
    })
  }

  stop(): void {
    this.#queue.stop()
  }

  async #ensure(namespace: string, causes: Causes): Promise<void> {
    const { client, namespaces } = this.#deps
    const found = namespaces.get('', namespace)
    if (found === undefined || found.metadata.deletionTimestamp !== undefined) return
    // That it is there already is what every start finds.
    const account = { metadata: { name: 'default' } }
    await client.create({ resource: 'serviceaccounts', namespace }, account, causes)
  }
}
