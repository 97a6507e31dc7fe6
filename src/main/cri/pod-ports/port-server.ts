import { createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Log } from '../../kubelet/ports.ts'

/** How every HTTP/2 connection begins (RFC 9113, 3.4). */
const http2Preface = 'PRI * HTTP/2'

type TakeConnection = (socket: Duplex) => void

/** What takes connections, by what their clients send first. */
export interface Protocols {
  readonly http: TakeConnection | undefined
  /** HTTP/2 with prior knowledge. */
  readonly grpc: TakeConnection | undefined
  /** A client that ends the connection without having sent anything. */
  readonly silent: () => void
}

/** A port of a simulated container that is open on this machine. */
export class PortServer {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #protocols: Protocols

  constructor(options: {
    readonly address: string
    readonly port: number
    readonly protocols: Protocols
    readonly log: Log
  }) {
    const { address, port, protocols, log } = options
    this.#protocols = protocols
    this.#server = createServer((socket) => {
      this.#take(socket)
    })
    this.#server.on('error', (error) => {
      const why = error.message
      log.warn('a port of a pod cannot be opened on this machine: probes do not reach it', {
        address,
        port,
        why,
      })
    })
    this.#server.listen(port, address)
    this.#server.unref()
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  #take(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    takeConnection(socket, this.#protocols)
  }
}

/** Gives a connection to the protocol that its client speaks. */
export function takeConnection(socket: Duplex, protocols: Protocols): void {
  socket.on('error', () => undefined)
  socket.once('readable', () => {
    const bytes: unknown = socket.read()
    if (!Buffer.isBuffer(bytes)) {
      protocols.silent()
      socket.destroy()
      return
    }
    const isHttp2 = bytes.toString('latin1', 0, http2Preface.length) === http2Preface
    const take = isHttp2 ? protocols.grpc : protocols.http
    socket.unshift(bytes)
    if (take === undefined) socket.destroy()
    else take(socket)
  })
}
