import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, request } from 'node:https'
import type { RequestOptions, Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { stringify } from 'yaml'
import { makeAuthority } from '../certificates.ts'

/** A connection that was to become a stream. */
export interface Upgrade {
  readonly method: string
  readonly path: string
  readonly query: readonly (readonly [name: string, value: string])[]
  /** The header Upgrade: `websocket`, `SPDY/3.1`. */
  readonly to: string
  /** Subprotocols that the client offers, in its order. */
  readonly offered: readonly string[]
  /** Of the answer. Null: none yet. */
  readonly status: number | null
  /** The subprotocol that the server has chosen; else empty. */
  readonly chosen: string
}

/** An administrator's way to an API server that writes down the streams, and can be an older server or a strict proxy. */
export class UpgradeRelay {
  readonly upgrades: Upgrade[] = []
  /** Subprotocols that pass; the others are taken out of the offer, which an older API server does not know. */
  passes: (protocol: string) => boolean = () => true
  readonly #target: URL
  readonly #tls: RequestOptions
  readonly #server: Server
  readonly #caPem: string

  private constructor(target: URL, tls: RequestOptions, server: Server, caPem: string) {
    this.#target = target
    this.#tls = tls
    this.#server = server
    this.#caPem = caPem
    server.on('request', (from: IncomingMessage, to: ServerResponse) => {
      from.pipe(
        this.#ask(from).on('response', (answer: IncomingMessage) => {
          to.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(to)
        }),
      )
    })
    server.on('upgrade', (from: IncomingMessage, socket: Duplex, head: Buffer) => {
      this.#upgrade(from, socket, head)
    })
  }

  /** `tls`: of the administrator. */
  static async start(url: string, tls: RequestOptions): Promise<UpgradeRelay> {
    const authority = await makeAuthority()
    const { certificatePem: cert, keyPem: key } = await authority.forServer()
    const server = createServer({ cert, key })
    const relay = new UpgradeRelay(new URL(url), tls, server, authority.caPem)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return relay
  }

  /** For the administrator, or for another user. */
  kubeconfig(as?: string): string {
    const { port } = this.#server.address() as AddressInfo // it listens on a port, not on a pipe
    const ca = Buffer.from(this.#caPem).toString('base64')
    const server = `https://127.0.0.1:${port}`
    return stringify({
      contexts: [{ name: 'relay', context: { cluster: 'k', user: 'u', namespace: 'default' } }],
      'current-context': 'relay',
      clusters: [{ name: 'k', cluster: { server, 'certificate-authority-data': ca } }],
      users: [{ name: 'u', user: { token: 'of the relay', ...(as === undefined ? {} : { as }) } }],
    })
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  #ask({ method, url = '', headers }: IncomingMessage) {
    const { authorization: _, ...passed } = headers
    return request(
      {
        ...this.#tls,
        host: this.#target.hostname,
        port: this.#target.port,
        method,
        path: url,
        headers: passed,
        agent: false,
      },
      () => undefined,
    ).on('error', () => undefined)
  }

  #upgrade(from: IncomingMessage, socket: Duplex, head: Buffer): void {
    const url = new URL(from.url ?? '', 'https://relay')
    const name =
      from.headers.upgrade === 'websocket' ? 'sec-websocket-protocol' : 'x-stream-protocol-version'
    const offered = String(from.headers[name] ?? '').split(/\s*,\s*/)
    const at = this.upgrades.push({
      method: from.method ?? '',
      path: url.pathname,
      query: [...url.searchParams],
      to: from.headers.upgrade ?? '',
      offered,
      status: null,
      chosen: '',
    })
    from.headers[name] = offered.filter((protocol) => this.passes(protocol)).join(', ')
    const answered = (answer: IncomingMessage): void => {
      const before = this.upgrades[at - 1]
      if (before !== undefined)
        this.upgrades[at - 1] = {
          ...before,
          status: answer.statusCode ?? 0,
          chosen: String(answer.headers[name] ?? ''),
        }
      const fields = answer.rawHeaders
        .flatMap((word, index) =>
          index % 2 === 0 ? [`${word}: ${answer.rawHeaders[index + 1]}`] : [],
        )
        .join('\r\n')
      socket.write(`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}\r\n${fields}\r\n\r\n`)
    }
    this.#ask(from)
      .on('upgrade', (answer: IncomingMessage, far: Duplex, farHead: Buffer) => {
        answered(answer)
        socket.write(farHead)
        far.write(head)
        for (const [one, other] of [
          [socket, far],
          [far, socket],
        ] as const)
          one.on('error', () => undefined).on('close', () => other.destroy())
        socket.pipe(far).pipe(socket)
      })
      .on('response', (answer: IncomingMessage) => {
        answered(answer)
        answer.pipe(socket)
      })
      .end()
  }
}
