import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { RequestOptions } from 'node:https'
import { Duplex } from 'node:stream'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { SpdyConnection } from './spdy-connection.ts'
import type { SpdyStream } from './spdy-connection.ts'
import { refusalOf } from './terminal-stream.ts'

const openWithinMs = 30_000

/** Where the ports of a pod are reached. */
export interface PortAddress {
  /** http or https. */
  readonly url: string
  /** Who answers, as the beginning of a sentence. */
  readonly who: string
  readonly headers?: Readonly<Record<string, string>>
  readonly tls?: RequestOptions
}

/**
 * A connection to a port of a pod, over its own SPDY/3.1, which API servers and runtimes of all versions have. What the pod
 * says against it destroys it with that.
 */
export async function openPort(
  { url, who, headers = {}, tls = {} }: PortAddress,
  port: number,
): Promise<Result<Duplex, string>> {
  return await new Promise((resolve) => {
    const send = url.startsWith('https:') ? httpsRequest : httpRequest
    const sent = send(url, {
      ...tls,
      agent: false,
      method: 'POST',
      timeout: openWithinMs,
      headers: {
        ...headers,
        connection: 'Upgrade',
        upgrade: 'SPDY/3.1',
        'x-stream-protocol-version': 'portforward.k8s.io',
      },
    })
    sent.on('upgrade', (_response, socket, head) => {
      socket.setTimeout(0)
      resolve(ok(portOver(socket, head, port)))
    })
    sent.on('response', (response) => {
      void refusalOf(response).then((words) => {
        sent.destroy()
        resolve(err(`${who} refused the connection (${words}).`))
      })
    })
    sent.on('timeout', () => sent.destroy(new Error('no answer within 30 s')))
    sent.on('error', (error) => {
      resolve(err(`${who} did not open the connection: ${error.message}.`))
    })
    sent.end()
  })
}

/** Opens the streams of a port, first the one for errors, as clients of a kubelet do. */
function portOver(socket: Duplex, head: Buffer, port: number): Duplex {
  const connection = new SpdyConnection(socket)
  connection.serve(head, () => undefined)
  const around = { port: String(port), requestid: '0' }
  const errors = connection.open({ ...around, streamtype: 'error' })
  errors.end()
  return duplexOf(connection, errors, connection.open({ ...around, streamtype: 'data' }))
}

function duplexOf(connection: SpdyConnection, errors: SpdyStream, data: SpdyStream): Duplex {
  let failure = ''
  const duplex = new Duplex({
    allowHalfOpen: true,
    read: () => undefined,
    write: (chunk: Buffer, _encoding, done) => {
      data.write(chunk)
      if (connection.hasRoom) done()
      else connection.onRoom(done)
    },
    final: (done) => {
      data.end()
      done()
    },
    destroy: (error, done) => {
      connection.drop()
      done(error)
    },
  })
  const end = (): void => {
    if (failure === '') duplex.push(null)
    else duplex.destroy(new Error(failure))
  }
  errors.receiver = {
    receive: (text) => {
      failure += Buffer.from(text).toString()
    },
    end: () => {
      if (failure !== '') end()
    },
  }
  data.receiver = {
    receive: (bytes) => {
      duplex.push(bytes)
    },
    end,
  }
  connection.onClose(() => {
    if (!duplex.readableEnded) end()
  })
  return duplex
}
