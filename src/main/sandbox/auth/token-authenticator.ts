import { fromTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import { quotedList } from '../../../shared/go/text.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { notFound } from '../api-status.ts'
import { typeOfKind } from '../registry/resource-types.ts'
import { authenticatedGroup, serviceAccountGroups } from './caller.ts'
import type { Caller } from './caller.ts'
import { SecretTokens } from './secret-tokens.ts'
import type { SecretTokensDeps } from './secret-tokens.ts'
import { secretTokenPlace, serviceAccountIssuer } from './token-issuer.ts'
import type { ServiceAccountClaims, TokenIssuer, TokenReference } from './token-issuer.ts'

/** The user of a bearer token, and the asked audiences that it is for. */
interface TokenUser {
  readonly caller: Caller
  readonly audiences: readonly string[]
}

interface TokenAuthenticatorDeps extends SecretTokensDeps {
  readonly issuer: TokenIssuer
}

const leewaySeconds = 60
const invalidToken = 'invalid bearer token'
const invalidated = 'service account token has been invalidated'
/** What the API server itself accepts: --api-audiences is the issuer. */
const apiAudiences = [serviceAccountIssuer]

function boundUser({ jti, sub, 'kubernetes.io': bound }: ServiceAccountClaims): Caller {
  const { namespace, pod, node, serviceaccount } = bound
  const values = {
    'credential-id': jti === '' ? undefined : `JTI=${jti}`,
    'node-name': node?.name,
    'node-uid': node?.uid,
    'pod-name': pod?.name,
    'pod-uid': pod?.uid,
  }
  const extra = Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [[`authentication.kubernetes.io/${key}`, [value]] as const],
  )
  return {
    user: sub,
    groups: [...serviceAccountGroups(namespace), authenticatedGroup],
    client: '',
    ...(serviceaccount.uid === undefined ? {} : { uid: serviceaccount.uid }),
    extra: Object.fromEntries(extra),
  }
}

/** Finds the users of bearer tokens, for requests and for reviews. */
export class TokenAuthenticator {
  readonly #deps: TokenAuthenticatorDeps
  readonly #secretTokens: SecretTokens
  #knownCaller: (token: string) => Caller | undefined = () => undefined

  constructor(deps: TokenAuthenticatorDeps) {
    this.#deps = deps
    this.#secretTokens = new SecretTokens(deps)
  }

  /** Sets who has which token that this server did not issue. */
  useTokens(callerOfToken: (token: string) => Caller | undefined): void {
    this.#knownCaller = callerOfToken
  }

  /** Error: why the token is refused, as a TokenReview says it. */
  authenticate(token: string, asked: readonly string[] = apiAudiences): Result<TokenUser, string> {
    const known = this.#knownCaller(token)
    const common = apiAudiences.filter((audience) => asked.includes(audience))
    if (known !== undefined && common.length > 0) return ok({ caller: known, audiences: common })
    const user = this.#issuedTo(token, asked)
    if (user === undefined) return err(invalidToken)
    return user.ok ? user : err(`[${invalidToken}, ${user.error}]`)
  }

  /** Undefined: this server did not issue it. */
  #issuedTo(token: string, asked: readonly string[]): Result<TokenUser, string> | undefined {
    const verified = this.#deps.issuer.verify(token)
    if (verified?.ok !== true) return verified
    const claims = verified.value
    const isBound = 'kubernetes.io' in claims
    const aud = isBound ? claims.aud : apiAudiences
    const audiences = asked.filter((audience) => aud.includes(audience))
    if (audiences.length === 0) {
      const lists = `${quotedList(aud)} is invalid for the target audiences ${quotedList(asked)}`
      return err(`token audiences ${lists}`)
    }
    if (!isBound) {
      const caller = this.#secretTokens.callerOf(secretTokenPlace(claims), token)
      return caller.ok ? ok({ caller: caller.value, audiences }) : caller
    }
    const problem = this.#timeProblem(claims) ?? this.#boundProblem(claims)
    if (problem !== undefined) return err(problem)
    return ok({ caller: boundUser(claims), audiences })
  }

  #timeProblem({ exp, iat, nbf }: ServiceAccountClaims): string | undefined {
    const now = this.#deps.clock.now() / 1000
    if (now + leewaySeconds < nbf) return 'service account token is not valid yet'
    if (now - leewaySeconds > exp) return 'service account token has expired'
    return now + leewaySeconds < iat ? 'service account token is issued in the future' : undefined
  }

  /** Source: pkg/serviceaccount/claims.go Validate (v1.34). */
  #boundProblem({ 'kubernetes.io': bound }: ServiceAccountClaims): string | undefined {
    const { namespace, serviceaccount, secret, pod, node } = bound
    const account = this.#find('ServiceAccount', namespace, serviceaccount)
    if (account === undefined)
      return notFound(typeOfKind('ServiceAccount'), serviceaccount.name).message
    const { uid } = account.metadata
    if (uid !== serviceaccount.uid)
      return `service account UID (${uid}) does not match claim (${serviceaccount.uid})`
    if (this.#isDeleted(account))
      return `service account ${namespace}/${serviceaccount.name} has been deleted`
    return (
      this.#referenceProblem('Secret', namespace, secret) ??
      this.#referenceProblem('Pod', namespace, pod) ??
      // Of a pod's token, the node is not checked.
      this.#referenceProblem('Node', '', pod === undefined ? node : undefined)
    )
  }

  #referenceProblem(
    kind: string,
    namespace: string,
    claimed: TokenReference | undefined,
  ): string | undefined {
    if (claimed === undefined) return undefined
    const object = this.#find(kind, namespace, claimed)
    if (object === undefined) return invalidated
    const { uid } = object.metadata
    if (uid !== claimed.uid) {
      const what = kind.toLowerCase()
      return `${what} UID (${uid}) does not match service account ${what} ref claim (${claimed.uid})`
    }
    return this.#isDeleted(object) ? invalidated : undefined
  }

  #find(kind: string, namespace: string, { name }: TokenReference): KubeObject | undefined {
    return this.#deps.store.of(typeOfKind(kind)).get({ namespace, name })
  }

  #isDeleted({ metadata }: KubeObject): boolean {
    const since = fromTimestamp(metadata.deletionTimestamp)
    return since !== undefined && since < this.#deps.clock.now() - leewaySeconds * 1000
  }
}
