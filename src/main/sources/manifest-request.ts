import type { Agent, Dispatcher } from 'undici'
import { errorCode } from '../cluster/transport/transport-failures.ts'
import { systemCertificates } from './system-certificates.ts'

/** The result of a GET of the manifest URL. */
export type ManifestUrlResponse =
  | { readonly kind: 'response'; readonly status: number; readonly body: Buffer }
  /** A few words: `connection refused`. */
  | { readonly kind: 'failed'; readonly reason: string }

export interface UrlHeader {
  readonly name: string
  readonly value: string
}

/** One GET. Never rejects. */
export type FetchManifestUrl = (signal: AbortSignal) => Promise<ManifestUrlResponse>

export interface ManifestRequestDeps {
  readonly url: string
  readonly headers: readonly UrlHeader[]
  /** PEM; replaces the certificate authorities of the machine. */
  readonly authorities?: readonly string[]
  /** Real ms for the whole response. */
  readonly timeoutMs?: number
}

// kubelet: the HTTP client's timeout, and maxConfigLength.
const defaultTimeoutMs = 10_000
const maxBodyBytes = 10 * 1024 * 1024
// Like Go's HTTP client: redirects of these kinds, sensitive headers only to the same host and its subdomains.
const maxRedirects = 10
const maxRedirectBytes = 2048
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const sensitiveHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'cookie2',
  'www-authenticate',
])

/** A failure whose message is the reason to report. */
class RequestFailure extends Error {}

/** Reads a manifest URL like the kubelet: GET with its headers, redirects, limits on time and size. */
export function manifestRequest(deps: ManifestRequestDeps): {
  readonly fetch: FetchManifestUrl
  readonly close: () => Promise<void>
} {
  let agent: Promise<Agent> | undefined
  const { timeoutMs = defaultTimeoutMs } = deps
  const fetch: FetchManifestUrl = async (stopped) => {
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      agent ??= makeAgent(deps.authorities)
      const signal = AbortSignal.any([stopped, timeout])
      const { statusCode, body } = await follow(deps, await agent, signal)
      return { kind: 'response', status: statusCode, body: await bodyOf(body) }
    } catch (error) {
      const isTimeout = timeout.aborted
      const reason = isTimeout ? `no response within ${timeoutMs / 1000} s` : failureReason(error)
      return { kind: 'failed', reason }
    }
  }
  const close = async (): Promise<void> => {
    // Each fetch has reported an agent that could not be created.
    await agent?.then(
      (made) => made.destroy(),
      () => undefined,
    )
  }
  return { fetch, close }
}

async function makeAgent(authorities: readonly string[] | undefined): Promise<Agent> {
  // Imported here, because it takes some 100 ms and most starts have no manifest URL.
  const undici = await import('undici')
  const ca = authorities ?? (await systemCertificates())
  return new undici.Agent({
    connections: 1,
    ...(ca === undefined ? {} : { connect: { ca: [...ca] } }),
  })
}

async function follow(
  deps: ManifestRequestDeps,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const undici = await import('undici')
  const first = new URL(deps.url)
  let url = first
  for (let redirects = 0; ; redirects++) {
    const answer = await undici.request(withoutUser(url), {
      method: 'GET',
      headers: headersFor(url, first, deps.headers),
      dispatcher,
      // A signal for each request, because a request leaves its listener on it.
      signal: AbortSignal.any([signal]),
    })
    const location = answer.headers['location']
    if (!redirectStatuses.has(answer.statusCode) || typeof location !== 'string') return answer
    await answer.body.dump({ limit: maxRedirectBytes })
    if (redirects === maxRedirects)
      throw new RequestFailure(`stopped after ${maxRedirects} redirects`)
    url = redirected(url, location)
  }
}

function redirected(from: URL, location: string): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined
  if (to?.protocol !== 'http:' && to?.protocol !== 'https:')
    throw new RequestFailure('redirected to a URL that is not http or https')
  return to
}

/** undici accepts no user in a URL. */
function withoutUser(url: URL): URL {
  const without = new URL(url)
  without.username = ''
  without.password = ''
  return without
}

function isSameSite(host: string, first: string): boolean {
  return host === first || host.endsWith(`.${first}`)
}

function headersFor(url: URL, first: URL, given: readonly UrlHeader[]): string[] {
  const headers = given.filter(({ name }) => {
    const lower = name.toLowerCase()
    // Like Go, the Host is always the URL's.
    if (lower === 'host') return false
    return !sensitiveHeaders.has(lower) || isSameSite(url.hostname, first.hostname)
  })
  const names = new Set(headers.map(({ name }) => name.toLowerCase()))
  const all = headers.flatMap(({ name, value }) => [name, value])
  if (!names.has('user-agent')) all.push('user-agent', 'nodescope')
  if (url.username !== '' && !names.has('authorization'))
    all.push('authorization', basicAuthorization(url))
  return all
}

function basicAuthorization(url: URL): string {
  const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  return `Basic ${Buffer.from(user).toString('base64')}`
}

async function bodyOf(body: Dispatcher.ResponseData['body']): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    // A body without an encoding yields buffers.
    const buffer = chunk as Buffer
    bytes += buffer.length
    if (bytes > maxBodyBytes) throw new RequestFailure('the response is larger than 10 MiB')
    chunks.push(buffer)
  }
  return Buffer.concat(chunks)
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the DNS server does not respond',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to its network',
  ETIMEDOUT: 'no response in time',
  UND_ERR_CONNECT_TIMEOUT: 'no response in time',
  UND_ERR_HEADERS_TIMEOUT: 'no response in time',
  UND_ERR_BODY_TIMEOUT: 'no response in time',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted by this machine',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted by this machine',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted by this machine',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not trusted by this machine',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not use TLS on this port',
}

function failureReason(error: unknown): string {
  if (error instanceof RequestFailure) return error.message
  const code = errorCode(error)
  // Not the error's own message, which may quote a header.
  return reasons[code] ?? (code === '' ? 'the request failed' : `the request failed (${code})`)
}
