import type { JsonObject } from '../../src/shared/json.ts'
import {
  closedPort,
  grpcNotFound,
  grpcServer,
  httpServer,
  httpsServer,
  tcpServer,
} from './servers.ts'
import type { Answer, TestServer } from './servers.ts'

/** A server, what asks it, and what a kubelet says of it. `PORT` in the texts stands for the server's port. */
export interface NetworkCase {
  readonly serve: () => Promise<TestServer>
  /** Of a probe or a hook; the port is a number, or `named` for that of the container. */
  readonly handler: (port: number) => JsonObject
  /** Default: so many that all is answered in time. */
  readonly timeoutSeconds?: number
  readonly result: 'Success' | 'Failure' | 'none'
  /** The message of the probe's event; absent: none. */
  readonly message?: string
}

function answering(status: number, body = '', headers: Record<string, string> = {}): Answer {
  return (_request, response) => {
    response.writeHead(status, headers).end(body)
  }
}

const get =
  (more: JsonObject = {}) =>
  (port: number): JsonObject => ({ httpGet: { path: '/', scheme: 'HTTP', port, ...more } })
const getTls = get({ scheme: 'HTTPS' })
const connect = (port: number): JsonObject => ({ tcpSocket: { port } })
const check = (service?: string) => (port: number) => ({
  grpc: { port, ...(service === undefined ? {} : { service }) },
})

const failed = (why: string, path = '/', scheme = 'http'): string =>
  `Readiness probe failed: Get "${scheme}://127.0.0.1:PORT${path}": ${why}`
const awaited = 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)'

/** Answers with what it was asked, in the body of a redirect that is not followed: it comes back in an event. */
const echo: Answer = ({ method, url, rawHeaders }, response) => {
  const lines = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : [],
  )
  const body = [`${method} ${url}`, ...lines.toSorted()].join('\n')
  response.writeHead(302, { location: 'http://elsewhere.invalid/' }).end(body)
}

function echoed(path: string, lines: readonly string[]): string {
  const asked = [`GET ${path}`, ...lines].join('\n')
  return `Readiness probe warning: Probe terminated redirects, Response body: ${asked}`
}

/** An answer to an HTTP request, and what is wrong with it. */
function notHttp(answer: string, why: string): Readonly<Record<string, NetworkCase>> {
  return {
    [`an answer that is not HTTP: ${why}`]: {
      serve: () => tcpServer((socket) => socket.end(answer)),
      handler: get(),
      result: 'Failure',
      message: failed(`net/http: HTTP/1.x transport connection broken: ${why}`),
    },
  }
}

const usual = [
  'Accept: */*',
  'Connection: close',
  'Host: 127.0.0.1:PORT',
  'User-Agent: kube-probe/1.34',
]

export const networkCases: Readonly<Record<string, NetworkCase>> = {
  'HTTP 200': { serve: () => httpServer(answering(200, 'ok')), handler: get(), result: 'Success' },
  'HTTP 204': { serve: () => httpServer(answering(204)), handler: get(), result: 'Success' },
  'HTTP 399 without a redirect': {
    serve: () => httpServer(answering(399, 'so')),
    handler: get(),
    result: 'Success',
    message: 'Readiness probe warning: Probe terminated redirects, Response body: so',
  },
  'HTTP 500': {
    serve: () => httpServer(answering(500, 'oh')),
    handler: get(),
    result: 'Failure',
    message: 'Readiness probe failed: HTTP probe failed with statuscode: 500',
  },
  'HTTP 101': {
    serve: () => httpServer(answering(101, '', { upgrade: 'x', connection: 'upgrade' })),
    handler: get(),
    result: 'Failure',
    message: 'Readiness probe failed: HTTP probe failed with statuscode: 101',
  },
  'HTTP 103, then 200': {
    serve: () =>
      httpServer((_request, response) => {
        response.writeEarlyHints({ link: '</a>; rel=preload' }, () => response.end('ok'))
      }),
    handler: get(),
    result: 'Success',
  },
  'a redirect on the same host': {
    serve: () =>
      httpServer((request, response) => {
        if (request.url === '/') response.writeHead(302, { location: '/b?c#d' }).end()
        else echo(request, response, 0)
      }),
    handler: get({ httpHeaders: [{ name: 'Host', value: 'own' }] }),
    result: 'Success',
    message: echoed('/b?c', [
      ...usual.slice(0, 2),
      'Host: own',
      'Referer: http://127.0.0.1:PORT/',
      ...usual.slice(3),
    ]),
  },
  'redirects without an end': {
    serve: () => httpServer(answering(301, '', { location: '/again' })),
    handler: get(),
    result: 'Failure',
    message: 'Readiness probe failed: Get "/again": stopped after 10 redirects',
  },
  'more than a probe keeps': {
    serve: () =>
      httpServer(answering(302, 'x'.repeat(30_000), { location: 'http://elsewhere.invalid/' })),
    handler: get(),
    result: 'Success',
    message: `Readiness probe warning: Probe terminated redirects, Response body: ${'x'.repeat(10_240)}`,
  },
  'the request as it arrives': {
    serve: () => httpServer(echo),
    handler: get(),
    result: 'Success',
    message: echoed('/', usual),
  },
  'headers of its own': {
    serve: () => httpServer(echo),
    handler: get({
      path: '/a b/ü?q=1',
      httpHeaders: [
        { name: 'x-custom-header', value: 'ü' },
        { name: 'X-Custom-Header', value: 'again' },
        { name: 'user-agent', value: 'mine' },
        { name: 'Accept', value: 'text/html' },
        { name: 'host', value: 'name' },
      ],
    }),
    result: 'Success',
    message: echoed('/a%20b/%C3%BC?q=1', [
      'Accept: text/html',
      'Connection: close',
      'Host: name',
      'User-Agent: mine',
      'X-Custom-Header: again',
      'X-Custom-Header: Ã¼',
    ]),
  },
  'a header that is none': {
    serve: () => httpServer(answering(200)),
    handler: get({ httpHeaders: [{ name: 'X-A', value: 'b\nc' }] }),
    result: 'Failure',
    message: failed('net/http: invalid header field value for "X-A"'),
  },
  'a named port': {
    serve: () => httpServer(answering(200)),
    handler: get({ port: 'named' }),
    result: 'Success',
  },
  'a port without that name': {
    serve: () => httpServer(answering(200)),
    handler: get({ port: 'other' }),
    result: 'none',
    message:
      'Readiness probe errored and resulted in unknown state: strconv.Atoi: parsing "other": invalid syntax',
  },
  localhost: {
    serve: () => httpServer(answering(503)),
    handler: get({ host: 'localhost' }),
    result: 'Failure',
    message: 'Readiness probe failed: HTTP probe failed with statuscode: 503',
  },
  'nothing listens': {
    serve: closedPort,
    handler: get(),
    result: 'Failure',
    message: failed('dial tcp 127.0.0.1:PORT: connect: connection refused'),
  },
  'no answer': {
    serve: () => tcpServer(() => undefined),
    handler: get(),
    timeoutSeconds: 1,
    result: 'Failure',
    message: failed(awaited),
  },
  'a body that does not end': {
    serve: () =>
      httpServer((_request, response) => {
        response.writeHead(200).write('a')
      }),
    handler: get(),
    timeoutSeconds: 2,
    result: 'none',
    message:
      'Readiness probe errored and resulted in failure state: context deadline exceeded (Client.Timeout or context cancellation while reading body)',
  },
  'a body that is cut off': {
    serve: () =>
      tcpServer((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc')),
    handler: get(),
    result: 'none',
    message: 'Readiness probe errored and resulted in failure state: unexpected EOF',
  },
  'an empty answer': {
    serve: () => tcpServer((socket) => socket.end()),
    handler: get(),
    result: 'Failure',
    message: failed('EOF'),
  },
  'headers that are cut off': {
    serve: () => tcpServer((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n')),
    handler: get(),
    result: 'Failure',
    message: failed('net/http: HTTP/1.x transport connection broken: unexpected EOF'),
  },
  ...notHttp('SSH-2.0-OpenSSH_10.0\r\n', 'malformed HTTP response "SSH-2.0-OpenSSH_10.0"'),
  ...notHttp('-ERR unknown command\r\n', 'malformed HTTP status code "unknown"'),
  ...notHttp('ICY 200 OK\r\n\r\n', 'malformed HTTP version "ICY"'),
  ...notHttp('HTTP/1.1 200 OK\r\nwhat\r\n\r\n', 'malformed MIME header: missing colon: "what"'),
  'HTTPS, whatever the certificate': {
    serve: () => httpsServer(answering(200)),
    handler: getTls,
    result: 'Success',
  },
  'HTTPS to an HTTP server': {
    serve: () => httpServer(answering(200)),
    handler: getTls,
    result: 'Failure',
    message: failed('http: server gave HTTP response to HTTPS client', '/', 'https'),
  },
  'HTTPS to a server of something else': {
    serve: () => tcpServer((socket) => socket.end('-ERR unknown command\r\n')),
    handler: getTls,
    result: 'Failure',
    message: failed('tls: first record does not look like a TLS handshake', '/', 'https'),
  },
  'HTTPS to a server that hangs up': {
    serve: () => tcpServer((socket) => socket.end()),
    handler: getTls,
    result: 'Failure',
    message: failed('EOF', '/', 'https'),
  },
  'HTTPS without an answer': {
    serve: () => tcpServer(() => undefined),
    handler: getTls,
    timeoutSeconds: 1,
    result: 'Failure',
    message: failed(awaited, '/', 'https'),
  },
  'HTTP to an HTTPS server': {
    serve: () => httpsServer(answering(200)),
    handler: get(),
    result: 'Failure',
    message: failed('EOF'),
  },
  'TCP, open': { serve: () => tcpServer(() => undefined), handler: connect, result: 'Success' },
  'TCP, closed': {
    serve: closedPort,
    handler: connect,
    result: 'Failure',
    message: 'Readiness probe failed: dial tcp 127.0.0.1:PORT: connect: connection refused',
  },
  'gRPC, serving': {
    serve: () => grpcServer(() => ({ status: 1 })),
    handler: check(),
    result: 'Success',
  },
  'gRPC, a service that does not serve': {
    serve: () => grpcServer((service) => ({ status: service === 'a.b' ? 2 : 1 })),
    handler: check('a.b'),
    result: 'Failure',
    message: 'Readiness probe failed: service unhealthy (responded with "NOT_SERVING")',
  },
  'gRPC, unknown': {
    serve: () => grpcServer(() => ({ status: 0 })),
    handler: check(),
    result: 'Failure',
    message: 'Readiness probe failed: service unhealthy (responded with "UNKNOWN")',
  },
  'gRPC, a service that it does not have': {
    serve: () => grpcServer(() => ({ code: grpcNotFound })),
    handler: check('a'),
    result: 'Failure',
    message:
      'Readiness probe failed: error: health rpc probe failed: rpc error: code = NotFound desc = code 5',
  },
  'gRPC without health checks': {
    serve: () => grpcServer(undefined),
    handler: check(),
    result: 'Failure',
    message:
      'Readiness probe failed: error: this server does not implement the grpc health protocol (grpc.health.v1.Health): The server does not implement the method /grpc.health.v1.Health/Check',
  },
  'gRPC without an answer': {
    serve: () => grpcServer(() => 'never'),
    handler: check(),
    timeoutSeconds: 1,
    result: 'Failure',
    message: 'Readiness probe failed: timeout: health rpc did not complete within 1s',
  },
  'gRPC, nothing listens': {
    serve: closedPort,
    handler: check(),
    timeoutSeconds: 1,
    result: 'Failure',
    message:
      'Readiness probe failed: timeout: failed to connect service "127.0.0.1:PORT" within 1s: context deadline exceeded',
  },
  'gRPC to an HTTP server': {
    serve: () => httpServer(answering(200)),
    handler: check(),
    timeoutSeconds: 1,
    result: 'Failure',
    message:
      'Readiness probe failed: timeout: failed to connect service "127.0.0.1:PORT" within 1s: context deadline exceeded',
  },
}
