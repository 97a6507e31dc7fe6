import { createServer } from 'node:http'
import type { Duplex } from 'node:stream'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { Streaming } from '../../runtimes/simulated/streams.ts'
import { StreamUrls } from './stream-urls.ts'
import { refuse, serveUpgrade } from './upgrade.ts'

/** Serves exec, attach and port-forward over SPDY/3.1 and WebSocket on 127.0.0.1. */
export class StreamingServer implements Streaming {
  readonly #server = createServer((_, response) => {
    response.writeHead(400).end('an upgrade to SPDY/3.1 or WebSocket is required\n')
  })
  readonly #urls = new StreamUrls(() => `http://127.0.0.1:${this.#port}`)
  readonly #sockets = new Set<Duplex>()
  #port = 0

  readonly command: Streaming['command'] = this.#urls.command
  readonly portForward: Streaming['portForward'] = this.#urls.portForward

  /** The error is what the operating system says. */
  start(): Promise<Result<undefined, string>> {
    this.#server.on('upgrade', (request, socket, head) => {
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
      const url = request.url ?? ''
      const pending = this.#urls.find(url)
      if (pending === undefined) refuse(socket, '404 Not Found')
      else if (serveUpgrade({ request, socket, head }, pending)) this.#urls.take(url)
    })
    return new Promise((resolve) => {
      this.#server.once('error', (error) => {
        resolve(err(error.message))
      })
      this.#server.listen(0, '127.0.0.1', () => {
        const address = this.#server.address()
        this.#port = typeof address === 'object' && address !== null ? address.port : 0
        resolve(ok(undefined))
      })
    })
  }

  stop(): void {
    this.#urls.clear()
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }
}
