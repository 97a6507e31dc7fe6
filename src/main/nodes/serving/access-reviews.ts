import { createHash } from 'node:crypto'
import { defined, isJsonObject, listAt, objectAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { Transport } from '../../../shared/kubernetes/request.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { callApi } from '../../cluster/client/api-call.ts'
import type { ApiError, Clock } from '../../kubelet/ports.ts'
import type {
  KubeletUser,
  NodeAttributes,
  RequestAuth,
} from '../../kubelet/server/request-authorization.ts'
import type { ClientCredentials } from './client-user.ts'
import { ExpiringCache } from './expiring-cache.ts'
import { missingRight } from './missing-right.ts'
import type { ServingSettings } from './serving-settings.ts'

export interface AccessReviewsDeps {
  readonly transport: Transport
  readonly clock: Pick<Clock, 'now'>
  readonly settings: ServingSettings
  /** One sentence about why a review was not done. */
  readonly failed: (sentence: string) => void
}

interface Review {
  readonly group: 'authentication.k8s.io' | 'authorization.k8s.io'
  readonly kind: 'TokenReview' | 'SubjectAccessReview'
  readonly spec: object
}

const anonymous: KubeletUser = { name: 'system:anonymous', groups: ['system:unauthenticated'] }
const authenticated = 'system:authenticated'

/**
 * Who a client is and what it may do, as a kubelet finds it with the API server's help (cmd/kubelet/app/auth.go): client certificates,
 * TokenReviews, SubjectAccessReviews. Answers are kept as long as the configuration says.
 */
export class AccessReviews {
  readonly #deps: AccessReviewsDeps
  readonly #tokens: ExpiringCache<KubeletUser | undefined>
  readonly #rights: ExpiringCache<boolean>

  constructor(deps: AccessReviewsDeps) {
    this.#deps = deps
    const { clock, settings } = deps
    this.#tokens = new ExpiringCache({ clock, ttlMs: () => settings.tokenTtlMs })
    this.#rights = new ExpiringCache({
      clock,
      ttlMs: (isAllowed) => (isAllowed ? settings.authorizedTtlMs : settings.unauthorizedTtlMs),
    })
  }

  authOf(credentials: ClientCredentials): RequestAuth {
    return {
      authenticate: () => this.#authenticate(credentials),
      authorize: (user, attributes) => this.#authorize(user, attributes),
    }
  }

  /** Only a client that shows nothing is anonymous: a wrong credential is refused. */
  async #authenticate(credentials: ClientCredentials): Promise<KubeletUser | undefined> {
    const { certificate, token } = credentials
    const { isAnonymousAllowed, reviewsTokens } = this.#deps.settings
    if (typeof certificate === 'object') return withGroup(certificate)
    if (token !== undefined && reviewsTokens) {
      const user = await this.#userOf(token)
      return user && withGroup(user)
    }
    return isAnonymousAllowed && certificate === 'none' && token === undefined
      ? anonymous
      : undefined
  }

  async #userOf(token: string): Promise<KubeletUser | undefined> {
    const key = createHash('sha256').update(token).digest('base64')
    const user = await this.#tokens.get(key, async () => {
      const status = await this.#review({
        group: 'authentication.k8s.io',
        kind: 'TokenReview',
        spec: { token },
      })
      if (!status.ok) return status
      const error = textAt(status.value, 'error')
      if (error !== '') return err(error)
      return ok(status.value['authenticated'] === true ? userIn(status.value) : undefined)
    })
    return user.ok ? user.value : undefined
  }

  #authorize(user: KubeletUser, attributes: NodeAttributes): Promise<Result<boolean, string>> {
    if (this.#deps.settings.authorization === 'AlwaysAllow') return Promise.resolve(ok(true))
    const { verb, node: name, subresource } = attributes
    const { name: userName, groups, uid, extra } = user
    const resourceAttributes = { verb, version: 'v1', resource: 'nodes', subresource, name }
    const spec = defined({ user: userName, groups, uid, extra, resourceAttributes })
    return this.#rights.get(JSON.stringify(spec), async () => {
      const status = await this.#review({
        group: 'authorization.k8s.io',
        kind: 'SubjectAccessReview',
        spec,
      })
      return status.ok ? ok(status.value['allowed'] === true) : status
    })
  }

  async #review({ group, kind, spec }: Review): Promise<Result<JsonObject, string>> {
    const resource = `${kind.toLowerCase()}s`
    const apiVersion = `${group}/v1`
    const review = await callApi(this.#deps.transport, {
      method: 'POST',
      path: `/apis/${apiVersion}/${resource}`,
      headers: { 'content-type': 'application/json' },
      body: { apiVersion, kind, spec },
    })
    if (review.ok) return ok(objectAt(isJsonObject(review.value) ? review.value : {}, 'status'))
    this.#deps.failed(whyNot(kind, group, resource, review.error))
    return err(review.error.message)
  }
}

function whyNot(kind: string, group: string, resource: string, error: ApiError): string {
  const what =
    kind === 'TokenReview' ? 'check bearer tokens' : 'find out what its clients are allowed to do'
  return `The kubelet’s server cannot ${what}: ${missingRight({ group, resource, verb: 'create' }, error)}`
}

function withGroup(user: KubeletUser): KubeletUser {
  const { groups } = user
  return groups.includes(authenticated) ? user : { ...user, groups: [...groups, authenticated] }
}

function userIn(status: JsonObject): KubeletUser {
  const user = objectAt(status, 'user')
  const [uid, extra] = [textAt(user, 'uid'), objectAt(user, 'extra')]
  return {
    name: textAt(user, 'username'),
    groups: listAt(user, 'groups').map(String),
    ...(uid === '' ? {} : { uid }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  }
}
