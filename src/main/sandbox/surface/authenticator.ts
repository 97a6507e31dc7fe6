import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { TLSSocket } from 'node:tls'
import type { PeerCertificate } from 'node:tls'
import { err } from '../../../shared/result.ts'
import { unauthorized } from '../api-status.ts'
import type { ApiResult } from '../api-status.ts'
import type { Caller } from '../api-server.ts'
import { authenticatedGroup, credentialIdKey } from '../auth/caller.ts'
import { impersonated } from './impersonation.ts'
import type { Refusal } from './impersonation.ts'

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** The caller of a token that the API server issued; undefined: it refuses it. */
type CallerOfToken = (token: string) => Caller | undefined

/**
 * The function that finds the caller of a request by its bearer token; undefined: no known token. Comparing digests takes the same
 * time no matter how much of a token a client guessed.
 */
function tokenAuthenticator(
  callerByToken: ReadonlyMap<string, Caller>,
  callerOfToken: CallerOfToken,
): (incoming: IncomingMessage) => Caller | undefined {
  const callers = [...callerByToken].map(([token, caller]) => ({ digest: digest(token), caller }))
  return (incoming) => {
    const match = /^bearer +(\S+)$/i.exec(incoming.headers.authorization ?? '')
    const [, token = ''] = match ?? []
    const presented = digest(token)
    // Every token is compared, even after a match.
    const matching = callers.filter((one) => timingSafeEqual(one.digest, presented))
    return match === null ? undefined : (matching.at(-1)?.caller ?? callerOfToken(token))
  }
}

/**
 * The caller that a verified client certificate names; undefined: there is none, or it has no common name (apiserver
 * pkg/authentication/request/x509 CommonNameUserConversion).
 */
function certificateCaller({ socket }: IncomingMessage): Caller | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined
  // A resumed session without a certificate counts as authorized, and has no subject.
  const { subject, raw }: Partial<PeerCertificate> = socket.getPeerCertificate()
  const user = valuesOf(subject?.CN).at(-1) ?? ''
  if (user === '') return undefined
  const groups = [...new Set([...valuesOf(subject?.O), authenticatedGroup])]
  const fingerprint = createHash('sha256').update(raw ?? '')
  const extra = { [credentialIdKey]: [`X509SHA256=${fingerprint.digest('hex')}`] }
  return { user, groups, client: '', extra }
}

/** Node.js gives one value as a text and several as a list, whatever its types say. */
function valuesOf(attribute: string | readonly string[] | undefined): readonly string[] {
  return attribute === undefined ? [] : [attribute].flat()
}

/** The caller of a request without credentials. */
const anonymous: Caller = {
  user: 'system:anonymous',
  groups: ['system:unauthenticated'],
  client: '',
}

/** Whether a client certificate that this server's CA did not sign, or a token, came with a request. */
function hasCredentials({ headers, socket }: IncomingMessage): boolean {
  if (/^bearer +\S/i.test(headers.authorization ?? '')) return true
  if (!(socket instanceof TLSSocket) || socket.authorized) return false
  const presented: Partial<PeerCertificate> = socket.getPeerCertificate()
  return presented.raw !== undefined
}

/** The caller of a request by its client certificate or else by its bearer token; undefined: it has no known one. */
export function authenticator(
  callerByToken: ReadonlyMap<string, Caller>,
  callerOfToken: CallerOfToken,
): (incoming: IncomingMessage) => Caller | undefined {
  const byToken = tokenAuthenticator(callerByToken, callerOfToken)
  return (incoming) => certificateCaller(incoming) ?? byToken(incoming)
}

/** What an API server says about its callers. */
interface ApiAuthentication {
  readonly callerOfToken: CallerOfToken
  readonly refusal: Refusal
  readonly allowsAnonymous?: boolean | undefined
}

/**
 * The same for the API server, where the caller may speak for another. A request with unknown credentials is refused, and one
 * without any unless the server allows that (kube-apiserver's `--anonymous-auth`).
 */
export function apiAuthenticator(
  callerByToken: ReadonlyMap<string, Caller>,
  { callerOfToken, refusal, allowsAnonymous = false }: ApiAuthentication,
): (incoming: IncomingMessage) => ApiResult<Caller> {
  const callerOf = authenticator(callerByToken, callerOfToken)
  return (incoming) => {
    const isAnonymous = allowsAnonymous && !hasCredentials(incoming)
    const caller = callerOf(incoming) ?? (isAnonymous ? anonymous : undefined)
    return caller === undefined ? err(unauthorized()) : impersonated(incoming, caller, refusal)
  }
}
