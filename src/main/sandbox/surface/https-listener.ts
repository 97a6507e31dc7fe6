import type { IncomingMessage, ServerResponse } from 'node:http'
import type { KubeStatus } from '../../../shared/kubernetes/objects.ts'
import { TransportError } from '../../../shared/kubernetes/request.ts'
import { err, ok, type Result } from '../../../shared/result.ts'
import type { KubeletText } from '../../kubelet/server/kubelet-request.ts'
import type { HoldableClock, Log } from '../../kubelet/ports.ts'
import { parseInPlace } from '../../parsing/kubernetes-text.ts'
import type { ParseText } from '../../parsing/kubernetes-text.ts'
import type { Caller, SandboxApiServer } from '../api-server.ts'
import { internalError, noSuchResource, statusResponse } from '../api-status.ts'
import { attributesOf } from '../auth/request-attributes.ts'
import { statusText } from '../connect/connect-request.ts'
import type { ConnectResponse } from '../connect/connect-request.ts'
import { apiAuthenticator } from './authenticator.ts'
import { acceptedClients, startHttpsServer, type UpgradeRequest } from './https-server.ts'
import { clientName, readRequest, requestLine } from './request-reader.ts'
import { writeResponse } from './response-writer.ts'
import { createServingCertificates, type ServingCertificates } from './serving-certificates.ts'
import { withRealTimeLimit } from './watch-time-limit.ts'

export interface HttpsListenerDeps {
  readonly server: Pick<SandboxApiServer, 'handle' | 'refusal'> &
    Partial<
      Pick<
        SandboxApiServer,
        'allowsAnonymous' | 'callerOfToken' | 'connect' | 'stream' | 'useTokens'
      >
    >
  /** 0 for any free port. */
  readonly port: number
  /** `catchUp` brings a virtual clock to the present, so that a request carries the virtual time of its arrival. */
  readonly clock: HoldableClock & { readonly catchUp?: () => number }
  readonly credentials: ReadonlyMap<string, Caller>
  /** Parses bodies in YAML; default: on this thread. */
  readonly parse?: ParseText
  /** Serves streams to a client that asks for an upgrade. Absent: they are refused. */
  readonly serveStream?: (upgrade: UpgradeRequest, stream: Result<string, KubeletText>) => void
  /** Default: new ones. */
  readonly certificates?: ServingCertificates
  readonly log: Log
}

export interface HttpsListener {
  /** `https://127.0.0.1:<port>`. */
  readonly url: string
  /** The CA that a client has to trust. */
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
  readonly #authenticate: ReturnType<typeof apiAuthenticator>
  readonly #closing: AbortSignal

  constructor(deps: HttpsListenerDeps, closing: AbortSignal) {
    this.#deps = deps
    const { credentials, server } = deps
    this.#authenticate = apiAuthenticator(credentials, {
      refusal: (caller, attributes) => server.refusal(caller, attributes),
      allowsAnonymous: server.allowsAnonymous,
      callerOfToken: (token) => server.callerOfToken?.(token),
    })
    deps.server.useTokens?.((token) => deps.credentials.get(token))
    this.#closing = closing
  }

  async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { answer, limitMs } = await this.#answer(incoming)
      await writeResponse(response, answer, { closing: this.#closing, limitMs })
    } catch (error) {
      // The client closed the connection while it was sending.
      if (response.destroyed) return
      if (error instanceof TransportError) {
        // The server is made to be down.
        response.destroy()
        return
      }
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
    try {
      const path = decodeURIComponent(pathname)
      const method = request.method === 'POST' ? 'POST' : 'GET'
      const asked = caller.ok
        ? server.stream?.({ method, path }, searchParams, caller.value)
        : Promise.resolve(err(statusText(caller.error)))
      const refused = err(statusText(noSuchResource()))
      if (serveStream === undefined) socket.destroy()
      else serveStream(upgrade, asked === undefined ? refused : await asked)
    } catch (error) {
      // Else the server is made to be down.
      if (!(error instanceof TransportError))
        log.error('an upgrade failed in the sandbox', { path: pathname, error })
      socket.destroy()
    }
  }

  /** Where RBAC is enforced, a client without rights does not learn what is wrong with its request. */
  #refusal(incoming: IncomingMessage, caller: Caller): KubeStatus | undefined {
    const { server } = this.#deps
    const line = server.allowsAnonymous === true ? requestLine(incoming) : undefined
    return line && server.refusal(caller, attributesOf(line))
  }

  async #answer(incoming: IncomingMessage): Promise<LimitedAnswer> {
    const caller = this.#authenticate(incoming)
    if (!caller.ok) return refused(caller.error)
    const read = await readRequest(incoming, this.#deps.parse ?? parseInPlace)
    if (!read.ok) return refused(this.#refusal(incoming, caller.value) ?? read.error)
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

/**
 * The sandbox's API server for real kubectl: HTTPS, because kubectl sends no credentials over HTTP, and on the loopback address
 * only. A request without a known bearer token or a client certificate of its CA gets 401.
 */
export async function startHttpsListener(
  deps: HttpsListenerDeps,
): Promise<Result<HttpsListener, ListenError>> {
  const { caPem, certificatePem, keyPem } = deps.certificates ?? (await createServingCertificates())
  const tls = { cert: certificatePem, key: keyPem, ...acceptedClients(caPem) }
  const { port, log } = deps
  const server = await startHttpsServer({ host, port }, tls, (closing) => {
    const requests = new RequestServer(deps, closing)
    return {
      serve: (incoming, response) => requests.serve(incoming, response),
      upgrade: (upgrade) => requests.upgrade(upgrade),
      failed: (level, { message }) => {
        const what = level === 'debug' ? 'a connection to' : 'the listener of'
        log[level](`${what} the sandbox failed`, { error: message })
      },
    }
  })
  if (!server.ok) {
    const kind = server.error.code === 'EADDRINUSE' ? 'port-taken' : 'failed'
    return err({ kind, message: listenMessage(port, server.error) })
  }
  return ok({ url: `https://${host}:${server.value.port}`, caPem, stop: server.value.stop })
}
