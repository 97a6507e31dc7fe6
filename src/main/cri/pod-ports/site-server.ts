import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type {
  HttpAnswer,
  HttpRequest,
  Listener,
} from '../../runtimes/simulated/network/listener.ts'

function requestOf({ method, url, rawHeaders, socket }: IncomingMessage): HttpRequest {
  const headers = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : [],
  )
  return {
    method: method ?? 'GET',
    path: url ?? '/',
    headers,
    from: socket.remoteAddress ?? '127.0.0.1',
  }
}

/** As bytes of UTF-8, which Node writes as they are; a header cannot hold control characters. */
function headerText(value: string): string {
  return Buffer.from(value)
    .toString('latin1')
    .replaceAll(/[^\t\u{20}-\u{7e}\u{80}-\u{ff}]/gu, ' ')
}

/** False: HTTP has no such status. */
function send({ statusCode, body, headers = [] }: HttpAnswer, response: ServerResponse): boolean {
  if (!Number.isInteger(statusCode) || statusCode < 100 || statusCode > 999) return false
  for (const [name, value] of headers) response.appendHeader(name, headerText(value))
  response.writeHead(statusCode).end(body)
  return true
}

/** What takes connections of HTTP clients. One without an answer is closed, as Go's server does when its handler fails. */
export function siteServer(http: NonNullable<Listener['http']>): (socket: Duplex) => void {
  const server = createServer((request, response) => {
    request.resume()
    const answer = http(requestOf(request))
    if (answer === undefined || !send(answer, response)) request.socket.destroy()
  })
  return (socket) => {
    server.emit('connection', socket)
  }
}
