import type { OpenPorts } from './listener.ts'

/** What the cluster's DNS and services do for pods. */
export interface ServiceDirectory {
  /** The addresses of a name such as `web`, `web.default.svc` or `web.default.svc.cluster.local`. */
  readonly lookUp: (name: string, namespace: string) => readonly string[]
  /** Where a service's address leads; empty: no pod is ready; undefined: not an address of a service. */
  readonly endpointsOf: (address: string, port: number) => readonly Endpoint[] | undefined
}

export interface Endpoint {
  readonly address: string
  readonly port: number
}

/** The network that the pods of all nodes share: who has which address. */
export class SimulatedNetwork {
  readonly services: ServiceDirectory
  readonly #ports = new Map<string, OpenPorts>()

  constructor(deps: { readonly services?: ServiceDirectory } = {}) {
    this.services = deps.services ?? { lookUp: () => [], endpointsOf: () => undefined }
  }

  join(address: string, ports: OpenPorts): void {
    this.#ports.set(address, ports)
  }

  leave(address: string): void {
    this.#ports.delete(address)
  }

  /** Undefined if no pod has the address. */
  portsOf(address: string): OpenPorts | undefined {
    return this.#ports.get(address)
  }
}
