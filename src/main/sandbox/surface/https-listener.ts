import { setMaxListeners } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { Duplex } from 'node:stream'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { KubeStatus } from '../../../shared/kubernetes/objects.ts'
import { err, ok, type Result } from '../../../shared/result.ts'
import type { KubeletText } from '../../kubelet/server/kubelet-request.ts'
import type { HoldableClock, Log } from '../../kubelet/ports.ts'
import { parseInPlace } from '../../parsing/kubernetes-text.ts'
import type { ParseText } from '../../parsing/kubernetes-text.ts'
import type { Caller, SandboxApiServer } from '../api-server.ts'
import { internalError, noSuchResource, statusResponse } from '../api-status.ts'
import { statusText } from '../connect/connect-request.ts'
import type { ConnectResponse } from '../connect/connect-request.ts'
import { bearerAuthenticator } from './bearer-authenticator.ts'
import { clientName, readRequest } from './request-reader.ts'
import { writeResponse } from './response-writer.ts'
import { createServingCertificates } from './serving-certificates.ts'
import { withRealTimeLimit } from './watch-time-limit.ts'

export interface HttpsListenerDeps {
  readonly server: Pick<SandboxApiServer, 'handle'> &
    Partial<Pick<SandboxApiServer, 'connect' | 'stream'>>
  /** 0 for any free port. */
  readonly port: number
  /** `catchUp` brings a virtual clock to the present, so that a request carries the virtual time of its arrival. */
  readonly clock: HoldableClock & { readonly catchUp?: () => number }
  readonly credentials: ReadonlyMap<string, Caller>
  /** Parses bodies in YAML; default: on this thread. */
  readonly parse?: ParseText
  /** Serves streams to a client that asks for an upgrade. Absent: they are refused. */
  readonly serveStream?: (upgrade: UpgradeRequest, stream: Result<string, KubeletText>) => void
  readonly log: Log
}

export interface UpgradeRequest {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
}

export interface HttpsListener {
  /** `https://127.0.0.1:<port>`. */
  readonly url: string
  /** The CA that a client has to trust; new with every start. */
  readonly caPem: string
  /** Ends watches, requests and connections. Can be called twice. */
  readonly stop: () => Promise<void>
}

export interface ListenError {
  readonly kind: 'port-taken' | 'failed'
  readonly message: string
}

const host = '127.0.0.1'

interface LimitedAnswer {
  readonly answer: ConnectResponse
  readonly limitMs: number | undefined
}

function refused(status: KubeStatus): LimitedAnswer {
  return { answer: statusResponse(status), limitMs: undefined }
}

class RequestServer {
  readonly #deps: HttpsListenerDeps
  readonly #authenticate: ReturnType<typeof bearerAuthenticator>
  readonly #closing: AbortSignal

  constructor(deps: HttpsListenerDeps, closing: AbortSignal) {
    this.#deps = deps
    this.#authenticate = bearerAuthenticator(deps.credentials)
    this.#closing = closing
  }

  async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { answer, limitMs } = await this.#answer(incoming)
      await writeResponse(response, answer, { closing: this.#closing, limitMs })
    } catch (error) {
      // The client closed the connection while it was sending.
      if (response.destroyed) return
      const path = incoming.url ?? ''
      this.#deps.log.error('a request to the sandbox failed', { path, error })
      if (response.headersSent) response.destroy()
      else await writeResponse(response, failed, { closing: this.#closing, limitMs: undefined })
    }
  }

  async upgrade(upgrade: UpgradeRequest): Promise<void> {
    const { server, serveStream, clock, log } = this.#deps
    const { request, socket } = upgrade
    socket.on('error', () => undefined)
    const caller = this.#authenticate(request)
    const { pathname, searchParams } = new URL(request.url ?? '/', 'https://server')
    clock.catchUp?.()
    const asked = caller.ok
      ? server.stream?.(decodeURIComponent(pathname), searchParams)
      : Promise.resolve(err(statusText(caller.error)))
    try {
      const refused = err(statusText(noSuchResource()))
      if (serveStream === undefined) socket.destroy()
      else serveStream(upgrade, asked === undefined ? refused : await asked)
    } catch (error) {
      log.error('an upgrade failed in the sandbox', { path: pathname, error })
      socket.destroy()
    }
  }

  async #answer(incoming: IncomingMessage): Promise<LimitedAnswer> {
    const caller = this.#authenticate(incoming)
    if (!caller.ok) return refused(caller.error)
    const read = await readRequest(incoming, this.#deps.parse ?? parseInPlace)
    if (!read.ok) return refused(read.error)
    this.#deps.clock.catchUp?.()
    const client = clientName(incoming.headers)
    const named = client === '' ? caller.value : { ...caller.value, client }
    const connected = this.#deps.server.connect?.(read.value, named)
    if (connected !== undefined) return { answer: await connected, limitMs: undefined }
    const { request, limitMs } = withRealTimeLimit(read.value)
    return { answer: await this.#deps.server.handle(request, named), limitMs }
  }
}

const failed = statusResponse(
  internalError('the sandbox failed to process this request; see nodescope.log'),
)

function listenMessage(port: number, { code, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use by another program: choose another with --sandbox-port (0 takes any free one).`
    case 'EACCES':
      return `Port ${port} needs privileges that this user does not have: choose one above 1023 with --sandbox-port.`
    default:
      return `The sandbox cannot listen on ${host}:${port}: ${message}.`
  }
}

function listen(server: Server, port: number): Promise<Result<number, ListenError>> {
  return new Promise((resolve) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      const kind = error.code === 'EADDRINUSE' ? 'port-taken' : 'failed'
      resolve(err({ kind, message: listenMessage(port, error) }))
    }
    server.once('error', onError)
    try {
      server.listen(port, host, () => {
        server.off('error', onError)
        const address = server.address()
        resolve(ok(typeof address === 'object' && address !== null ? address.port : port))
      })
    } catch (error) {
      // A number that is not a port throws instead of an error event.
      onError(error instanceof Error ? error : new Error(String(error)))
    }
  })
}

/** Open responses get this long to end before their connections are closed. */
const closeTimeoutMs = 200

function stopServer(server: Server, closing: AbortController): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => {
      server.closeAllConnections()
    }, closeTimeoutMs)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    closing.abort()
  })
}

/**
 * The sandbox's API server for real kubectl: HTTPS, because kubectl sends no credentials over HTTP, and on the loopback address
 * only. A request without a known bearer token gets 401.
 */
export async function startHttpsListener(
  deps: HttpsListenerDeps,
): Promise<Result<HttpsListener, ListenError>> {
  const { caPem, certificatePem, keyPem } = await createServingCertificates()
  const closing = new AbortController()
  // Each open watch adds a listener.
  setMaxListeners(0, closing.signal)
  const requests = new RequestServer(deps, closing.signal)
  const server = createServer({ cert: certificatePem, key: keyPem }, (incoming, response) => {
    void requests.serve(incoming, response)
  })
  const upgraded = new Set<Duplex>()
  server.on('upgrade', (request, socket, head) => {
    upgraded.add(socket)
    socket.on('close', () => upgraded.delete(socket))
    void requests.upgrade({ request, socket, head })
  })
  closing.signal.addEventListener('abort', () => {
    for (const socket of upgraded) socket.destroy()
  })
  server.on('tlsClientError', (error) => {
    deps.log.debug('a connection to the sandbox failed', { error: error.message })
  })
  const listening = await listen(server, deps.port)
  if (!listening.ok) return listening
  server.on('error', (error) => {
    deps.log.error('the listener of the sandbox failed', { error: error.message })
  })
  let stopped: Promise<void> | undefined
  return ok({
    url: `https://${host}:${listening.value}`,
    caPem,
    stop: () => (stopped ??= stopServer(server, closing)),
  })
}
