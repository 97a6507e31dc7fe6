import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { HttpMethod, KubeRequest } from '../../../shared/kubernetes/request.ts'
import { err, ok, type Result } from '../../../shared/result.ts'
import type { ParseText } from '../../parsing/kubernetes-text.ts'
import type { Refusal } from './refusal.ts'
import { bodyLimitBytes, decodeBody, readBody } from './request-body.ts'

const methods: ReadonlySet<string> = new Set<HttpMethod>(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

function isMethod(method: string): method is HttpMethod {
  return methods.has(method)
}

/** Without the credential: nothing behind this point may see, log or record it. */
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
    // The first of several counts, as in Go.
    if (!query.has(name)) query.set(name, value)
  }
  return Object.fromEntries(query)
}

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator)
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + separator.length)]
}

/** `kubectl` of `kubectl/v1.33.1 (linux/amd64) kubernetes/8adc0f0`. */
export function clientName(headers: IncomingHttpHeaders): string {
  return splitOnce(splitOnce(headers['user-agent'] ?? '', ' ')[0] ?? '', '/')[0] ?? ''
}

/** An HTTP request as the value that the API server handles, its body decoded. Rejects when the client hangs up. */
export async function readRequest(
  incoming: IncomingMessage,
  parse: ParseText,
): Promise<Result<KubeRequest, Refusal>> {
  const method = incoming.method ?? ''
  const bytes = await readBody(incoming)
  if (!isMethod(method)) {
    return err({ kind: 'method-not-allowed', message: `the method ${method} is not supported` })
  }
  if (bytes === undefined) {
    const message = `Request entity too large: limit is ${bodyLimitBytes}`
    return err({ kind: 'too-large', message })
  }
  const headers = plainHeaders(incoming.headers)
  const body = await decodeBody(bytes, headers['content-type'] ?? '', parse)
  if (!body.ok) return body
  const [path = '/', search = ''] = splitOnce(incoming.url ?? '/', '?')
  const request = { method, path, query: queryOf(search), headers }
  const { value, fields } = body.value
  if (value === undefined) return ok(request)
  return ok({ ...request, body: value, ...(fields === undefined ? {} : { bodyFields: fields }) })
}
