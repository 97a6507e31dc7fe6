import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { OutputStreams } from '../../runtimes/simulated/process/running.ts'
import type { RunningCommand, StreamRequest, Streaming } from '../../runtimes/simulated/streams.ts'
import { SpdyConnection } from './spdy-connection.ts'
import type { SpdyStream, StreamReceiver } from './spdy-connection.ts'

/** As the kubelet's streaming library has it (k8s.io/kubelet/pkg/cri/streaming/request_cache.go). */
const urlLifetimeMs = 60_000
const maxUrls = 1000

/** Protocols whose last stream ends with a status, newest first. */
const commandProtocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io']
const portForwardProtocol = 'portforward.k8s.io'

type Handle = (connection: SpdyConnection) => (stream: SpdyStream) => void

interface PendingUrl {
  readonly protocols: readonly string[]
  readonly handle: Handle
  readonly expiry: NodeJS.Timeout
}

/** Serves exec, attach and port-forward over SPDY/3.1 on 127.0.0.1. WebSocket clients are refused. */
export class StreamingServer implements Streaming {
  readonly #server = createServer((_, response) => {
    response.writeHead(400).end('an upgrade to SPDY/3.1 is required\n')
  })
  readonly #urls = new Map<string, PendingUrl>()
  readonly #sockets = new Set<Duplex>()
  #port = 0

  /** The error is what the operating system says. */
  start(): Promise<Result<undefined, string>> {
    this.#server.on('upgrade', (request, socket, head) => {
      this.#upgrade(request, socket, head)
    })
    return new Promise((resolve) => {
      this.#server.once('error', (error) => {
        resolve(err(error.message))
      })
      this.#server.listen(0, '127.0.0.1', () => {
        const address = this.#server.address()
        this.#port = typeof address === 'object' && address !== null ? address.port : 0
        resolve(ok(undefined))
      })
    })
  }

  stop(): void {
    for (const { expiry } of this.#urls.values()) clearTimeout(expiry)
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  readonly command: Streaming['command'] = (request, run) =>
    this.#urlOf(commandProtocols, (connection) => {
      const streams = new Map<string, SpdyStream>()
      const waiting = new WaitingInput()
      return (stream) => {
        const type = stream.headers.get('streamtype') ?? ''
        streams.set(type, stream)
        if (type === 'stdin') stream.receiver = waiting
        if (streams.size === streamCount(request)) runCommand(streams, run, connection, waiting)
      }
    })

  readonly portForward: Streaming['portForward'] = (connect) =>
    this.#urlOf([portForwardProtocol], () => (stream) => {
      // The refusal goes to the stream for errors; the stream for data only ends.
      if (stream.headers.get('streamtype') === 'error')
        stream.write(connect(Number(stream.headers.get('port'))))
      stream.end()
    })

  #urlOf(protocols: readonly string[], handle: Handle): string {
    const token = randomBytes(16).toString('base64url')
    const expiry = setTimeout(() => this.#urls.delete(token), urlLifetimeMs)
    expiry.unref()
    this.#urls.set(token, { protocols, handle, expiry })
    const [oldest] = this.#urls.keys()
    if (this.#urls.size > maxUrls && oldest !== undefined) this.#urls.delete(oldest)
    return `http://127.0.0.1:${this.#port}/${token}`
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => undefined)
    const token = (request.url ?? '').slice(1)
    const pending = this.#urls.get(token)
    if (pending === undefined) return refuse(socket, '404 Not Found')
    if (request.headers.upgrade?.toLowerCase() !== 'spdy/3.1')
      return refuse(socket, '400 Bad Request')
    const offered = [request.headers['x-stream-protocol-version'] ?? []]
      .flat()
      .flatMap((text) => text.split(/, */))
    const protocol = pending.protocols.find((known) => offered.includes(known))
    if (protocol === undefined) return refuse(socket, '403 Forbidden')
    this.#urls.delete(token)
    clearTimeout(pending.expiry)
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    const lines = [
      'HTTP/1.1 101 Switching Protocols',
      'Connection: Upgrade',
      'Upgrade: SPDY/3.1',
      `X-Stream-Protocol-Version: ${protocol}`,
    ]
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    const connection = new SpdyConnection(socket)
    connection.serve(head, pending.handle(connection))
  }
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

/** The streams that a client opens, with the one for errors and, on a terminal, the one for its size. */
function streamCount({ stdin, stdout, stderr, tty }: StreamRequest): number {
  return 1 + [stdin, stdout, stderr && !tty, tty].filter(Boolean).length
}

/** Input that comes before the command runs. The terminal's size has no effect. */
class WaitingInput implements StreamReceiver {
  #text = ''
  #hasEnded = false
  #receiver: StreamReceiver | undefined

  readonly receive = (text: string): void => {
    if (this.#receiver === undefined) this.#text += text
    else this.#receiver.receive(text)
  }

  readonly end = (): void => {
    this.#hasEnded = true
    this.#receiver?.end()
  }

  passTo(receiver: StreamReceiver): void {
    this.#receiver = receiver
    if (this.#text !== '') receiver.receive(this.#text)
    if (this.#hasEnded) receiver.end()
  }
}

function runCommand(
  streams: ReadonlyMap<string, SpdyStream>,
  run: (output: OutputStreams) => RunningCommand,
  connection: SpdyConnection,
  waiting: WaitingInput,
): void {
  const writer = (name: string): ((text: string) => void) | undefined => {
    const stream = streams.get(name)
    return stream?.write
  }
  const stdout = writer('stdout')
  // A terminal has one stream for both.
  const running = run({ stdout, stderr: writer('stderr') ?? stdout })
  const { ended } = running
  waiting.passTo(running.input)
  connection.onClose(running.kill)
  void ended.then((result) => {
    const error = streams.get('error')
    error?.write(JSON.stringify(statusOf(result)))
    for (const stream of streams.values()) stream.end()
    connection.close()
  })
}

/** The Status that ends a command (apimachinery/pkg/util/remotecommand). */
function statusOf(result: Awaited<RunningCommand['ended']>): object {
  if (!result.ok)
    return {
      metadata: {},
      status: 'Failure',
      reason: 'InternalError',
      message: `Internal error occurred: ${result.error.message}`,
      code: 500,
    }
  if (result.value === 0) return { metadata: {}, status: 'Success' }
  return {
    metadata: {},
    status: 'Failure',
    reason: 'NonZeroExitCode',
    message: `command terminated with non-zero exit code: exit status ${result.value}`,
    details: { causes: [{ reason: 'ExitCode', message: String(result.value) }] },
  }
}
