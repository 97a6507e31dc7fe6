import { goQuote } from '../../../shared/go/text.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { Clock } from '../ports.ts'
import type { HttpRequest } from './http-request.ts'
import { redirectedUrl } from './http-url.ts'
import type { HttpGetResponse, HttpHeader, PodNetwork } from './pod-network.ts'

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const maxRedirects = 10

interface HttpClientDeps {
  readonly network: PodNetwork
  readonly clock: Clock
}

/** A request that failed: what Go's url.Error prints. `reason` is the error below it. */
export interface HttpClientError {
  readonly message: string
  readonly reason: string
}

function failed(url: string, reason: string): Result<never, HttpClientError> {
  return err({ message: `Get ${goQuote(url)}: ${reason}`, reason })
}

const fieldName = /^[\w!#$%&'*+.^`|~-]+$/
// eslint-disable-next-line no-control-regex -- what no value may have
const notInValue = /[\u0000-\u0008\u000a-\u001f\u007f]/
const hostName = /^[\w!$%&'()*+,.:;=~[\]-]*$/

/** Why Go does not send a header (net/http validateHeaders, Request.write); undefined when it does. */
function headerFailure([name, value]: HttpHeader): string | undefined {
  if (name === 'Host') return hostName.test(value) ? undefined : 'http: invalid Host header'
  if (!fieldName.test(name)) return `net/http: invalid header field name ${goQuote(name)}`
  if (notInValue.test(value)) return `net/http: invalid header field value for ${goQuote(name)}`
  return undefined
}

function headerOf(headers: readonly HttpHeader[], wanted: string): string {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? ''
}

/**
 * A GET as the kubelet's clients make it: redirects are followed on the same host only, ten at most; one that leads
 * elsewhere is the answer itself (pkg/probe/http/http.go RedirectChecker). The timeout is for all together.
 */
export async function httpGet(
  { network, clock }: HttpClientDeps,
  request: HttpRequest,
  timeoutMs: number,
  causes?: TraceCauses,
): Promise<Result<HttpGetResponse, HttpClientError>> {
  const startedAt = clock.now()
  let { url, headers } = request
  for (let via = 1; ; via++) {
    const left = timeoutMs - (clock.now() - startedAt)
    const tooLate = 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)'
    if (left <= 0) return failed(url.text, tooLate)
    const { scheme, host, port, path } = url
    if (scheme !== 'http' && scheme !== 'https')
      return failed(url.text, `unsupported protocol scheme ${goQuote(scheme)}`)
    const wrong = headers.map(headerFailure).find((why) => why !== undefined)
    if (wrong !== undefined) return failed(url.text, wrong)
    const response = await network.httpGet(
      { scheme, host, port, path, headers, timeoutMs: left },
      causes,
    )
    if (!response.ok) return failed(url.text, response.error)
    const location = headerOf(response.value.headers, 'location')
    if (!redirects.has(response.value.statusCode) || location === '') return ok(response.value)
    const next = redirectedUrl(url, location)
    if (next === undefined)
      return failed(location, `failed to parse Location header ${goQuote(location)}`)
    if (next.host !== request.url.host) return ok(response.value)
    if (via >= maxRedirects) return failed(location, `stopped after ${maxRedirects} redirects`)
    const isRelative = !/^(?:[A-Za-z][\w+.-]*:|\/\/)/.test(location)
    headers = redirectedHeaders(headers, { from: url.text, isRelative })
    url = next
  }
}

/** A header Host of one's own stays on relative redirects; the URL before goes into Referer. */
function redirectedHeaders(
  headers: readonly HttpHeader[],
  { from, isRelative }: { readonly from: string; readonly isRelative: boolean },
): readonly HttpHeader[] {
  const kept = headers.filter(([name]) => name !== 'Referer' && (isRelative || name !== 'Host'))
  return [...kept, ['Referer', from]]
}
