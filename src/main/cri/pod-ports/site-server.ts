import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpRequest, Listener } from '../../runtimes/simulated/network/listener.ts'

function requestOf({ method, url, rawHeaders, socket }: IncomingMessage): HttpRequest {
  const headers = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : [],
  )
  return { method: method ?? 'GET', path: url ?? '/', headers, from: socket.remoteAddress ?? '' }
}

/** What takes connections of HTTP clients. */
export function siteServer(http: NonNullable<Listener['http']>): (socket: Socket) => void {
  const server = createServer((request, response) => {
    request.resume()
    const answer = http(requestOf(request))
    if (answer === undefined) {
      request.socket.destroy()
      return
    }
    const { statusCode, body, headers = [] } = answer
    for (const [name, value] of headers) response.appendHeader(name, value)
    response.writeHead(statusCode)
    response.end(body)
  })
  return (socket) => {
    server.emit('connection', socket)
  }
}
