import { lookup } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { isIP, isIPv4 } from 'node:net'
import { networkInterfaces } from 'node:os'

interface InterfaceAddress {
  readonly address: string
  readonly family: string
  readonly internal: boolean
}

/** What a machine knows of its networks. */
export interface MachineNetworks {
  /** The addresses of each interface that is up. */
  readonly interfaces: Readonly<Record<string, readonly InterfaceAddress[] | undefined>>
  /** The files of Linux with its routes; undefined: there is none. */
  readonly routes: string | undefined
  readonly routes6: string | undefined
  readonly lookup: (name: string) => Promise<readonly string[]>
}

const files = { routes: '/proc/net/route', routes6: '/proc/net/ipv6_route' } as const

/** A name server that does not answer does not hold back the start. */
const lookupTimeoutMs = 3000

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

async function lookUp(name: string): Promise<readonly string[]> {
  const late = new Promise<readonly string[]>((resolve) => {
    setTimeout(resolve, lookupTimeoutMs, []).unref()
  })
  const found = lookup(name, { all: true }).then(
    (all) => all.map(({ address }) => address),
    () => [],
  )
  return Promise.race([found, late])
}

function thisMachine(): MachineNetworks {
  return {
    interfaces: networkInterfaces(),
    routes: textOf(files.routes),
    routes6: textOf(files.routes6),
    lookup: lookUp,
  }
}

/** Interfaces of default routes (apimachinery pkg/util/net/interface.go getIPv4DefaultRoutes). */
function defaultInterfaces(routes: string): readonly string[] {
  return routes.split('\n').flatMap((line) => {
    const [name, destination] = line.trim().split(/\s+/)
    return name !== undefined && destination === '00000000' ? [name] : []
  })
}

/** The same of IPv6; a route without a gateway is that of the loopback interface. */
function defaultInterfaces6(routes: string): readonly string[] {
  const none = '0'.repeat(32)
  return routes.split('\n').flatMap((line) => {
    const [destination, , , , gateway, , , , , name] = line.trim().split(/\s+/)
    return name !== undefined && destination === none && gateway !== none ? [name] : []
  })
}

/** net.IP's IsGlobalUnicast of Go: private addresses too. */
function isGlobalUnicast(address: string): boolean {
  if (isIPv4(address))
    return !/^(127|22[4-9]|23\d)\.|^169\.254\.|^0\.0\.0\.0$|^255\.255\.255\.255$/.test(address)
  return !/^(fe[89ab]|ff)|^::1?$/i.test(address)
}

function globalAddress(
  addresses: readonly InterfaceAddress[] | undefined,
  family: string,
): string | undefined {
  return addresses?.find((one) => one.family === family && isGlobalUnicast(one.address))?.address
}

/** apimachinery pkg/util/net/interface.go chooseHostInterface: IPv4 first. */
function hostAddress({ interfaces, routes, routes6 }: MachineNetworks): string | undefined {
  const outside = Object.entries(interfaces).flatMap(([name, addresses = []]) =>
    addresses.some(({ internal }) => internal) ? [] : [name],
  )
  const internal = Object.keys(interfaces).filter((name) => !outside.includes(name))
  const ofFamily: readonly (readonly [string, readonly string[]])[] =
    routes === undefined
      ? [
          ['IPv4', outside],
          ['IPv6', outside],
        ]
      : [
          ['IPv4', defaultInterfaces(routes)],
          ['IPv6', defaultInterfaces6(routes6 ?? '')],
        ]
  for (const [family, names] of ofFamily)
    for (const name of names) {
      // A network that routes between link-local addresses has the machine's on its loopback interface.
      const more = routes === undefined ? [] : internal
      for (const one of [name, ...more]) {
        const found = globalAddress(interfaces[one], family)
        if (found !== undefined) return found
      }
    }
  return undefined
}

/**
 * The address of a node on this machine (kubelet pkg/kubelet/nodestatus/setters.go: NodeAddress, without --node-ip): its
 * name where that is one, then what the name resolves to if this machine has it, then that of the default route.
 */
export async function machineAddress(
  nodeName: string,
  machine: MachineNetworks = thisMachine(),
): Promise<string | undefined> {
  if (isIP(nodeName) !== 0) return nodeName
  const own = new Set(
    Object.values(machine.interfaces).flatMap((addresses = []) =>
      addresses.map(({ address }) => address),
    ),
  )
  const found = (await machine.lookup(nodeName)).filter(
    (address) => own.has(address) && isGlobalUnicast(address),
  )
  return found.find((address) => isIPv4(address)) ?? found[0] ?? hostAddress(machine)
}
