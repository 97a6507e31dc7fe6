import { createServer } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import { maxManifestLength } from '../../../shared/ipc/limits.ts'
import { refusedCloseCode, webSocketPath, webSocketProtocol } from '../../../shared/ipc/wire.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { Clock, Log } from '../../kubelet/ports.ts'
import type { SessionChannel } from '../../session/session-channel.ts'
import { isOwnHost, isOwnOrigin, offersToken } from './access.ts'
import { PageConnection } from './page-connection.ts'
import type { StaticFiles } from './static-files.ts'
import { respondText, serveStaticFile } from './static-files.ts'

/** The largest request is a manifest, of which JSON may escape each character as six. */
const maxFrameBytes = 6 * maxManifestLength + 64 * 1024

/** The time that a refused page has to receive the reason. */
const refusedForMs = 1000

const foreignHost = 'This server answers only to 127.0.0.1 and localhost.'

export interface WebServerDeps {
  /** Null takes any free port. */
  readonly port: number | null
  /** Used if it is free and `port` is null. */
  readonly preferredPort?: number | undefined
  readonly token: string
  readonly files: StaticFiles
  readonly clock: Clock
  readonly log: Log
}

/**
 * HTTP for the page's files and a WebSocket for the session, on 127.0.0.1 only. It listens before the session starts: a port
 * in use must not end a program that has joined a cluster.
 */
export class WebServer {
  readonly #deps: WebServerDeps
  #channel: SessionChannel | undefined
  readonly #http: Server
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(webSocketProtocol) ? webSocketProtocol : false),
  })

  constructor(deps: WebServerDeps) {
    this.#deps = deps
    this.#http = createServer((request, response) => {
      if (isOwnHost(request.headers.host)) serveStaticFile(deps.files, request, response)
      else respondText(response, 403, foreignHost)
    })
    this.#http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      this.#upgrade(request, socket, head)
    })
  }

  /** Accepts pages from now on. */
  serve(channel: SessionChannel): void {
    this.#channel = channel
  }

  /** Resolves with the address to open. Errors: one sentence. */
  async start(): Promise<Result<string, string>> {
    const { port, preferredPort } = this.#deps
    if (port === null && preferredPort !== undefined) {
      const preferred = await this.#listen(preferredPort)
      if (preferred.ok) return preferred
    }
    const listening = await this.#listen(port ?? 0)
    return listening.ok ? listening : err(listenFailure(listening.error, port))
  }

  #listen(port: number): Promise<Result<string, NodeJS.ErrnoException>> {
    return new Promise((resolve) => {
      const fail = (error: NodeJS.ErrnoException): void => {
        resolve(err(error))
      }
      this.#http.once('error', fail)
      this.#http.listen({ host: '127.0.0.1', port }, () => {
        this.#http.off('error', fail)
        this.#http.on('error', (error) => {
          this.#deps.log.error('web server', { error: error.message })
        })
        const address = this.#http.address() as AddressInfo // listening on TCP it has one
        resolve(ok(`http://127.0.0.1:${address.port}/#${this.#deps.token}`))
      })
    })
  }

  /** Ends every connection at once. */
  stop(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate()
    return new Promise((resolve) => {
      this.#http.close(() => {
        resolve()
      })
      this.#http.closeAllConnections()
    })
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Without a listener, a connection that drops would be an uncaught exception.
    socket.on('error', () => socket.destroy())
    const refusal = this.#refusalOf(request)
    if (refusal !== undefined) {
      this.#deps.log.warn('connection refused', { reason: refusal.sentence })
      socket.end(rawResponse(refusal.status, refusal.sentence), () => socket.destroy())
      return
    }
    const isAllowed = offersToken(request.headers['sec-websocket-protocol'], this.#deps.token)
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.on('error', (error) => {
        this.#deps.log.warn('connection broke', { error: error.message })
      })
      const { clock, log } = this.#deps
      const channel = this.#channel
      if (!isAllowed || channel === undefined) this.#refuse(webSocket)
      else new PageConnection({ socket: webSocket, channel, clock, log }).start()
    })
  }

  #refusalOf({ headers, url }: IncomingMessage): { status: string; sentence: string } | undefined {
    if (!isOwnHost(headers.host)) return { status: '403 Forbidden', sentence: foreignHost }
    if (!isOwnOrigin(headers.origin, headers.host))
      return { status: '403 Forbidden', sentence: 'Only the dashboard may connect here.' }
    if (url !== webSocketPath) return { status: '404 Not Found', sentence: 'Not found.' }
    if (this.#channel === undefined)
      return { status: '503 Service Unavailable', sentence: 'Nodescope is starting.' }
    return undefined
  }

  /** After the handshake, because a browser hides the status and the body of a refused one from its page. */
  #refuse(socket: WebSocket): void {
    this.#deps.log.warn('connection refused', { reason: 'wrong token' })
    // Reads nothing more, and does not wait the half minute that a closing handshake may take.
    socket.pause()
    this.#deps.clock.after(refusedForMs, () => socket.terminate())
    socket.close(
      refusedCloseCode,
      'Access token invalid: open the address that Nodescope printed when it started.',
    )
  }
}

function rawResponse(status: string, sentence: string): string {
  return [
    `HTTP/1.1 ${status}`,
    'connection: close',
    'content-type: text/plain; charset=utf-8',
    `content-length: ${Buffer.byteLength(sentence)}`,
    '',
    sentence,
  ].join('\r\n')
}

function listenFailure(error: NodeJS.ErrnoException, port: number | null): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port ?? 0} on 127.0.0.1 is in use: choose another with --port.`
    case 'EACCES':
      return `Port ${port ?? 0} on 127.0.0.1 needs more privileges than this user has: choose another with --port.`
    default:
      return `The dashboard cannot be served on 127.0.0.1: ${error.message}.`
  }
}
