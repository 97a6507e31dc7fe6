import type { Result } from '../../../shared/result.ts'
import type { KubeletText } from '../../kubelet/server/kubelet-request.ts'
import { STATUS_CODES } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { bytesOfText } from '../../files/byte-text.ts'
import { createWebSocketStream, WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import { CommandInput, internalError, runCommand, translatedError } from './command-streams.ts'
import type { SayFailure } from './command-streams.ts'
import { maxUnreadBytes } from './spdy-connection.ts'
import { serveSpdy, spdyProtocolOf } from './serve-spdy.ts'
import type { PendingStream, StreamUrls } from './stream-urls.ts'

/** A request for another protocol on its connection. */
export interface Upgrade {
  readonly request: IncomingMessage
  readonly socket: Duplex
  /** What came with it. */
  readonly head: Buffer
}

export function refuse(socket: Duplex, statusLine: string, body = '', contentType = ''): void {
  const type = contentType === '' ? [] : [`Content-Type: ${contentType}`]
  const lines = [
    `HTTP/1.1 ${statusLine}`,
    'Connection: close',
    ...type,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  socket.on('error', () => undefined)
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
}

/** Serves the stream over SPDY/3.1, or refuses: then the answer is false. */
function upgradeToSpdy({ request, socket, head }: Upgrade, pending: PendingStream): boolean {
  socket.on('error', () => undefined)
  if (request.headers.upgrade?.toLowerCase() !== 'spdy/3.1') {
    refuse(socket, '400 Bad Request')
    return false
  }
  const protocol = spdyProtocolOf(request.headers['x-stream-protocol-version'], pending)
  if (protocol === undefined) {
    refuse(socket, '403 Forbidden')
    return false
  }
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'Connection: Upgrade',
    'Upgrade: SPDY/3.1',
    `X-Stream-Protocol-Version: ${protocol}`,
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  serveSpdy(socket, head, pending)
  return true
}

/** Newest first. */
const webSocketProtocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io']
/** SPDY in the messages of a WebSocket. */
const tunnelProtocol = 'SPDY/3.1+portforward.k8s.io'

const webSockets = new WebSocketServer({
  noServer: true,
  maxPayload: 1024 * 1024,
  perMessageDeflate: false,
  handleProtocols: (offered) =>
    [...webSocketProtocols, tunnelProtocol].find((protocol) => offered.has(protocol)) ?? false,
})

/**
 * Serves streams to clients of an API server, over WebSocket or SPDY/3.1. A kubelet's refusal reaches a WebSocket client as the
 * Status of its command, as kube-apiserver translates it (apiserver pkg/util/proxy/streamtranslator.go).
 */
export function streamServer(
  urls: StreamUrls,
): (upgrade: Upgrade, stream: Result<string, KubeletText>) => void {
  return (upgrade, stream) => {
    const pending = stream.ok ? urls.take(stream.value) : undefined
    const isWebSocket = isForWebSocket(upgrade)
    if (pending !== undefined) serveUpgrade(upgrade, pending, translatedError)
    else if (stream.ok) refuse(upgrade.socket, '404 Not Found')
    else if (isWebSocket && stream.error.contentType.startsWith('text/plain'))
      webSocketOf(upgrade, (client) => {
        refuseCommand(client, stream.error)
      })
    else refuseWith(upgrade.socket, stream.error)
  }
}

/** The same for clients of a kubelet: it answers a refusal itself. */
export function kubeletStreamServer(
  urls: StreamUrls,
): (upgrade: Upgrade, stream: Result<string, KubeletText>) => void {
  return (upgrade, stream) => {
    const pending = stream.ok ? urls.take(stream.value) : undefined
    if (pending !== undefined) serveUpgrade(upgrade, pending)
    else if (stream.ok) refuse(upgrade.socket, '404 Not Found')
    else refuseWith(upgrade.socket, stream.error)
  }
}

function isForWebSocket({ request }: Upgrade): boolean {
  return request.headers.upgrade?.toLowerCase() === 'websocket'
}

/** Serves the stream, or refuses: then the answer is false. */
export function serveUpgrade(
  upgrade: Upgrade,
  pending: PendingStream,
  sayFailure: SayFailure = internalError,
): boolean {
  if (!isForWebSocket(upgrade)) return upgradeToSpdy(upgrade, pending)
  upgradeToWebSocket(upgrade, pending, sayFailure)
  return true
}

function webSocketOf({ request, socket, head }: Upgrade, serve: (client: WebSocket) => void): void {
  webSockets.handleUpgrade(request, socket, head, (client) => {
    client.on('error', () => undefined)
    serve(client)
  })
}

function upgradeToWebSocket(
  upgrade: Upgrade,
  pending: PendingStream,
  sayFailure: SayFailure,
): void {
  webSocketOf(upgrade, (client) => {
    if (pending.kind === 'command') commandOver(client, pending, sayFailure)
    else serveSpdy(createWebSocketStream(client), Buffer.alloc(0), pending)
  })
}

/** A kubelet's answer instead of the stream. */
export function refuseWith(socket: Duplex, { status, body, contentType }: KubeletText): void {
  refuse(socket, `${status} ${STATUS_CODES[status] ?? ''}`, body, contentType)
}

/** The first byte of each message (remotecommand/websocket). */
export const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const

function sender(client: WebSocket, channel: number): (text: string) => void {
  return (text) => {
    if (client.bufferedAmount > maxUnreadBytes) client.terminate()
    else client.send(Buffer.concat([Buffer.from([channel]), bytesOfText(text)]))
  }
}

function refuseCommand(client: WebSocket, { body }: KubeletText): void {
  const status = internalError(`unable to upgrade connection: ${body}`)
  sender(client, channels.error)(JSON.stringify(status))
  client.close(1000)
}

function commandOver(
  client: WebSocket,
  { request, run }: PendingStream & { readonly kind: 'command' },
  sayFailure: SayFailure,
): void {
  const input = new CommandInput()
  client.on('message', (data: Buffer) => {
    if (data[0] === channels.stdin) input.receive(data.subarray(1))
    // The size of a terminal has no effect.
    else if (data[0] === channels.close && data[1] === channels.stdin) input.end()
  })
  const [stdout, stderr] = [sender(client, channels.stdout), sender(client, channels.stderr)]
  const hasStderr = request.stderr && !request.tty
  // Tells the client that the connection stands.
  if (request.stdout) stdout('')
  else if (hasStderr) stderr('')
  const output = {
    stdout: request.stdout ? stdout : undefined,
    stderr: hasStderr ? stderr : undefined,
    end: (status: object) => {
      sender(client, channels.error)(JSON.stringify(status))
      client.close(1000)
    },
    drop: () => {
      client.terminate()
    },
    onClose: (listener: () => void) => {
      client.on('close', listener)
    },
  }
  runCommand(run, output, input, sayFailure)
}
