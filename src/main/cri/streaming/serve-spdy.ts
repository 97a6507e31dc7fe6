import type { Duplex } from 'node:stream'
import type { StreamRequest } from '../../runtimes/simulated/streams.ts'
import { CommandInput, runCommand } from './command-streams.ts'
import { connectTo } from './forwarded-port.ts'
import { SpdyConnection } from './spdy-connection.ts'
import type { SpdyStream } from './spdy-connection.ts'
import type { PendingStream } from './stream-urls.ts'

/** Protocols whose last stream ends with a status, newest first. */
const commandProtocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io']
const portForwardProtocols = ['portforward.k8s.io']

/** The newest protocol of `X-Stream-Protocol-Version` that both have. */
export function spdyProtocolOf(
  offered: string | readonly string[] | undefined,
  { kind }: Pick<PendingStream, 'kind'>,
): string | undefined {
  const all = [offered ?? []].flat().flatMap((text) => text.split(/, */))
  const known = kind === 'command' ? commandProtocols : portForwardProtocols
  return known.find((protocol) => all.includes(protocol))
}

/** Serves a stream over SPDY/3.1, after the upgrade. `head`: what came with it. */
export function serveSpdy(socket: Duplex, head: Buffer, pending: PendingStream): void {
  const connection = new SpdyConnection(socket)
  connection.serve(
    head,
    pending.kind === 'command' ? commandOver(connection, pending) : portsOver(connection, pending),
  )
}

/** The streams that a client opens, with the one for errors and, on a terminal, the one for its size. */
function streamCount({ stdin, stdout, stderr, tty }: StreamRequest): number {
  return 1 + [stdin, stdout, stderr && !tty, tty].filter(Boolean).length
}

function commandOver(
  connection: SpdyConnection,
  { request, run }: PendingStream & { readonly kind: 'command' },
): (stream: SpdyStream) => void {
  const streams = new Map<string, SpdyStream>()
  const input = new CommandInput()
  return (stream) => {
    const type = stream.headers.get('streamtype') ?? ''
    streams.set(type, stream)
    if (type === 'stdin') stream.receiver = input
    if (streams.size !== streamCount(request)) return
    const output = {
      stdout: streams.get('stdout')?.write,
      stderr: streams.get('stderr')?.write,
      end: (status: object) => {
        streams.get('error')?.write(JSON.stringify(status))
        for (const one of streams.values()) one.end()
        connection.close()
      },
      drop: () => {
        connection.drop()
      },
      onClose: (listener: () => void) => {
        connection.onClose(listener)
      },
    }
    runCommand(run, output, input)
  }
}

/** Each connection has a stream for errors, which comes first, and one for data. */
function portsOver(
  client: SpdyConnection,
  { connect }: PendingStream & { readonly kind: 'port-forward' },
): (stream: SpdyStream) => void {
  const errors = new Map<string, SpdyStream>()
  return (stream) => {
    const id = stream.headers.get('requestid') ?? ''
    if (stream.headers.get('streamtype') === 'error') {
      errors.set(id, stream)
      return
    }
    const error = errors.get(id)
    errors.delete(id)
    const connection = connectTo(connect, Number(stream.headers.get('port')))
    if (!connection.ok) {
      error?.write(connection.error)
      error?.end()
      stream.end()
      return
    }
    const { value: socket } = connection
    stream.receiver = {
      receive: (data) => {
        socket.write(data)
      },
      end: () => {
        socket.end()
      },
    }
    socket.on('data', (data: Buffer) => {
      stream.write(data)
      if (client.hasRoom) return
      socket.pause()
      client.onRoom(() => socket.resume())
    })
    // Ended, not destroyed: the other side of a pair learns of that only.
    client.onClose(() => {
      socket.resume()
      socket.end()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      error?.end()
      stream.end()
    })
    socket.on('end', () => socket.destroy())
  }
}
