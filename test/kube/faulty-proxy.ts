import { createServer, type Server } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { request as sendRequest, type Dispatcher } from 'undici'
import { makeAuthority } from './certificates.ts'

/** The API server behind the proxy, with the identity that all requests get there. */
export interface Upstream {
  readonly url: string
  readonly dispatcher: Dispatcher
  readonly headers: Readonly<Record<string, string>>
}

/** One request through the proxy. */
export interface Exchange {
  /** ms on the clock of the test. */
  readonly at: number
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: string
  /** Status of the server; undefined: no request, or no response yet. */
  served: number | undefined
  /** Status of the response to the client, from the server or the proxy; undefined: none. */
  responded: number | undefined
}

/** The handling of a request in place of a normal response. */
export type Fault =
  /** The server handles it, and the connection is closed before the response. */
  | { readonly kind: 'lose-answer' }
  /** The proxy responds with a Status. */
  | {
      readonly kind: 'status'
      readonly code: number
      readonly reason: string
      readonly retryAfterSeconds?: number
    }
  /** A watch with 410 in its first event. */
  | { readonly kind: 'expired-watch' }
  /** The response arrives in small pieces. */
  | { readonly kind: 'slow' }
  /** Half of the response, then the connection is closed. */
  | { readonly kind: 'truncate' }

const host = '127.0.0.1'
const slowPieces = 40

function statusBody(code: number, reason: string, retryAfterSeconds: number | undefined): string {
  return JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `the proxy says ${reason}`,
    reason,
    code,
    ...(retryAfterSeconds === undefined ? {} : { details: { retryAfterSeconds } }),
  })
}

/**
 * A proxy between a kubelet and an API server with configurable faults: at the level of connections
 * (`refuse`, `stopResponding`), of single requests (`fault`) and of open watches (`truncateWatches`). Records the requests.
 */
export class FaultyProxy {
  readonly caPem: string
  readonly exchanges: Exchange[] = []
  /** Called for every request; undefined: no fault. */
  fault: (exchange: Exchange) => Fault | undefined = () => undefined
  readonly #upstream: Upstream
  readonly #now: () => number
  readonly #https: Server
  #tcp = createTcpServer()
  #port = 0
  readonly #sockets = new Set<Socket>()
  /** Half-open connections, which stay open without traffic. */
  readonly #silentPorts = new Set<number>()
  readonly #watches = new Set<ServerResponse>()
  #isSilent = false
  /** Requests without a response. */
  readonly #pending = new Set<Promise<unknown>>()

  private constructor(deps: {
    readonly upstream: Upstream
    readonly now: () => number
    readonly caPem: string
    readonly https: Server
  }) {
    this.#upstream = deps.upstream
    this.#now = deps.now
    this.caPem = deps.caPem
    this.#https = deps.https
    this.#https.keepAliveTimeout = 120_000
    this.#https.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void this.#serve(request, response)
    })
  }

  static async start(upstream: Upstream, now: () => number): Promise<FaultyProxy> {
    const authority = await makeAuthority()
    const { certificatePem: cert, keyPem: key } = await authority.forServer()
    const https = createServer({ cert, key })
    const proxy = new FaultyProxy({ upstream, now, caPem: authority.caPem, https })
    await proxy.listen()
    return proxy
  }

  get url(): string {
    return `https://${host}:${this.#port}`
  }

  /** On the same port as before. */
  async listen(): Promise<void> {
    this.#tcp = createTcpServer((socket) => {
      this.#accept(socket)
    })
    await new Promise<void>((resolve) => this.#tcp.listen(this.#port, host, resolve))
    // A TCP server's address is an object once it listens.
    this.#port = (this.#tcp.address() as AddressInfo).port
  }

  /** Stops listening and closes every connection. */
  async refuse(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#tcp.close(() => {
        resolve()
      })
    })
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  /** Makes connections half-open: open and new ones get no response; new ones until `resumeResponding`. */
  stopResponding(): void {
    this.#isSilent = true
    for (const { remotePort } of this.#sockets) this.#silentPorts.add(remotePort ?? 0)
  }

  /** New connections are served again; half-open ones stay half-open. */
  resumeResponding(): void {
    this.#isSilent = false
  }

  /** Cuts the open watches in the middle of a frame. */
  truncateWatches(): void {
    for (const response of this.#watches) {
      response.write('{"type":"MODIFIED","object":{"kind":"Pod","metad')
      response.destroy()
    }
  }

  /** Waits for the responses of all requests. */
  async stop(): Promise<void> {
    if (this.#tcp.listening) await this.refuse()
    await Promise.allSettled(this.#pending)
    await this.#upstream.dispatcher.destroy()
  }

  #accept(socket: Socket): void {
    const { remotePort = 0 } = socket
    this.#sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.#sockets.delete(socket)
      // The next connection may have the same.
      this.#silentPorts.delete(remotePort)
    })
    if (!this.#isSilent) this.#https.emit('connection', socket)
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const exchange = await this.#record(request)
    response.on('error', () => undefined)
    if (exchange === undefined || this.#isSilentTo(request)) return
    const fault = this.fault(exchange)
    try {
      await this.#answer(exchange, fault, request, response)
    } catch {
      // The server is stopping, or the client has disconnected.
      response.destroy()
    }
  }

  #isSilentTo({ socket }: IncomingMessage): boolean {
    return this.#silentPorts.has(socket.remotePort ?? 0)
  }

  async #record(request: IncomingMessage): Promise<Exchange | undefined> {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(Buffer.from(chunk))
    } catch {
      return undefined
    }
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url)
    const exchange: Exchange = {
      at: this.#now(),
      method: request.method ?? '',
      path: pathname,
      query: searchParams,
      body: Buffer.concat(chunks).toString('utf8'),
      served: undefined,
      responded: undefined,
    }
    this.exchanges.push(exchange)
    return exchange
  }

  async #answer(
    exchange: Exchange,
    fault: Fault | undefined,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    switch (fault?.kind) {
      case 'status': {
        const { code, reason, retryAfterSeconds } = fault
        response.writeHead(code, {
          'content-type': 'application/json',
          ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
        })
        response.end(statusBody(code, reason, retryAfterSeconds))
        exchange.responded = code
        return
      }
      case 'expired-watch': {
        const object: unknown = JSON.parse(statusBody(410, 'Expired', undefined))
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(`${JSON.stringify({ type: 'ERROR', object })}\n`)
        exchange.responded = 200
        return
      }
      case undefined:
      case 'lose-answer':
      case 'slow':
      case 'truncate':
        await this.#carry(exchange, fault, request, response)
    }
  }

  async #carry(
    exchange: Exchange,
    fault: Fault | undefined,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const asked = this.#ask(exchange, request).then((answer) => {
      exchange.served = answer.statusCode
      return answer
    })
    this.#pending.add(asked)
    const answer = await asked.finally(() => this.#pending.delete(asked))
    const type = String(answer.headers['content-type'] ?? 'application/json')
    if (exchange.query.has('watch') && answer.statusCode === 200) {
      response.writeHead(200, { 'content-type': type })
      await this.#stream(exchange, answer.body, request, response)
      return
    }
    const body = new Uint8Array(await answer.body.arrayBuffer())
    if (this.#isSilentTo(request)) return
    if (fault?.kind === 'lose-answer') {
      response.destroy()
      return
    }
    response.writeHead(answer.statusCode, { 'content-type': type, 'content-length': body.length })
    if (fault?.kind === 'truncate') {
      response.write(body.subarray(0, body.length / 2), () => {
        response.destroy()
      })
      return
    }
    if (fault?.kind === 'slow') await writeSlowly(response, body)
    response.end(fault?.kind === 'slow' ? undefined : body)
    // The client may have disconnected.
    if (!response.destroyed) exchange.responded = answer.statusCode
  }

  #ask(
    { method, path, query, body }: Exchange,
    request: IncomingMessage,
  ): Promise<Dispatcher.ResponseData> {
    const { url, dispatcher, headers } = this.#upstream
    const { accept = 'application/json', 'content-type': contentType } = request.headers
    return sendRequest(`${url}${path}${query.size === 0 ? '' : `?${query.toString()}`}`, {
      dispatcher,
      // Only these come from an agent.
      method: method as Dispatcher.HttpMethod,
      headers: {
        ...headers,
        accept,
        ...(contentType === undefined ? {} : { 'content-type': contentType }),
      },
      body: body === '' ? null : body,
    })
  }

  async #stream(
    exchange: Exchange,
    body: Dispatcher.ResponseData['body'],
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    exchange.responded = 200
    response.flushHeaders()
    this.#watches.add(response)
    response.on('close', () => {
      this.#watches.delete(response)
      body.destroy()
    })
    body.on('error', () => undefined)
    for await (const chunk of body) if (!this.#isSilentTo(request)) response.write(chunk)
    if (!this.#isSilentTo(request)) response.end()
  }
}

async function writeSlowly(response: ServerResponse, body: Uint8Array): Promise<void> {
  const size = Math.ceil(body.length / slowPieces)
  for (let from = 0; from < body.length; from += size) {
    response.write(body.subarray(from, from + size))
    await new Promise((resolve) => {
      setTimeout(resolve, 1)
    })
  }
}
