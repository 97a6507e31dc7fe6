import type { Listener, OpenPorts } from './listener.ts'
import type { SimulatedNetwork } from './simulated-network.ts'

/** `refused`: the host answers, but nothing listens; `unreachable`: no answer. */
export type Connection = Listener | 'refused' | 'unreachable'

/** A network namespace, with what is reached from it. */
export interface NetworkPlace {
  readonly network: SimulatedNetwork
  readonly ports: OpenPorts
  /** Its own address; undefined on the node. */
  readonly address: string | undefined
}

/** Connects to an address. A service's address leads to its first ready pod. */
export function connectionTo(place: NetworkPlace, address: string, port: number): Connection {
  const ofPod = place.network.portsOf(address)
  // The pods of a CRI server have loopback addresses of this machine.
  const isLoopback = ofPod === undefined && /^127\.|^::1$|^0\.0\.0\.0$/.test(address)
  if (isLoopback || address === place.address) return place.ports.at(port) ?? 'refused'
  const endpoints = place.network.services.endpointsOf(address, port)
  if (endpoints !== undefined) {
    const [first] = endpoints
    // kube-proxy rejects connections to a service without ready pods.
    return first === undefined ? 'refused' : connectionTo(place, first.address, first.port)
  }
  return ofPod === undefined ? 'unreachable' : (ofPod.at(port) ?? 'refused')
}
