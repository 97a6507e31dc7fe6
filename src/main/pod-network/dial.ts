import { lookup } from 'node:dns/promises'
import { connect, isIP } from 'node:net'
import type { Socket } from 'node:net'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { joinHostPort } from '../kubelet/probe/host-port.ts'
import { codeOf, errnoText } from './go-errors.ts'

interface DialTarget {
  readonly host: string
  readonly port: number
}

/** An open connection. */
export interface Connection {
  readonly socket: Socket
  /** As Go names it in an error: `127.0.0.1:40000->127.0.0.1:80`. */
  readonly ends: string
}

/** Connects to an address. The error is the one below `dial tcp`. */
function connectTo(target: DialTarget, signal: AbortSignal): Promise<Result<Connection, string>> {
  const address = joinHostPort(target.host, target.port)
  return new Promise((resolve) => {
    const socket = connect({ ...target, signal, noDelay: true })
    socket.once('connect', () => {
      const { localAddress = '', localPort = 0 } = socket
      resolve(ok({ socket, ends: `${joinHostPort(localAddress, localPort)}->${address}` }))
    })
    // Stays: a socket whose error has no listener ends the program.
    socket.on('error', (error) => {
      const why = signal.aborted ? 'i/o timeout' : `connect: ${errnoText(error)}`
      resolve(err(`dial tcp ${address}: ${why}`))
    })
  })
}

/** Lasts until the promise or the signal, whichever is first. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return Promise.race([
    promise,
    new Promise<undefined>((resolve) => {
      signal.addEventListener('abort', () => {
        resolve(undefined)
      })
    }),
  ])
}

/** The addresses of a name, in the resolver's order. */
async function addressesOf(
  host: string,
  signal: AbortSignal,
): Promise<Result<readonly string[], string>> {
  if (isIP(host) !== 0) return ok([host])
  try {
    const found = await untilAborted(lookup(host, { all: true, order: 'verbatim' }), signal)
    return found === undefined
      ? err(`dial tcp: lookup ${host}: i/o timeout`)
      : ok(found.map(({ address }) => address))
  } catch (error) {
    const why = codeOf(error) === 'ENOTFOUND' ? 'no such host' : 'server misbehaving'
    return err(`dial tcp: lookup ${host}: ${why}`)
  }
}

/**
 * Opens a connection, to one address of the host after the other. The error is Go's (`dial tcp 10.0.0.1:80: connect:
 * connection refused`), that of the first address; an aborted signal is an `i/o timeout`.
 */
export async function dial(
  { host, port }: DialTarget,
  signal: AbortSignal,
): Promise<Result<Connection, string>> {
  const addresses = await addressesOf(host, signal)
  if (!addresses.ok) return addresses
  let first: Result<never, string> | undefined
  for (const address of addresses.value) {
    const connected = await connectTo({ host: address, port }, signal)
    if (connected.ok) return connected
    first ??= connected
  }
  return first ?? err(`dial tcp: lookup ${host}: no such host`)
}
