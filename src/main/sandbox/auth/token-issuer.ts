import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { isJsonObject, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { newSigningKey } from '../certificates/signing-key.ts'

/** The issuer and the default audience of tokens, as kubeadm sets them up. */
export const serviceAccountIssuer = 'https://kubernetes.default.svc.cluster.local'

/** The pod, secret or node in the claims of a token. */
export interface TokenReference {
  readonly name: string
  readonly uid?: string
}

/** What a token is bound to, by the kind in lower case, and when to warn. */
export interface PrivateClaims {
  readonly namespace: string
  readonly serviceaccount: TokenReference
  readonly pod?: TokenReference
  readonly secret?: TokenReference
  readonly node?: TokenReference
  readonly warnafter?: number
}

/** The claims of a service account token. Times are in seconds. Source: pkg/serviceaccount/claims.go. */
export interface ServiceAccountClaims {
  readonly aud: readonly string[]
  readonly exp: number
  readonly iat: number
  readonly iss: string
  readonly jti: string
  readonly 'kubernetes.io': PrivateClaims
  readonly nbf: number
  readonly sub: string
}

/** The issuer of tokens that are kept in Secrets. */
export const secretTokenIssuer = 'kubernetes/serviceaccount'

/** The claims of a token that is kept in a Secret: it does not expire. Source: pkg/serviceaccount/legacy.go. */
export interface SecretTokenClaims {
  readonly iss: typeof secretTokenIssuer
  readonly 'kubernetes.io/serviceaccount/namespace': string
  readonly 'kubernetes.io/serviceaccount/secret.name': string
  readonly 'kubernetes.io/serviceaccount/service-account.name': string
  readonly 'kubernetes.io/serviceaccount/service-account.uid': string
  readonly sub: string
}

/** What a token in a Secret says. */
export interface SecretTokenPlace {
  readonly namespace: string
  readonly secret: string
  readonly account: Required<TokenReference>
}

export function secretTokenPlace(claims: SecretTokenClaims): SecretTokenPlace {
  return {
    namespace: claims['kubernetes.io/serviceaccount/namespace'],
    secret: claims['kubernetes.io/serviceaccount/secret.name'],
    account: {
      name: claims['kubernetes.io/serviceaccount/service-account.name'],
      uid: claims['kubernetes.io/serviceaccount/service-account.uid'],
    },
  }
}

type Claims = ServiceAccountClaims | SecretTokenClaims

interface SigningKey {
  readonly id: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

const issuers: readonly string[] = [serviceAccountIssuer, secretTokenIssuer]
const ieeeP1363 = 'ieee-p1363'

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** Undefined: not an object in JSON in base64url. */
function decoded(part: string): JsonObject | undefined {
  if (!/^[\w-]*$/.test(part)) return undefined
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Signs service account tokens (ES256), and verifies its own. */
export class TokenIssuer {
  readonly #keyPem: string | undefined
  #key: SigningKey | undefined

  /** Without a key in PEM, one is generated for the first token. */
  constructor(keyPem?: string) {
    this.#keyPem = keyPem
  }

  /** The token of a Secret. */
  signForSecret({ namespace, secret, account }: SecretTokenPlace): string {
    return this.sign({
      iss: secretTokenIssuer,
      'kubernetes.io/serviceaccount/namespace': namespace,
      'kubernetes.io/serviceaccount/secret.name': secret,
      'kubernetes.io/serviceaccount/service-account.name': account.name,
      'kubernetes.io/serviceaccount/service-account.uid': account.uid,
      sub: `system:serviceaccount:${namespace}:${account.name}`,
    })
  }

  sign(claims: Claims): string {
    const { id, privateKey: key } = this.#signingKey()
    const text = `${encoded({ alg: 'ES256', kid: id })}.${encoded(claims)}`
    const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: ieeeP1363 })
    return `${text}.${signature.toString('base64url')}`
  }

  /** The claims of a token. Undefined: not a token of this issuer. Source: pkg/serviceaccount/jwt.go (v1.34). */
  verify(token: string): Result<Claims, string> | undefined {
    const parts = token.split('.')
    const [head = '', body = '', signature = ''] = parts
    const [header, claims] = [decoded(head), decoded(body)]
    if (parts.length !== 3 || header === undefined || !/^[\w-]*$/.test(signature)) return undefined
    if (claims === undefined || !issuers.includes(textAt(claims, 'iss'))) return undefined
    const { id, publicKey: key } = this.#signingKey()
    const asked = textAt(header, 'kid')
    if (asked !== '' && asked !== id) return err('invalid signature, no keys found')
    const bytes = Buffer.from(signature, 'base64url')
    const text = Buffer.from(`${head}.${body}`)
    const isOwn =
      header['alg'] === 'ES256' && verify('sha256', text, { key, dsaEncoding: ieeeP1363 }, bytes)
    // Signed here: they have these types.
    return isOwn
      ? ok(claims as unknown as Claims)
      : err('go-jose/go-jose: error in cryptographic primitive')
  }

  #signingKey(): SigningKey {
    this.#key ??= keyOf(this.#keyPem ?? newSigningKey())
    return this.#key
  }
}

function keyOf(pem: string): SigningKey {
  const privateKey = createPrivateKey(pem)
  const publicKey = createPublicKey(privateKey)
  const der = publicKey.export({ type: 'spki', format: 'der' })
  return { id: createHash('sha256').update(der).digest('base64url'), privateKey, publicKey }
}
