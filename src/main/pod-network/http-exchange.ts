import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { goQuote } from '../../shared/go/text.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { joinHostPort } from '../kubelet/probe/host-port.ts'
import type { HttpGetRequest, HttpGetResponse } from '../kubelet/probe/pod-network.ts'
import type { Connection } from './dial.ts'
import { codeOf, errnoText } from './go-errors.ts'

/** pkg/probe/http maxRespBodyLength. */
const maxBodyBytes = 10 * 1024
/** As in Go's Transport. */
const maxHeaderBytes = 10 * 1024 * 1024

/** The bytes that a client written in Go would send, as Node.js takes them. */
function asBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

function headersOf({ host, port, headers }: HttpGetRequest): readonly string[] {
  const hasHost = headers.some(([name]) => name === 'Host')
  const own = hasHost ? [] : [['Host', joinHostPort(host, port)] as const]
  return [...own, ...headers].flatMap(([name, value]) => [name, asBytes(value)])
}

function pairsOf({ rawHeaders }: IncomingMessage): HttpGetResponse['headers'] {
  return rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : [],
  )
}

/** What net/http ReadResponse finds wrong with the beginning of an answer. */
function malformedText(answer: string): string {
  const [line = '', ...headers] = answer.split(/\r?\n/)
  const [, version, code = ''] = /^([^ ]*) +([^ ]*)/.exec(line) ?? []
  if (version === undefined) return `malformed HTTP response ${goQuote(line)}`
  if (!/^\d{3}$/.test(code)) return `malformed HTTP status code ${goQuote(code)}`
  if (!/^HTTP\/\d\.\d$/.test(version)) return `malformed HTTP version ${goQuote(version)}`
  const header = headers.find((each) => !each.includes(':')) ?? ''
  return `malformed MIME header: missing colon: ${goQuote(header)}`
}

/** Why there is no response, in the words of Go's Transport. */
function failureText(error: Error, { socket, ends }: Connection): string {
  const broken = 'net/http: HTTP/1.x transport connection broken: '
  if (codeOf(error).startsWith('HPE_') && 'rawPacket' in error)
    return broken + malformedText(String(error.rawPacket))
  if ('syscall' in error && error.syscall === 'read')
    return `read tcp ${ends}: read: ${errnoText(error)}`
  return socket.bytesRead > 0 ? `${broken}unexpected EOF` : 'EOF'
}

/**
 * Sends one GET on the connection and reads the answer, with as much of the body as a probe keeps. The caller closes
 * the connection, and aborts `signal` when the time is over.
 */
export function exchange(
  connection: Connection,
  asked: HttpGetRequest,
  signal: AbortSignal,
): Promise<Result<HttpGetResponse, string>> {
  return new Promise((resolve) => {
    const sent = request({
      createConnection: () => connection.socket,
      method: 'GET',
      // Go sends a space in a query as it is, which no server takes.
      path: asBytes(asked.path).replaceAll(' ', '%20'),
      headers: headersOf(asked),
      maxHeaderSize: maxHeaderBytes,
      // As lenient as Go.
      insecureHTTPParser: true,
      signal,
    })
    sent.once('response', (response) => {
      // From here on the body tells of it.
      sent.off('error', fail).on('error', () => undefined)
      void bodyOf(response, signal).then((body) => {
        resolve(ok({ ...body, statusCode: response.statusCode ?? 0, headers: pairsOf(response) }))
      })
    })
    sent.once('upgrade', (response) => {
      const { statusCode = 0 } = response
      resolve(ok({ statusCode, body: '', headers: pairsOf(response) }))
    })
    const fail = (error: Error): void => {
      resolve(err(failureText(error, connection)))
    }
    sent.on('error', fail)
    sent.end()
  })
}

function bodyOf(
  response: IncomingMessage,
  signal: AbortSignal,
): Promise<Pick<HttpGetResponse, 'body' | 'bodyError'>> {
  const chunks: Buffer[] = []
  let bytes = 0
  const body = (): string => Buffer.concat(chunks).subarray(0, maxBodyBytes).toString()
  return new Promise((resolve) => {
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= maxBodyBytes) resolve({ body: body() })
    })
    response.once('end', () => {
      resolve({ body: body() })
    })
    response.on('error', () => {
      const tooLate =
        'context deadline exceeded (Client.Timeout or context cancellation while reading body)'
      resolve({ body: body(), bodyError: signal.aborted ? tooLate : 'unexpected EOF' })
    })
  })
}
