import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { tokenProtocolPrefix } from '../../../shared/ipc/wire.ts'

/** Names of this machine. Any port is accepted, because it may be forwarded. */
const ownHostPattern = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i

/** A new token: 24 random bytes, 32 characters of base64url. */
export function createToken(): string {
  return randomBytes(24).toString('base64url')
}

/**
 * Whether a request names this machine as its host. A foreign page whose name resolves to this machine (DNS rebinding) sends
 * its own name.
 */
export function isOwnHost(host: string | undefined): boolean {
  return host !== undefined && ownHostPattern.test(host)
}

/** Whether a request comes from a page of the same server. */
export function isOwnOrigin(origin: string | undefined, host: string | undefined): boolean {
  return isOwnHost(host) && origin?.toLowerCase() === `http://${host ?? ''}`.toLowerCase()
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Whether the offered subprotocols include the token. Constant time. */
export function offersToken(protocols: string | undefined, token: string): boolean {
  const offered = (protocols ?? '')
    .split(',')
    .map((protocol) => protocol.trim())
    .find((protocol) => protocol.startsWith(tokenProtocolPrefix))
  const given = offered?.slice(tokenProtocolPrefix.length) ?? ''
  return timingSafeEqual(digest(given), digest(token))
}
