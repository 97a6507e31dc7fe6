import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

/** The issuer and the default audience of tokens, as kubeadm sets them up. */
export const serviceAccountIssuer = 'https://kubernetes.default.svc.cluster.local'

/** The pod, secret or node in the claims of a token. */
export interface TokenReference {
  readonly name: string
  readonly uid?: string
}

/** The claims of a service account token. Times are in seconds. Source: pkg/serviceaccount/claims.go. */
export interface ServiceAccountClaims {
  readonly aud: readonly string[]
  readonly exp: number
  readonly iat: number
  readonly iss: string
  readonly jti: string
  readonly 'kubernetes.io': Readonly<Record<string, unknown>>
  readonly nbf: number
  readonly sub: string
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** Signs service account tokens (ES256). The key is generated for the first token. */
export class TokenIssuer {
  #key: { readonly id: string; readonly privateKey: KeyObject } | undefined

  sign(claims: ServiceAccountClaims): string {
    const { id, privateKey } = (this.#key ??= this.#newKey())
    const text = `${encoded({ alg: 'ES256', kid: id })}.${encoded(claims)}`
    const signature = sign('sha256', Buffer.from(text), {
      key: privateKey,
      dsaEncoding: 'ieee-p1363',
    })
    return `${text}.${signature.toString('base64url')}`
  }

  #newKey(): { readonly id: string; readonly privateKey: KeyObject } {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const der = publicKey.export({ type: 'spki', format: 'der' })
    return { id: createHash('sha256').update(der).digest('base64url'), privateKey }
  }
}
