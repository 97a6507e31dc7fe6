import { joinHostPort } from './host-port.ts'

/** As much of Go's net/url as a probe's URLs need. */
export interface HttpUrl {
  readonly scheme: string
  readonly host: string
  readonly port: number
  /** Path and query, as the request line has them. */
  readonly path: string
  /** As Go prints it in errors. */
  readonly text: string
}

const defaultPorts: Readonly<Record<string, number>> = { http: 80, https: 443 }

/** What may stand in a path as it is written (url.validEncoded). */
const validPath = /^(?:[\w.~!$&'()*+,;=:@[\]/-]|%[\dA-Fa-f]{2})*$/
/** What Go writes without an escape (url.shouldEscape with encodePath). */
const plainInPath = /[\w.~$&+,/:;=@-]/
const badEscape = /%(?![\dA-Fa-f]{2})/
// eslint-disable-next-line no-control-regex -- a URL with one is not parsed
const control = /[\u0000-\u001f\u007f]/

function escapeText(text: string): string {
  return Array.from(text)
    .map((character) => {
      if (plainInPath.test(character)) return character
      const encoded = encodeURIComponent(character)
      if (encoded !== character) return encoded
      return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    // Bytes that are no UTF-8.
    return path
  }
}

/** url.URL.EscapedPath of a path as it was written. */
function escapedPath(path: string): string {
  return validPath.test(path) ? path : escapeText(decoded(path))
}

function cut(text: string, at: string): readonly [before: string, after: string | undefined] {
  const index = text.indexOf(at)
  return index === -1 ? [text, undefined] : [text.slice(0, index), text.slice(index + at.length)]
}

/** The parts of a reference: a path like `/a?b`, or a whole URL. Undefined where Go does not parse it. */
function parseReference(
  reference: string,
):
  | { scheme?: string; authority?: string; path: string; query: string; fragment: string }
  | undefined {
  if (control.test(reference)) return undefined
  const [beforeFragment, fragment] = cut(reference, '#')
  const schemed = /^([A-Za-z][A-Za-z\d+.-]*):/.exec(beforeFragment)
  const afterScheme = schemed === null ? beforeFragment : beforeFragment.slice(schemed[0].length)
  const [beforeQuery, query] = cut(afterScheme, '?')
  // `a:b` is taken as a scheme, `:b` and `1:b` are refused.
  if (schemed === null && /^[^/]*:/.test(beforeQuery)) return undefined
  const hasAuthority = beforeQuery.startsWith('//') && !beforeQuery.startsWith('///')
  const [, authority = '', rest = ''] = hasAuthority
    ? (/^\/\/([^/]*)(.*)$/.exec(beforeQuery) ?? [])
    : [undefined, undefined, beforeQuery]
  if (badEscape.test(rest)) return undefined
  return {
    ...(schemed === null ? {} : { scheme: (schemed[1] ?? '').toLowerCase() }),
    ...(hasAuthority ? { authority } : {}),
    path: rest,
    query: query === undefined ? '' : `?${query}`,
    fragment: fragment === undefined || fragment === '' ? '' : `#${fragment}`,
  }
}

/** pkg/probe/http/request.go formatURL: the path may hold a query; scheme and host are the given ones. */
export function httpUrl(given: {
  readonly scheme: string
  readonly host: string
  readonly port: number
  readonly path: string
}): HttpUrl {
  const { scheme, host, port, path: written } = given
  const parsed = parseReference(written)
  // What cannot be parsed goes into the path as it stands.
  const path = parsed === undefined ? escapeText(written) : escapedPath(parsed.path)
  const absolute = path === '' || path.startsWith('/') ? path : `/${path}`
  const query = parsed?.query ?? ''
  const text = `${scheme}://${joinHostPort(host, port)}${absolute}${query}${parsed?.fragment ?? ''}`
  return { scheme, host, port, path: `${absolute || '/'}${query}`, text }
}

function withoutDots(path: string): string {
  const kept: string[] = []
  const segments = path.split('/').slice(1)
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1
    if (segment === '..') kept.pop()
    else if (segment !== '.') kept.push(segment)
    if (isLast && (segment === '.' || segment === '..')) kept.push('')
  }
  return `/${kept.join('/')}`
}

/** The URL that a Location header names (url.URL.Parse); undefined where it is not one. */
export function redirectedUrl(from: HttpUrl, location: string): HttpUrl | undefined {
  const parsed = parseReference(location)
  if (parsed === undefined) return undefined
  const scheme = parsed.scheme ?? from.scheme
  const [, host = from.host, port = ''] =
    parsed.authority === undefined
      ? [undefined, from.host, String(from.port)]
      : (/^(?:[^@]*@)?(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(parsed.authority) ?? [])
  const isRelative = parsed.authority === undefined && !parsed.path.startsWith('/')
  const [basePath, baseQuery] = cut(from.path, '?')
  const joined = isRelative
    ? parsed.path === ''
      ? basePath
      : basePath.slice(0, basePath.lastIndexOf('/') + 1) + parsed.path
    : parsed.path
  const keepsQuery = isRelative && parsed.path === '' && parsed.query === ''
  const query = keepsQuery && baseQuery !== undefined ? `?${baseQuery}` : parsed.query
  const path = joined === '' ? '' : withoutDots(escapedPath(joined))
  const bare = host.replaceAll(/^\[|\]$/g, '')
  const authority = parsed.authority ?? joinHostPort(from.host, from.port)
  return {
    scheme,
    host: bare,
    port: port === '' ? (defaultPorts[scheme] ?? 0) : Number(port),
    path: `${path || '/'}${query}`,
    text: `${scheme}://${authority}${path}${query}${parsed.fragment}`,
  }
}
