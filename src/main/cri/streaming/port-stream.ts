import { Duplex } from 'node:stream'
import { ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { openSpdy } from './open-spdy.ts'
import type { SpdyAddress } from './open-spdy.ts'
import type { SpdyConnection, SpdyStream } from './spdy-connection.ts'

/**
 * A connection to a port of a pod, over its own SPDY/3.1, which API servers and runtimes of all versions have. What the pod
 * says against it destroys it with that.
 */
export async function openPort(
  address: SpdyAddress,
  port: number,
): Promise<Result<Duplex, string>> {
  const opened = await openSpdy(address, { protocols: ['portforward.k8s.io'], what: 'connection' })
  return opened.ok ? ok(portOver(opened.value, port)) : opened
}

/** Opens the streams of a port, first the one for errors, as clients of a kubelet do. */
function portOver(connection: SpdyConnection, port: number): Duplex {
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
