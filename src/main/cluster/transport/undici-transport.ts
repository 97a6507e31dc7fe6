import { Agent, ProxyAgent } from 'undici'
import type { Dispatcher } from 'undici'
import { isJsonObject } from '../../../shared/json.ts'
import { TransportError } from '../../../shared/kubernetes/request.ts'
import type {
  KubeRequest,
  KubeResponse,
  Transport,
  WatchEvent,
  WatchEventType,
  WatchStream,
} from '../../../shared/kubernetes/request.ts'
import type { Credential, CredentialSource } from '../kubeconfig/credential.ts'
import { JsonLineError, jsonLines } from './json-lines.ts'
import { isStaleConnection, transportErrorOf } from './transport-failures.ts'

export interface UndiciTransportDeps {
  /** Base URL as in the kubeconfig; may have a path. */
  readonly server: string
  readonly credentials: CredentialSource
  readonly proxyUrl?: string | undefined
  readonly userAgent?: string
  /** A virtual clock's `hold`: the clock waits for the response. */
  readonly hold?: () => () => void
  /**
   * Real ms. Default: 10 s to connect, 30 s until the response and between pieces of it, ten times that for the whole; for a
   * watch, until it opens.
   */
  readonly connectTimeoutMs?: number
  readonly requestTimeoutMs?: number
  /** Of one response; a watch has a limit for each line. Default 256 MiB: some 30,000 pods. */
  readonly maxResponseBytes?: number
}

/** Connections for one credential. Watches stay open for minutes and must not use up the connections of calls. */
interface Agents {
  readonly credential: Credential
  readonly calls: Dispatcher
  readonly watches: Dispatcher
}

const defaultConnectTimeoutMs = 10_000
const defaultRequestTimeoutMs = 30_000
/** How much longer than the limit a response may take that keeps coming. */
const slowFactor = 10
const defaultMaxResponseBytes = 256 * 1024 * 1024
const callConnections = 16
// Go's API server closes idle connections after 90 s; a shorter time avoids a race with it.
const keepAliveMs = 30_000
const watchEventTypes: readonly WatchEventType[] = [
  'ADDED',
  'MODIFIED',
  'DELETED',
  'BOOKMARK',
  'ERROR',
]

type Answer = Dispatcher.ResponseData

/**
 * A real API server over undici, with kept-alive connections. Reading a watch slowly slows the sender down. Time limits use
 * the system clock, whatever clock the cluster has.
 */
export class UndiciTransport implements Transport {
  readonly #deps: UndiciTransportDeps
  readonly #origin: string
  readonly #basePath: string
  readonly #isPlain: boolean
  #agents: Agents | undefined
  #isClosed = false

  constructor(deps: UndiciTransportDeps) {
    this.#deps = deps
    const url = new URL(deps.server)
    this.#origin = url.origin
    this.#basePath = url.pathname.replace(/\/+$/, '')
    this.#isPlain = url.protocol === 'http:'
  }

  async send(request: KubeRequest): Promise<KubeResponse> {
    const release = this.#deps.hold?.()
    try {
      return await this.#sendOnce(request)
    } catch (error) {
      if (this.#isClosed || request.method !== 'GET' || !isStaleConnection(error)) {
        throw error
      }
      return await this.#sendOnce(request)
    } finally {
      release?.()
    }
  }

  /** Ends every request and watch; later requests fail. */
  async close(): Promise<void> {
    this.#isClosed = true
    const agents = this.#agents
    this.#agents = undefined
    await Promise.all([agents?.calls.destroy(), agents?.watches.destroy()])
  }

  async #sendOnce(request: KubeRequest): Promise<KubeResponse> {
    const credential = await this.#deps.credentials.get()
    if (this.#isClosed) {
      throw new TransportError('unavailable', `The connection to ${this.#origin} was closed.`)
    }
    const isWatch = request.query?.['watch'] === 'true' || request.query?.['watch'] === '1'
    const abort = new AbortController()
    const limitMs = this.#deps.requestTimeoutMs ?? defaultRequestTimeoutMs
    let calls: Dispatcher | undefined
    const timer = setTimeout(() => {
      const message = `${this.#origin} did not respond within ${limitMs / 1000} seconds.`
      abort.abort(new TransportError('timeout', message))
      this.#leave(calls)
    }, limitMs)
    try {
      const agents = this.#agentsFor(credential)
      calls = agents.calls
      const answer = await (isWatch ? agents.watches : agents.calls).request({
        origin: this.#origin,
        path: this.#path(request),
        method: request.method,
        headers: this.#headers(request, credential),
        body: bodyOf(request),
        signal: abort.signal,
      })
      if (answer.statusCode === 401) this.#deps.credentials.refused()
      if (isWatch && answer.statusCode === 200) return this.#watch(answer, abort)
      // A slow connection is not a silent one.
      const mostAt = Date.now() + slowFactor * limitMs
      return await this.#readResponse(answer, () => {
        if (Date.now() < mostAt) timer.refresh()
      })
    } catch (error) {
      throw transportErrorOf(error, this.#origin)
    } finally {
      clearTimeout(timer)
    }
  }

  /** Ends the open watches, so that their readers open new ones on new connections. Calls have their own time limits. */
  dropWatches(): void {
    const agents = this.#agents
    if (agents === undefined) return
    this.#agents = { ...agents, watches: this.#agent(agents.credential, null) }
    void agents.watches.destroy()
  }

  /** Connections that are half-open are so together: later calls get new ones, calls under way end on theirs. */
  #leave(calls: Dispatcher | undefined): void {
    const agents = this.#agents
    if (agents === undefined || agents.calls !== calls) return
    this.#agents = { ...agents, calls: this.#agent(agents.credential, callConnections) }
    void agents.calls.close()
  }

  #path(request: KubeRequest): string {
    const query = new URLSearchParams(request.query ?? {}).toString()
    return this.#basePath + request.path + (query === '' ? '' : `?${query}`)
  }

  #headers(request: KubeRequest, credential: Credential): Record<string, string | string[]> {
    const headers: Record<string, string | string[]> = {
      'user-agent': this.#deps.userAgent ?? 'nodescope',
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
    }
    // Like client-go: plain HTTP would expose them.
    if (this.#isPlain) return headers
    for (const [name, value] of Object.entries(credential.headers)) {
      headers[name] = typeof value === 'string' ? value : [...value]
    }
    return headers
  }

  async #readResponse(answer: Answer, onPiece: () => void): Promise<KubeResponse> {
    const contentType = headerText(answer.headers['content-type'])
    const common = { status: answer.statusCode, contentType, headers: headerTexts(answer.headers) }
    const text = await this.#text(answer, onPiece)
    if (!/\bjson\b/.test(contentType)) return { kind: 'text', body: text, ...common }
    try {
      return { kind: 'object', body: text === '' ? undefined : JSON.parse(text), ...common }
    } catch (cause) {
      const message = `${this.#origin} returned invalid JSON.`
      throw new TransportError('invalid', message, { cause })
    }
  }

  /** The body as UTF-8, up to the limit. */
  async #text({ body }: Answer, onPiece: () => void): Promise<string> {
    const limit = this.#deps.maxResponseBytes ?? defaultMaxResponseBytes
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of body) {
      const bytes: Buffer = chunk
      onPiece()
      size += bytes.length
      if (size > limit) {
        // Leaving the loop closes the connection.
        const message = `${this.#origin} returned more than ${limit / 1024 / 1024} MiB; the rest was not read.`
        throw new TransportError('invalid', message)
      }
      chunks.push(bytes)
    }
    return Buffer.concat(chunks, size).toString('utf8')
  }

  #watch(answer: Answer, abort: AbortController): KubeResponse {
    let isStopped = false
    const { body } = answer
    const origin = this.#origin
    // The reader gets the error from the iterator; without a listener an unread watch would end the process.
    body.on('error', () => undefined)
    async function* events(): AsyncGenerator<WatchEvent> {
      try {
        for await (const value of jsonLines(body)) {
          if (isStopped) return
          yield watchEvent(value)
        }
      } catch (error) {
        if (isStopped) return
        if (error instanceof JsonLineError) {
          const message = `${origin}: ${error.message}.`
          throw new TransportError('invalid', message, { cause: error })
        }
        throw transportErrorOf(error, origin)
      }
    }
    const stream: WatchStream = {
      events: events(),
      stop: () => {
        if (isStopped) return
        isStopped = true
        abort.abort()
        body.destroy()
      },
    }
    return { kind: 'watch', status: 200, stream }
  }

  #agentsFor(credential: Credential): Agents {
    if (this.#agents !== undefined && isSameTls(this.#agents.credential.tls, credential.tls)) {
      return this.#agents
    }
    // A renewed client certificate needs new connections; requests in flight finish on the old ones.
    void this.#agents?.calls.close()
    void this.#agents?.watches.close()
    this.#agents = {
      credential,
      calls: this.#agent(credential, callConnections),
      watches: this.#agent(credential, null),
    }
    return this.#agents
  }

  #agent({ tls }: Credential, connections: number | null): Dispatcher {
    const connect = {
      timeout: this.#deps.connectTimeoutMs ?? defaultConnectTimeoutMs,
      keepAlive: true,
      keepAliveInitialDelay: 30_000,
    }
    // undici's time limits are off: `requestTimeoutMs` covers the whole request, and a watch has a watchdog.
    const options = {
      connections,
      allowH2: false,
      keepAliveTimeout: keepAliveMs,
      headersTimeout: 0,
      bodyTimeout: 0,
    }
    const { proxyUrl } = this.#deps
    return proxyUrl === undefined
      ? new Agent({ ...options, connect: { ...connect, ...tls } })
      : new ProxyAgent({ ...options, uri: proxyUrl, requestTls: tls, connect })
  }
}

/** Runs before each request; the texts are mostly identical objects. */
function isSameTls(one: Credential['tls'], other: Credential['tls']): boolean {
  return (
    one.ca === other.ca &&
    one.cert === other.cert &&
    one.key === other.key &&
    one.rejectUnauthorized === other.rejectUnauthorized &&
    one.servername === other.servername
  )
}

function bodyOf(request: KubeRequest): string | Uint8Array | null {
  if (request.body === undefined) return null
  return request.body instanceof Uint8Array ? request.body : JSON.stringify(request.body)
}

function headerText(value: string | readonly string[] | undefined): string {
  return typeof value === 'string' ? value : (value?.join(', ') ?? '')
}

function headerTexts(headers: Answer['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), headerText(value)]),
  )
}

function watchEvent(value: unknown): WatchEvent {
  const event = isJsonObject(value) ? value : {}
  const type = watchEventTypes.find((known) => known === event['type'])
  if (type === undefined) throw new JsonLineError('a line of the watch is not a watch event')
  return { type, object: event['object'] }
}
