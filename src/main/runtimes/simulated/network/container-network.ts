import type { WorkingFolder } from '../files/working-folder.ts'
import type { Connection, NetworkPlace } from './connection.ts'
import { connectionTo } from './connection.ts'
import type { Listener, PortOwner } from './listener.ts'

const localhost = '127.0.0.1'

/** The network as the processes of a container see it. */
export class ContainerNetwork {
  readonly #place: NetworkPlace
  readonly #namespace: string
  readonly #owner: PortOwner

  constructor(deps: {
    readonly place: NetworkPlace
    readonly namespace: string
    readonly owner: PortOwner
  }) {
    this.#owner = deps.owner
    this.#place = deps.place
    this.#namespace = deps.namespace
  }

  /** As other pods see it. */
  get address(): string {
    return this.#place.address ?? localhost
  }

  /** The addresses of a name: those in /etc/hosts, else those of the cluster's services. An address is its own. */
  resolve(name: string, files: WorkingFolder): readonly string[] {
    if (/^[\d.]+$|:/.test(name)) return [name]
    const hosts = files.text('/etc/hosts')
    for (const line of hosts.ok ? hosts.value.split('\n') : []) {
      const [address = '', ...names] = line.replace(/#.*/, '').split(/\s+/)
      if (names.includes(name)) return [address]
    }
    return name === 'localhost' ? [localhost] : this.lookUp(name)
  }

  /** The addresses that the cluster's DNS has for a name. */
  lookUp(name: string): readonly string[] {
    return this.#place.network.services.lookUp(name, this.#namespace)
  }

  connect(address: string, port: number): Connection {
    return connectionTo(this.#place, address, port)
  }

  /** See OpenPorts. */
  open(port: number, listener: Listener): (() => void) | undefined {
    return this.#place.ports.open(port, listener, this.#owner)
  }
}
