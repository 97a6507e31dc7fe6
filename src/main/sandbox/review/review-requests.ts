import { defined, isJsonObject, listAt, objectAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import type { KubeRequest } from '../../../shared/kubernetes/request.ts'
import { toTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import { invalidField, problemIf } from '../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../shared/kubernetes/validation/field-problem.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Clock } from '../../kubelet/ports.ts'
import { badRequest, invalid } from '../api-status.ts'
import type { ApiResult } from '../api-status.ts'
import type { Authorizer } from '../auth/authorizer.ts'
import type { Caller } from '../auth/caller.ts'
import type { TokenAuthenticator } from '../auth/token-authenticator.ts'
import type { Attributes } from '../auth/request-attributes.ts'
import { askedFields, selectorErrors, selectorProblems } from './review-selectors.ts'
import { decodeObject } from '../endpoints/body-decoder.ts'
import { writeOptions } from '../endpoints/list-options.ts'
import type { RequestInfo } from '../endpoints/request-info.ts'
import type { WriteAnswer } from '../endpoints/write-requests.ts'

interface ReviewDeps {
  readonly authorizer: Authorizer
  readonly clock: Clock
  readonly tokens: Pick<TokenAuthenticator, 'authenticate'>
}

type Answer = ApiResult<WriteAnswer>

/** The internal type as Go prints it. */
function internalMeta({ namespace, name }: KubeObject['metadata']): JsonObject {
  return { ...(name ? { name } : {}), ...(namespace ? { namespace } : {}) }
}

function metaProblems({ kind, metadata }: KubeObject): FieldProblems {
  const isLocal = kind === 'LocalSubjectAccessReview'
  const { namespace, managedFields: _, ...rest } = metadata as unknown as JsonObject
  const isEmpty = Object.keys(rest).length === 0 && (isLocal || !namespace)
  const why = isLocal ? 'must be empty except for namespace' : 'must be empty'
  return problemIf(!isEmpty, invalidField('metadata', internalMeta(metadata), why))
}

function localProblems({ kind, metadata, ...review }: KubeObject): FieldProblems {
  if (kind !== 'LocalSubjectAccessReview') return []
  const spec = objectAt(review, 'spec')
  const { resourceAttributes, nonResourceAttributes } = spec
  const namespace = textAt(objectAt(spec, 'resourceAttributes'), 'namespace')
  const isOther = isJsonObject(resourceAttributes) && namespace !== metadata.namespace
  const at = 'spec.resourceAttributes.namespace'
  const path = objectAt(spec, 'nonResourceAttributes')
  return [
    ...problemIf(isOther, invalidField(at, namespace, 'must match metadata.namespace')),
    ...problemIf(
      isJsonObject(nonResourceAttributes),
      invalidField(
        'spec.nonResourceAttributes',
        { Path: textAt(path, 'path'), Verb: textAt(path, 'verb') },
        'disallowed on this kind of request',
      ),
    ),
  ]
}

/** Source: pkg/apis/authorization/validation (v1.34). */
function accessProblems(review: KubeObject): FieldProblems {
  const spec = objectAt(review, 'spec')
  const path = objectAt(spec, 'nonResourceAttributes')
  const hasResource = isJsonObject(spec['resourceAttributes'])
  const hasPath = isJsonObject(spec['nonResourceAttributes'])
  const isOfSelf = review.kind === 'SelfSubjectAccessReview'
  const hasSubject = textAt(spec, 'user') !== '' || listAt(spec, 'groups').length > 0
  const one = 'exactly one of nonResourceAttributes or resourceAttributes must be specified'
  const shown = { Path: textAt(path, 'path'), Verb: textAt(path, 'verb') }
  return [
    ...problemIf(
      hasResource && hasPath,
      invalidField(
        'spec.nonResourceAttributes',
        shown,
        'cannot be specified in combination with resourceAttributes',
      ),
    ),
    ...problemIf(!hasResource && !hasPath, invalidField('spec.resourceAttributes', null, one)),
    ...problemIf(
      !isOfSelf && !hasSubject,
      invalidField('spec.user', '', 'at least one of user or group must be specified'),
    ),
    ...(hasResource ? selectorProblems(objectAt(spec, 'resourceAttributes')) : []),
    ...metaProblems(review),
    ...localProblems(review),
  ]
}

/** Go omits them. */
function withoutEmptyGroups({ groups, ...spec }: JsonObject): JsonObject {
  return Array.isArray(groups) && groups.length > 0 ? { ...spec, groups } : spec
}

/** What a review asks about. */
function attributesIn(spec: JsonObject): Attributes {
  const { nonResourceAttributes } = spec
  if (isJsonObject(nonResourceAttributes)) {
    const [verb, path] = ['verb', 'path'].map((field) => textAt(nonResourceAttributes, field))
    return { kind: 'path', verb: verb ?? '', path: path ?? '' }
  }
  const asked = objectAt(spec, 'resourceAttributes')
  const fields = ['verb', 'group', 'resource', 'subresource', 'namespace', 'name'] as const
  const [verb = '', group = '', resource = '', subresource = '', namespace = '', name = ''] =
    fields.map((field) => textAt(asked, field))
  const { terms } = askedFields(objectAt(asked, 'fieldSelector'))
  const place = { verb, group, resource, subresource, namespace, name }
  return { kind: 'resource', ...place, fieldTerms: terms }
}

function userInfo({ user: username, uid, groups, extra }: Caller): JsonObject {
  return defined({ username, uid, groups, extra })
}

/** Answers reviews from the sandbox's own authorizer and authenticator. */
export class ReviewRequests {
  readonly #deps: ReviewDeps

  constructor(deps: ReviewDeps) {
    this.#deps = deps
  }

  handle(info: RequestInfo, request: KubeRequest, caller: Caller): Answer {
    const { type, namespace } = info
    const options = writeOptions('CreateOptions', request.query ?? {})
    if (!options.ok) return options
    const decoded = decodeObject(type, request, options.value.fieldValidation)
    if (!decoded.ok) return decoded
    const { object, warnings } = decoded.value
    const given = object.metadata.namespace ?? ''
    if (given !== '' && given !== namespace && type.namespaced) {
      return err(
        badRequest(
          'the namespace of the provided object does not match the namespace sent on the request',
        ),
      )
    }
    const placed = namespace === '' ? object.metadata : { ...object.metadata, namespace }
    const status = this.#statusOf(info, { ...object, metadata: placed }, caller)
    if (!status.ok) return status
    const { spec, ...rest } = object
    const shown = spec === undefined ? {} : { spec: withoutEmptyGroups(objectAt(object, 'spec')) }
    const body = { ...rest, metadata: placed, ...shown }
    return ok({ code: 201, body: { ...body, ...status.value }, warnings })
  }

  #statusOf(info: RequestInfo, review: KubeObject, caller: Caller): ApiResult<JsonObject> {
    const spec = objectAt(review, 'spec')
    switch (review.kind) {
      case 'SelfSubjectReview': {
        const creationTimestamp = toTimestamp(this.#deps.clock.now())
        return ok({ metadata: { creationTimestamp }, status: { userInfo: userInfo(caller) } })
      }
      case 'TokenReview':
        return this.#tokenStatus(spec)
      case 'SelfSubjectRulesReview':
        return this.#rulesStatus(textAt(spec, 'namespace'), caller)
      default: {
        const problems = accessProblems(review)
        if (problems.length > 0)
          // Upstream names no kind.
          return err(invalid({ ...info.type, kind: '' }, '', problems))
        const groups = listAt(spec, 'groups').map(String)
        const isOfSelf = review.kind === 'SelfSubjectAccessReview'
        const asked = isOfSelf ? caller : { ...caller, user: textAt(spec, 'user'), groups }
        return ok({ status: this.#decision(spec, asked) })
      }
    }
  }

  #decision(spec: JsonObject, caller: Caller): JsonObject {
    const decision = this.#deps.authorizer.decide(caller, attributesIn(spec))
    const evaluationError = selectorErrors(objectAt(spec, 'resourceAttributes'))
    return { ...decision, ...(evaluationError === '' ? {} : { evaluationError }) }
  }

  #tokenStatus(spec: JsonObject): ApiResult<JsonObject> {
    const token = textAt(spec, 'token')
    if (token === '') return err(badRequest('token is required for TokenReview in authentication'))
    const asked = listAt(spec, 'audiences').map(String)
    const found = this.#deps.tokens.authenticate(token, asked.length === 0 ? undefined : asked)
    if (!found.ok) return ok({ status: { user: {}, error: found.error } })
    const { caller, audiences } = found.value
    return ok({ status: { authenticated: true, user: userInfo(caller), audiences } })
  }

  #rulesStatus(namespace: string, caller: Caller): ApiResult<JsonObject> {
    if (namespace === '') return err(badRequest('no namespace on request'))
    return ok({ spec: {}, status: this.#deps.authorizer.rulesStatus(caller, namespace) })
  }
}
