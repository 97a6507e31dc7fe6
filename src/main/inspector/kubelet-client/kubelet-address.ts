import { BlockList, isIP } from 'node:net'
import type { Node } from '../../../shared/kubernetes/objects.ts'
import { isJsonObject, numberAt, objectAt } from '../../../shared/json.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'

/** Where a node says that its kubelet listens. */
export interface KubeletAddress {
  readonly host: string
  readonly port: number
}

/** The kinds of addresses, in the order in which they are tried. */
const preferred = ['InternalIP', 'InternalDNS', 'Hostname', 'ExternalIP', 'ExternalDNS']

// As the API server: a Node’s status is written by its kubelet, and must not lead to services of this machine (IsProxyableIP).
const unproxyable = new BlockList()
unproxyable.addSubnet('127.0.0.0', 8)
unproxyable.addSubnet('169.254.0.0', 16)
unproxyable.addSubnet('224.0.0.0', 4)
unproxyable.addAddress('0.0.0.0')
unproxyable.addAddress('::1', 'ipv6')
unproxyable.addAddress('::', 'ipv6')
unproxyable.addSubnet('fe80::', 10, 'ipv6')
unproxyable.addSubnet('ff00::', 8, 'ipv6')

/** Whether an address of a Node may be asked; names are looked up, and checked then. */
export function isProxyable(host: string): boolean {
  const family = isIP(host)
  if (family === 0) return host !== 'localhost' && !host.endsWith('.localhost')
  return !unproxyable.check(host, family === 4 ? 'ipv4' : 'ipv6')
}

/** From the Node object, never guessed. Error: one sentence. */
export function kubeletAddress(node: Node): Result<KubeletAddress, string> {
  const { addresses = [], daemonEndpoints } = node.status ?? {}
  const endpoints = isJsonObject(daemonEndpoints) ? daemonEndpoints : {}
  const port = numberAt(objectAt(endpoints, 'kubeletEndpoint'), 'Port')
  const { name } = node.metadata
  if (port === undefined || !Number.isInteger(port) || port < 1 || port > 65_535)
    return err(
      `Node ${name} names no port of its kubelet (status.daemonEndpoints.kubeletEndpoint).`,
    )
  const found = preferred
    .map((type) => addresses.find((address) => address.type === type)?.address)
    .find((address) => address !== undefined && address !== '')
  if (found === undefined) return err(`Node ${name} has no address (status.addresses).`)
  if (!isProxyable(found))
    return err(
      `Node ${name} has the address ${found}, which leads to this machine or its link: not asked.`,
    )
  return ok({ host: found, port })
}
