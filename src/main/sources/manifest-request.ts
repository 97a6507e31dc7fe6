import type { Agent, Dispatcher } from 'undici'
import { systemCertificates } from './system-certificates.ts'

/** What came of asking the manifest URL. */
export type UrlAnswer =
  | { readonly kind: 'answer'; readonly status: number; readonly body: Buffer }
  /** In a few words: `connection refused`. */
  | { readonly kind: 'failed'; readonly words: string }

export interface UrlHeader {
  readonly name: string
  readonly value: string
}

/** Asks once. Never rejects. */
export type AskUrl = (signal: AbortSignal) => Promise<UrlAnswer>

export interface ManifestRequestDeps {
  readonly url: string
  readonly headers: readonly UrlHeader[]
  /** PEM, in place of what the machine trusts. */
  readonly authorities?: readonly string[]
  /** Real ms until the whole answer is there. */
  readonly timeoutMs?: number
}

// kubelet: the HTTP client's timeout, and maxConfigLength.
const defaultTimeoutMs = 10_000
const maxBodyBytes = 10 * 1024 * 1024
// What Go's HTTP client does: so many redirects, of these kinds, and these headers only to the same host.
const maxRedirects = 10
const maxRedirectBytes = 2048
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const boundToHost: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'cookie2',
  'www-authenticate',
])

/** One sentence's worth of failure, that is nobody's fault here. */
class RequestFailure extends Error {}

/** Asks a manifest URL as the kubelet does: GET, its headers, redirects followed, limits on time and size. */
export function manifestRequest(deps: ManifestRequestDeps): {
  readonly ask: AskUrl
  readonly close: () => Promise<void>
} {
  let agent: Promise<Agent> | undefined
  const ask: AskUrl = async (stopped) => {
    const timeout = AbortSignal.timeout(deps.timeoutMs ?? defaultTimeoutMs)
    try {
      agent ??= makeAgent(deps.authorities)
      const signal = AbortSignal.any([stopped, timeout])
      const { statusCode, body } = await follow(deps, await agent, signal)
      return { kind: 'answer', status: statusCode, body: await bodyOf(body) }
    } catch (error) {
      if (timeout.aborted)
        return {
          kind: 'failed',
          words: `no response within ${(deps.timeoutMs ?? defaultTimeoutMs) / 1000} s`,
        }
      return { kind: 'failed', words: failureWords(error) }
    }
  }
  const close = async (): Promise<void> => {
    // One that could not be made was told of by each question.
    await agent?.then(
      (made) => made.destroy(),
      () => undefined,
    )
  }
  return { ask, close }
}

async function makeAgent(authorities: readonly string[] | undefined): Promise<Agent> {
  // Imported late: most starts have no manifest URL, and it costs a start some 100 ms.
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
    const answer = await undici.request(bare(url), {
      method: 'GET',
      headers: headersFor(url, first, deps.headers),
      dispatcher,
      // One for each request, which leaves its listener on it.
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

/** undici takes no user in a URL. */
function bare(url: URL): URL {
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
    // The Host is the URL's own, as with Go.
    if (lower === 'host') return false
    return !boundToHost.has(lower) || isSameSite(url.hostname, first.hostname)
  })
  const names = new Set(headers.map(({ name }) => name.toLowerCase()))
  const all = headers.flatMap(({ name, value }) => [name, value])
  if (!names.has('user-agent')) all.push('user-agent', 'nodescope')
  if (url.username !== '' && !names.has('authorization')) all.push('authorization', basic(url))
  return all
}

function basic(url: URL): string {
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

const words: Readonly<Record<string, string>> = {
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

function failureWords(error: unknown): string {
  if (error instanceof RequestFailure) return error.message
  const code = codeOf(error)
  // Not the error's own message: it may quote a header.
  return words[code] ?? (code === '' ? 'the request failed' : `the request failed (${code})`)
}

/** An error that wraps those of several addresses carries them in `errors`. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return 'errors' in error && Array.isArray(error.errors) ? codeOf(error.errors[0]) : ''
}
