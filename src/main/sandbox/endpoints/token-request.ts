import { invalidField } from '../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../shared/kubernetes/validation/field-problem.ts'
import { isJsonObject, listAt, numberAt, objectAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject, KubeStatus } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import { toTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import type { Clock, Random } from '../../kubelet/ports.ts'
import { badRequest, conflict, invalid, notFound } from '../api-status.ts'
import type { ApiResult } from '../api-status.ts'
import { serviceAccountIssuer } from '../auth/token-issuer.ts'
import type { PrivateClaims, TokenIssuer } from '../auth/token-issuer.ts'
import { newUid } from '../object-identity.ts'
import type { ObjectStore } from '../object-store.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { resource, typeOfKind } from '../registry/resource-types.ts'
import { plainStrategy } from '../registry/strategy.ts'

const minSeconds = 600
const maxSeconds = 2 ** 32
// A pod's token of this lifetime, which the kubelet requests, is valid for a year: old clients do not read it again.
const extendedSeconds = 3607
const yearSeconds = 365 * 24 * 60 * 60

function withDefaults(request: KubeObject): KubeObject {
  const spec = objectAt(request, 'spec')
  return {
    ...request,
    spec: {
      ...spec,
      audiences: listAt(spec, 'audiences'),
      expirationSeconds: numberAt(spec, 'expirationSeconds') ?? 3600,
      boundObjectRef: spec['boundObjectRef'] ?? null,
    },
  }
}

/** The body of `serviceaccounts/<name>/token`. It is not a resource of its own. */
export const tokenRequests = resource('authentication.k8s.io/v1', 'TokenRequest', 'tokenrequests', {
  strategy: plainStrategy({ withDefaults }),
})

function expirationProblems(seconds: number): FieldProblems {
  const field = 'spec.expirationSeconds'
  if (seconds < minSeconds) {
    return [invalidField(field, seconds, 'may not specify a duration less than 10 minutes')]
  }
  if (seconds <= maxSeconds) return []
  return [invalidField(field, seconds, 'may not specify a duration larger than 2^32 seconds')]
}

/** The claims of the objects that a token is bound to. */
type BoundTo = Pick<PrivateClaims, 'node' | 'pod' | 'secret'>

function referenceTo({ metadata: { name, uid } }: KubeObject): PrivateClaims['serviceaccount'] {
  return { name, uid }
}

const boundKinds = ['Pod', 'Secret', 'Node']

interface TokenRequestsDeps {
  readonly store: ObjectStore
  readonly clock: Clock
  readonly ids: Random
  readonly issuer: TokenIssuer
}

/** Tokens of service accounts. Source: pkg/registry/core/serviceaccount/storage/token.go (v1.34). */
export class TokenRequests {
  readonly #deps: TokenRequestsDeps

  constructor(deps: TokenRequestsDeps) {
    this.#deps = deps
  }

  /** The request with its token. `account`: the service account of the token. */
  create(account: KubeObject, request: KubeObject): ApiResult<KubeObject> {
    const mismatch = accountMismatch(account, request)
    if (mismatch !== undefined) return err(mismatch)
    const spec = objectAt(request, 'spec')
    const seconds = numberAt(spec, 'expirationSeconds') ?? 0
    const problems = expirationProblems(seconds)
    if (problems.length > 0) return err(invalid(tokenRequests, '', problems))
    const bound = this.#boundTo(account, spec['boundObjectRef'])
    if (!bound.ok) return bound
    const audiences = listAt(spec, 'audiences').map(String)
    const aud = audiences.length === 0 ? [serviceAccountIssuer] : audiences
    const { name, namespace, uid } = account.metadata
    return ok({
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: {
        ...request.metadata,
        name,
        ...(namespace === undefined ? {} : { namespace }),
        uid,
        creationTimestamp: toTimestamp(this.#deps.clock.now()),
      },
      spec: { ...spec, audiences: aud },
      status: {
        token: this.#token(account, { aud, seconds, bound: bound.value }),
        expirationTimestamp: toTimestamp(this.#deps.clock.now() + seconds * 1000),
      },
    })
  }

  #token(
    { metadata: { name, namespace = '', uid } }: KubeObject,
    requested: {
      readonly aud: readonly string[]
      readonly seconds: number
      readonly bound: BoundTo
    },
  ): string {
    const { aud, seconds, bound } = requested
    const iat = Math.floor(this.#deps.clock.now() / 1000)
    const isForServer = aud.every((audience) => audience === serviceAccountIssuer)
    const isExtended = seconds === extendedSeconds && bound.pod !== undefined && isForServer
    return this.#deps.issuer.sign({
      aud,
      exp: iat + (isExtended ? yearSeconds : seconds),
      iat,
      iss: serviceAccountIssuer,
      jti: newUid(this.#deps.ids),
      'kubernetes.io': {
        namespace,
        ...bound,
        serviceaccount: { name, uid },
        ...(isExtended ? { warnafter: iat + seconds } : {}),
      },
      nbf: iat,
      sub: `system:serviceaccount:${namespace}:${name}`,
    })
  }

  #boundTo(account: KubeObject, reference: unknown): ApiResult<BoundTo> {
    if (!isJsonObject(reference)) return ok({})
    const kind = textAt(reference, 'kind')
    const version = textAt(reference, 'apiVersion')
    if (version.includes('/') || !boundKinds.includes(kind)) {
      const group = version.includes('/') ? version : `/${version}`
      return err(badRequest(`cannot bind token to object of type ${group}, Kind=${kind}`))
    }
    const type = typeOfKind(kind)
    const name = textAt(reference, 'name')
    const namespace = type.namespaced ? (account.metadata.namespace ?? '') : ''
    const object = this.#deps.store.of(type).get({ namespace, name })
    if (object === undefined) return err(notFound(type, name))
    const refusal = podMismatch(account, object) ?? uidMismatch(type, object, reference)
    if (refusal !== undefined) return err(refusal)
    const own = { [kind.toLowerCase()]: referenceTo(object) }
    return ok(kind === 'Pod' ? { ...this.#nodeOf(object), ...own } : own)
  }

  #nodeOf(pod: KubeObject): BoundTo {
    const name = textAt(objectAt(pod, 'spec'), 'nodeName')
    if (name === '') return {}
    const node = this.#deps.store.of(typeOfKind('Node')).get({ namespace: '', name })
    return { node: node === undefined ? { name } : referenceTo(node) }
  }
}

function accountMismatch(account: KubeObject, request: KubeObject): KubeStatus | undefined {
  const { name, uid } = account.metadata
  const given = objectAt(request, 'metadata')
  const givenName = textAt(given, 'name')
  if (givenName !== '' && givenName !== name) {
    const detail = 'must match the service account name if specified'
    return invalid(tokenRequests, name, [invalidField('metadata.name', givenName, detail)])
  }
  const givenUid = textAt(given, 'uid')
  if (givenUid === '' || givenUid === uid) return undefined
  const why = `the UID in the token request (${givenUid}) does not match the UID of the service account (${uid})`
  return conflict(tokenRequests, name, why, 'TokenRequest.authentication.k8s.io')
}

function podMismatch(account: KubeObject, object: KubeObject): KubeStatus | undefined {
  if (object.kind !== 'Pod') return undefined
  const { name } = account.metadata
  if (textAt(objectAt(object, 'spec'), 'serviceAccountName') === name) return undefined
  return badRequest(
    `cannot bind token for serviceaccount ${JSON.stringify(name)} to pod running with different serviceaccount name.`,
  )
}

function uidMismatch(
  type: ResourceType,
  object: KubeObject,
  reference: JsonObject,
): KubeStatus | undefined {
  const uid = textAt(reference, 'uid')
  if (uid === '' || uid === object.metadata.uid) return undefined
  return conflict(type, object.metadata.name, uidMismatchMessage(uid), type.kind)
}

/** The message about a reference to an object that was recreated. */
export function uidMismatchMessage(uid: string): string {
  return `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`
}
