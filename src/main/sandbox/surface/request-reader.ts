import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { HttpMethod, KubeRequest } from '../../../shared/kubernetes/request.ts'
import { err, ok } from '../../../shared/result.ts'
import type { ParseText } from '../../parsing/kubernetes-text.ts'
import { methodNotAllowed, requestTooLarge } from '../api-status.ts'
import type { ApiResult } from '../api-status.ts'
import { bodyLimitBytes, decodeBody, readBody } from './request-body.ts'

const methods: ReadonlySet<string> = new Set<HttpMethod>(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

function isMethod(method: string): method is HttpMethod {
  return methods.has(method)
}

/** The headers without the credential, which must not be logged or recorded. */
function plainHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || name === 'authorization'
        ? []
        : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
}

function queryOf(search: string): Record<string, string> {
  const query = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(search)) {
    // Go uses the first of several values.
    if (!query.has(name)) query.set(name, value)
  }
  return Object.fromEntries(query)
}

/** `kubectl` of `kubectl/v1.33.1 (linux/amd64) kubernetes/8adc0f0`. */
export function clientName(headers: IncomingHttpHeaders): string {
  return /^[^ /]*/.exec(headers['user-agent'] ?? '')?.[0] ?? ''
}

type RequestLine = Pick<KubeRequest, 'method' | 'path' | 'query'>

/** The method, the path and the query. Undefined: the server does not support the method. */
export function requestLine({ method = '', url = '/' }: IncomingMessage): RequestLine | undefined {
  const [, path = '/', search = ''] = /^([^?]*)\??([^]*)$/.exec(url) ?? []
  return isMethod(method) ? { method, path, query: queryOf(search) } : undefined
}

/** Reads an HTTP request and decodes its body. The error is the answer. Rejects when the client closes the connection. */
export async function readRequest(
  incoming: IncomingMessage,
  parse: ParseText,
): Promise<ApiResult<KubeRequest>> {
  const line = requestLine(incoming)
  const bytes = await readBody(incoming)
  if (line === undefined)
    return err(methodNotAllowed(`the method ${incoming.method} is not supported`))
  if (bytes === undefined) return err(requestTooLarge(`limit is ${bodyLimitBytes}`))
  const headers = plainHeaders(incoming.headers)
  const body = await decodeBody(bytes, headers['content-type'] ?? '', parse)
  if (!body.ok) return body
  const request = { ...line, headers }
  const { value, fields } = body.value
  if (value === undefined) return ok(request)
  return ok({ ...request, body: value, ...(fields === undefined ? {} : { bodyFields: fields }) })
}
