import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

const host = '127.0.0.1'

/** Passes connections on to a port until it is closed: a server that is away, and comes back on the same port. */
export class TcpGate {
  readonly #target: number
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  #port = 0

  private constructor(target: number) {
    this.#target = target
  }

  static async open(target: number): Promise<TcpGate> {
    const gate = new TcpGate(target)
    await gate.open()
    return gate
  }

  get port(): number {
    return this.#port
  }

  async open(): Promise<void> {
    const server = createServer((socket) => {
      const target = connect(this.#target, host)
      socket.pipe(target).pipe(socket)
      for (const [one, other] of [
        [socket, target],
        [target, socket],
      ] as const) {
        this.#sockets.add(one)
        one.on('error', () => undefined)
        one.on('close', () => {
          this.#sockets.delete(one)
          other.destroy()
        })
      }
    })
    await new Promise<void>((resolve) => server.listen(this.#port, host, resolve))
    // A TCP server's address is an object once it listens.
    this.#port = (server.address() as AddressInfo).port
    this.#server = server
  }

  /** Refuses connections, and cuts the open ones. Closed already: nothing. */
  async close(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (server === undefined) return
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }
}
