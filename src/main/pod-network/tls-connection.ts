import { isIP } from 'node:net'
import { Duplex, PassThrough } from 'node:stream'
import { connect } from 'node:tls'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { Connection } from './dial.ts'
import { codeOf, errnoText } from './go-errors.ts'

/** Go's names of alerts, by OpenSSL's. */
const alerts: Readonly<Record<string, string>> = {
  HANDSHAKE_FAILURE: 'handshake failure',
  PROTOCOL_VERSION: 'protocol version not supported',
  INTERNAL_ERROR: 'internal error',
  UNRECOGNIZED_NAME: 'unrecognized name',
  CERTIFICATE_REQUIRED: 'certificate required',
  BAD_CERTIFICATE: 'bad certificate',
  ACCESS_DENIED: 'access denied',
}

/** Why there is no TLS, in the words of Go. `head`: what the server sent first. */
function failureText(error: Error, head: string): string {
  const code = codeOf(error)
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG') {
    return head.startsWith('HTTP/')
      ? 'http: server gave HTTP response to HTTPS client'
      : 'tls: first record does not look like a TLS handshake'
  }
  const [, alert] = /_ALERT_(\w+)$/.exec(code) ?? []
  if (alert !== undefined) return `remote error: tls: ${alerts[alert] ?? alert.toLowerCase()}`
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') return `tls: ${error.message}`
  return code === '' || code === 'ECONNRESET' ? 'EOF' : errnoText(error)
}

/** TLS on the connection; the server's certificate is not checked. The error is Go's. */
export function secured(
  { socket, ends }: Connection,
  host: string,
  signal: AbortSignal,
): Promise<Result<Connection, string>> {
  let head = ''
  const received = new PassThrough()
  socket.once('data', (chunk: Buffer) => {
    head = chunk.toString('latin1')
  })
  socket.pipe(received)
  return new Promise((resolve) => {
    const connection = connect({
      socket: Duplex.from({ readable: received, writable: socket }),
      rejectUnauthorized: false,
      ...(isIP(host) === 0 ? { servername: host } : {}),
    })
    connection.once('secureConnect', () => {
      resolve(ok({ socket: connection, ends }))
    })
    connection.on('error', (error) => {
      resolve(err(failureText(error, head)))
    })
    signal.addEventListener('abort', () => {
      connection.destroy(new Error('too late'))
    })
  })
}
