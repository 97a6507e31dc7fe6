import type { IncomingMessage } from 'node:http'
import { TLSSocket } from 'node:tls'
import type { KubeletUser } from '../../kubelet/server/request-authorization.ts'

/** The credentials of a request. `certificate`: shown by the client, whether it is trusted or not. */
export interface ClientCredentials {
  readonly certificate: 'none' | 'untrusted' | KubeletUser
  readonly token: string | undefined
}

/** Of a certificate; a list if there are several. */
interface Subject {
  readonly CN?: string | string[]
  readonly O?: string | string[]
}

const webSocketToken = 'base64url.bearer.authorization.k8s.io.'

function textsOf(value: string | readonly string[] | undefined): readonly string[] {
  return typeof value === 'string' ? [value] : (value ?? [])
}

/** apiserver pkg/authentication/request/x509 CommonNameUserConversion: no name, no user. */
function certificateOf({ socket }: IncomingMessage): ClientCredentials['certificate'] {
  if (!(socket instanceof TLSSocket)) return 'none'
  const certificate = socket.getPeerCertificate()
  if (Object.keys(certificate).length === 0) return 'none'
  const { CN, O }: Subject = certificate.subject
  const name = textsOf(CN).at(-1) ?? ''
  return socket.authorized && name !== '' ? { name, groups: textsOf(O) } : 'untrusted'
}

/** A browser cannot set headers of a WebSocket (apiserver pkg/authentication/request/websocket). */
function tokenOfProtocols(protocols: string): string | undefined {
  const encoded = protocols
    .split(',')
    .map((protocol) => protocol.trim())
    .find((protocol) => protocol.startsWith(webSocketToken))
  return encoded && Buffer.from(encoded.slice(webSocketToken.length), 'base64url').toString()
}

/** What a client shows (apiserver pkg/authentication/request: x509, bearertoken, websocket). */
export function credentialsOf(incoming: IncomingMessage): ClientCredentials {
  const { authorization = '', upgrade = '' } = incoming.headers
  const [scheme = '', token = ''] = authorization.trim().split(' ')
  const bearer = scheme.toLowerCase() === 'bearer' ? token : ''
  const ofSocket =
    upgrade.toLowerCase() === 'websocket'
      ? tokenOfProtocols(incoming.headers['sec-websocket-protocol'] ?? '')
      : undefined
  return { certificate: certificateOf(incoming), token: bearer || ofSocket || undefined }
}
