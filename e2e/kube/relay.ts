import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import type { AddressInfo, Server, Socket } from 'node:net'
import { connect, createServer } from 'node:net'

/** A relay to an API server that can simulate an outage; the server keeps running. */
export class Relay {
  /** A kubeconfig for the relay. */
  readonly kubeconfig: string
  readonly #server: Server
  readonly #port: number
  readonly #sockets = new Set<Socket>()

  private constructor(kubeconfig: string, server: Server) {
    this.kubeconfig = kubeconfig
    this.#server = server
    this.#port = (server.address() as AddressInfo).port // it listens on a port, not on a pipe
  }

  /** Starts a relay to the server of `kubeconfig`, which is not changed; `copy`: path of the new kubeconfig. */
  static async before(kubeconfig: string, copy: string): Promise<Relay> {
    const text = await readFile(kubeconfig, 'utf8')
    const target = Number(/https:\/\/127\.0\.0\.1:(\d+)/.exec(text)?.[1])
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const relay = new Relay(copy, server)
    server.on('connection', (socket) => relay.#join(socket, target))
    await writeFile(copy, text.replace(`127.0.0.1:${target}`, `127.0.0.1:${relay.#port}`))
    return relay
  }

  /** From now on connections get no response. */
  async cut(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  async mend(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  #join(near: Socket, target: number): void {
    const far = connect(target, '127.0.0.1')
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        this.#sockets.delete(socket)
        other.destroy()
      })
    }
    near.pipe(far).pipe(near)
  }
}
