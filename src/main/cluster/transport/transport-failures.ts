import { TransportError } from '../../../shared/kubernetes/request.ts'

/** The `code` of an error of Node or undici, or of an error that it wraps in `errors` or `cause`; empty if none. */
export function errorCode(error: unknown): string {
  for (let current = error, depth = 0; depth < 5; depth++) {
    if (typeof current !== 'object' || current === null) return ''
    if ('code' in current && typeof current.code === 'string') return current.code
    if ('errors' in current && Array.isArray(current.errors)) current = current.errors[0]
    else current = 'cause' in current ? current.cause : undefined
  }
  return ''
}

function textOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : String(error)
}

const untrusted = 'is not signed by an authority that the kubeconfig trusts'
const certificateProblems: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_SIGNATURE_FAILURE: untrusted,
  CERT_UNTRUSTED: untrusted,
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  CERT_REVOKED: 'has been revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another name',
}

const closed: Readonly<Record<string, string>> = {
  ECONNRESET: 'closed the connection',
  EPIPE: 'closed the connection',
  UND_ERR_SOCKET: 'closed the connection',
  UND_ERR_CLOSED: 'is no longer used',
  UND_ERR_DESTROYED: 'is no longer used',
}

/** Before there is a connection. */
const unreachable: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection: nothing listens there',
  ENOTFOUND: 'could not be found: no such host name',
  EAI_AGAIN: 'could not be found: the DNS server does not respond',
  EHOSTUNREACH: 'cannot be reached: no route to the host',
  ENETUNREACH: 'cannot be reached: no route to its network',
  EADDRNOTAVAIL: 'cannot be reached from this machine',
  EACCES: 'cannot be reached: this machine does not permit it',
  UND_ERR_PRX_TLS: 'cannot be reached: the proxy does not use TLS',
}

const timeouts: ReadonlySet<string> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
])

/** Translates an error of Node or undici into one sentence that names the server. */
export function transportErrorOf(error: unknown, server: string): TransportError {
  if (error instanceof TransportError) return error
  const code = errorCode(error)
  const unavailable = (sentence: string, isUnsent = false): TransportError =>
    new TransportError('unavailable', sentence, { cause: error, isUnsent })
  const certificateProblem = certificateProblems[code]
  if (certificateProblem !== undefined)
    return unavailable(`The certificate of ${server} ${certificateProblem}.`, true)
  const isUnsent = code in unreachable
  const why = unreachable[code] ?? closed[code]
  if (why !== undefined) return unavailable(`${server} ${why}.`, isUnsent)
  if (timeouts.has(code))
    return new TransportError('timeout', `${server} did not respond in time.`, {
      cause: error,
      isUnsent: code === 'UND_ERR_CONNECT_TIMEOUT',
    })
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG')
    return unavailable(`${server} does not use TLS on this port.`)
  if (code.startsWith('ERR_SSL_') && code.includes('ALERT'))
    return unavailable(
      `${server} refused the TLS connection (often because of the client certificate): ${textOf(error)}`,
    )
  if (code.startsWith('HPE_'))
    return unavailable(`${server} does not use HTTP, or the connection was closed.`)
  return unavailable(`${server} cannot be reached: ${textOf(error)}`)
}

/** Whether the server closed a kept-alive connection while it was reused: a GET can be sent again. */
export function isStaleConnection(error: unknown): boolean {
  return ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(errorCode(error))
}
