import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { tokenProtocolPrefix } from '../../../shared/ipc/wire.ts'

/** The names by which this machine calls itself; a port forwarded to another number is fine. */
const ownHostPattern = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i

/** A new token: 24 random bytes, 32 characters of base64url. */
export function createToken(): string {
  return randomBytes(24).toString('base64url')
}

/**
 * Whether a request was meant for this machine. A page of elsewhere whose name was made to point
 * here (DNS rebinding) sends its own name.
 */
export function isOwnHost(host: string | undefined): boolean {
  return host !== undefined && ownHostPattern.test(host)
}

/** Whether the page that asks came from the very server that it asks. */
export function isOwnOrigin(origin: string | undefined, host: string | undefined): boolean {
  return isOwnHost(host) && origin?.toLowerCase() === `http://${host ?? ''}`.toLowerCase()
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Whether the right token is among the offered subprotocols. Takes the same time for any wrong one. */
export function offersToken(protocols: string | undefined, token: string): boolean {
  const offered = (protocols ?? '')
    .split(',')
    .map((protocol) => protocol.trim())
    .find((protocol) => protocol.startsWith(tokenProtocolPrefix))
  const given = offered?.slice(tokenProtocolPrefix.length) ?? ''
  return timingSafeEqual(digest(given), digest(token))
}
