import { TransportError } from '../../shared/kubernetes/request.ts'

/** Node's and undici's errors say what happened in `code`; one that wraps others carries them in `errors` or `cause`. */
function codeOf(error: unknown): string {
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

const certificateProblems: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is not signed by an authority that the kubeconfig trusts',
  SELF_SIGNED_CERT_IN_CHAIN: 'is not signed by an authority that the kubeconfig trusts',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'is not signed by an authority that the kubeconfig trusts',
  UNABLE_TO_GET_ISSUER_CERT: 'is not signed by an authority that the kubeconfig trusts',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'is not signed by an authority that the kubeconfig trusts',
  CERT_SIGNATURE_FAILURE: 'is not signed by an authority that the kubeconfig trusts',
  CERT_UNTRUSTED: 'is not signed by an authority that the kubeconfig trusts',
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  CERT_REVOKED: 'has been revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another name',
}

const unreachable: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection: nothing listens there',
  ECONNRESET: 'closed the connection',
  EPIPE: 'closed the connection',
  UND_ERR_SOCKET: 'closed the connection',
  UND_ERR_CLOSED: 'is no longer used',
  UND_ERR_DESTROYED: 'is no longer used',
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

/** Translates what Node and undici throw into one sentence that names the server, keeping the cause. */
export function transportErrorOf(error: unknown, server: string): TransportError {
  if (error instanceof TransportError) return error
  const options = { cause: error }
  const code = codeOf(error)
  const certificateProblem = certificateProblems[code]
  if (certificateProblem !== undefined) {
    const message = `The certificate of ${server} ${certificateProblem}.`
    return new TransportError('unavailable', message, options)
  }
  const why = unreachable[code]
  if (why !== undefined) return new TransportError('unavailable', `${server} ${why}.`, options)
  if (timeouts.has(code)) {
    return new TransportError('timeout', `${server} did not respond in time.`, options)
  }
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG') {
    const message = `${server} does not use TLS on this port.`
    return new TransportError('unavailable', message, options)
  }
  if (code.startsWith('ERR_SSL_') && code.includes('ALERT')) {
    const message = `${server} refused the TLS connection (often because of the client certificate): ${textOf(error)}`
    return new TransportError('unavailable', message, options)
  }
  if (code.startsWith('HPE_')) {
    const message = `${server} does not use HTTP, or the connection was closed.`
    return new TransportError('unavailable', message, options)
  }
  const message = `${server} cannot be reached: ${textOf(error)}`
  return new TransportError('unavailable', message, options)
}

/** True where the server closed a kept connection just as it was used again: a GET may simply be sent once more. */
export function isStaleConnection(error: unknown): boolean {
  return ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(codeOf(error))
}
