import type { Container } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { resolveContainerPort } from './container-port.ts'
import type { HttpGetAction } from './handler-spec.ts'
import { httpUrl } from './http-url.ts'
import type { HttpUrl } from './http-url.ts'
import type { HttpHeader } from './pod-network.ts'

/** The version that the kubelet names in its requests: major and minor only. */
export const userAgentVersion = '1.34'

export interface HttpRequest {
  readonly url: HttpUrl
  readonly headers: readonly HttpHeader[]
}

/** The characters of a header's name that Go takes as one (textproto validHeaderFieldByte). */
const token = /^[\w!#$%&'*+.^`|~-]*$/

/** net/textproto CanonicalMIMEHeaderKey. */
function canonicalHeader(name: string): string {
  if (!token.test(name)) return name
  return name.toLowerCase().replaceAll(/(^|-)[a-z]/g, (start) => start.toUpperCase())
}

function headersOf(
  given: readonly HttpHeader[],
  purpose: 'probe' | 'lifecycle',
): readonly HttpHeader[] {
  const headers = given.map(([name, value]): HttpHeader => [canonicalHeader(name), value])
  const first = (wanted: string): string | undefined =>
    headers.find(([name]) => name === wanted)?.[1]
  const host = first('Host') ?? ''
  const agent = first('User-Agent') ?? `kube-${purpose}/${userAgentVersion}`
  const own = headers.filter(([name]) => name !== 'Host' && name !== 'User-Agent')
  const accepted =
    first('Accept') === ''
      ? own.filter(([name]) => name !== 'Accept')
      : first('Accept') === undefined
        ? [...own, ['Accept', '*/*'] as const]
        : own
  return [
    ...(host === '' ? [] : [['Host', host] as const]),
    // Go sends no empty one.
    ...(agent === '' ? [] : [['User-Agent', agent] as const]),
    ...accepted,
  ]
}

/** The request of a probe or a hook (pkg/probe/http/request.go NewRequestForHTTPGetAction). */
export function httpRequestOf(
  action: HttpGetAction,
  container: Container,
  podIP: string,
  purpose: 'probe' | 'lifecycle',
): Result<HttpRequest, string> {
  const port = resolveContainerPort(action.port, container)
  if (!port.ok) return err(port.error)
  const scheme = action.scheme.toLowerCase() || 'http'
  const host = action.host || podIP
  const url = httpUrl({ scheme, host, port: port.value, path: action.path })
  return ok({ url, headers: headersOf(action.headers, purpose) })
}
