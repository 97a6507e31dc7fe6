import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { defined } from '../../../shared/json.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type {
  KubeletRequest,
  KubeletResponse,
  KubeletText,
} from '../../kubelet/server/kubelet-request.ts'
import { httpError } from '../../kubelet/server/kubelet-request.ts'
import type { KubeletServer } from '../../kubelet/server/kubelet-server.ts'
import type { RequestAuth } from '../../kubelet/server/request-authorization.ts'
import type { Log } from '../../kubelet/ports.ts'
import { startHttpsServer } from '../../sandbox/surface/https-server.ts'
import type { HttpsServer, UpgradeRequest } from '../../sandbox/surface/https-server.ts'
import { writeResponse } from '../../sandbox/surface/response-writer.ts'

export interface KubeletListenerDeps {
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
  /** Absent: no connection succeeds before `setSecureContext`. */
  readonly certificatePem?: string | undefined
  readonly keyPem?: string | undefined
  /** Asks clients for certificates of these CAs; empty: none is accepted yet. Absent: asks for none. */
  readonly clientCas?: readonly string[] | undefined
  /** Of the kubelet that runs now; undefined: none, and connections are closed. */
  readonly server: () => Pick<KubeletServer, 'handle' | 'upgrade'> | undefined
  readonly authOf: (incoming: IncomingMessage) => RequestAuth
  /** Serves the streams at the URL, or refuses. */
  readonly serveStream: (upgrade: UpgradeRequest, stream: Result<string, KubeletText>) => void
  /** Before each request: brings a virtual clock to the present. */
  readonly beforeRequest?: () => void
  readonly log: Log
}

/** As a kubelet's server has it (ListenAndServeKubeletServer). */
const maxHeaderSize = 1024 * 1024

const compress = promisify(gzip)

/** Undefined for a path that is no text. */
function requestOf({ method = 'GET', url = '/' }: IncomingMessage): KubeletRequest | undefined {
  const [, path = '/', search = ''] = /^([^?]*)\??([^]*)$/.exec(url) ?? []
  const parameters = new URLSearchParams(search)
  const query = new Map<string, string>()
  // Go uses the first of several values.
  for (const [name, value] of parameters) if (!query.has(name)) query.set(name, value)
  try {
    return {
      method,
      path: decodeURIComponent(path),
      query: Object.fromEntries(query),
      command: parameters.getAll('command'),
    }
  } catch {
    return undefined
  }
}

const badRequest = httpError(400, '400 Bad Request')

/** Metrics are compressed for clients that accept gzip. */
async function compressed(
  incoming: IncomingMessage,
  answer: KubeletResponse,
): Promise<KubeletResponse | { readonly zipped: Buffer; readonly answer: KubeletText }> {
  const accepted = String(incoming.headers['accept-encoding'] ?? '')
  const isMetrics = answer.contentType.startsWith('text/plain; version=')
  if (answer.kind !== 'text' || !isMetrics || !/\bgzip\b/.test(accepted)) return answer
  return { zipped: await compress(answer.body), answer }
}

class RequestServer {
  readonly #deps: KubeletListenerDeps
  readonly #closing: AbortSignal

  constructor(deps: KubeletListenerDeps, closing: AbortSignal) {
    this.#deps = deps
    this.#closing = closing
  }

  async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const answer = await this.#answer(incoming)
      // Like a process that does not run.
      if (answer === undefined) incoming.socket.destroy()
      else await this.#write(incoming, response, answer)
    } catch (error) {
      if (response.destroyed) return
      this.#deps.log.error('a request to the kubelet failed', { path: incoming.url, error })
      response.destroy()
    }
  }

  async upgrade(upgrade: UpgradeRequest): Promise<void> {
    const { server, authOf, serveStream, beforeRequest } = this.#deps
    const { request: incoming, socket } = upgrade
    socket.on('error', () => undefined)
    const [kubelet, request] = [server(), requestOf(incoming)]
    if (kubelet === undefined) {
      socket.destroy()
      return
    }
    beforeRequest?.()
    const stream = request && (await kubelet.upgrade(request, authOf(incoming)))
    if (stream === undefined) serveStream(upgrade, err(badRequest))
    else if (stream.ok) serveStream(upgrade, ok(stream.value))
    else serveStream(upgrade, err(wholeAnswer(stream.error)))
  }

  async #answer(incoming: IncomingMessage): Promise<KubeletResponse | undefined> {
    const { server, authOf, beforeRequest } = this.#deps
    const [kubelet, request] = [server(), requestOf(incoming)]
    if (kubelet === undefined || request === undefined)
      return kubelet === undefined ? undefined : badRequest
    beforeRequest?.()
    return kubelet.handle(request, authOf(incoming))
  }

  async #write(
    incoming: IncomingMessage,
    response: ServerResponse,
    answer: KubeletResponse,
  ): Promise<void> {
    const written = await compressed(incoming, answer)
    if (!('zipped' in written)) {
      await writeResponse(response, written, { closing: this.#closing, limitMs: undefined })
      return
    }
    const { zipped, answer: text } = written
    response.writeHead(text.status, {
      ...text.headers,
      'content-type': text.contentType,
      'content-encoding': 'gzip',
      'content-length': zipped.length,
    })
    response.end(zipped)
  }
}

/** What comes over time is not for a client that wants another protocol. */
function wholeAnswer(answer: KubeletResponse): KubeletText {
  if (answer.kind === 'text') return answer
  answer.stream.stop()
  return badRequest
}

/** The kubelet's own server on a port of this machine. The error is what the operating system says. */
export function startKubeletListener(
  deps: KubeletListenerDeps,
): Promise<Result<HttpsServer, NodeJS.ErrnoException>> {
  const { host, port, certificatePem: cert, keyPem: key, clientCas, log } = deps
  const clients =
    clientCas === undefined
      ? {}
      : { ca: [...clientCas], requestCert: true, rejectUnauthorized: false }
  const options = { ...defined({ cert, key }), maxHeaderSize, ...clients }
  return startHttpsServer({ host, port }, options, (closing) => {
    const requests = new RequestServer(deps, closing)
    return {
      serve: (incoming, response) => requests.serve(incoming, response),
      upgrade: (upgrade) => requests.upgrade(upgrade),
      failed: (level, { message }) => {
        log[level]('the kubelet’s server failed', { error: message })
      },
    }
  })
}
