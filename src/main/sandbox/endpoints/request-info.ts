import { defined, ownField, withFields } from '../../../shared/json.ts'
import type { KubeStatus } from '../../../shared/kubernetes/objects.ts'
import type { KubeRequest, KubeResponse } from '../../../shared/kubernetes/request.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import {
  methodNotAllowed,
  noSuchResource,
  notFound,
  notImplemented,
  statusResponse,
} from '../api-status.ts'
import type { ApiResult } from '../api-status.ts'
import { controlTypes } from '../control/control-types.ts'
import { metricsTypes } from '../metrics/metrics-types.ts'
import { missingKindMessage, missingTypes } from '../registry/missing-kinds.ts'
import type { ResourceRegistry } from '../registry/resource-registry.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { unstoredTypes } from '../review/review-types.ts'
import { warningHeader } from '../surface/warning-header.ts'
import { isOn } from '../../../shared/go/query.ts'

export type Verb =
  'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection'

/** The verb and the object of a request. */
export interface RequestInfo {
  readonly type: ResourceType
  readonly verb: Verb
  /** Empty: all namespaces, or a cluster-scoped resource. */
  readonly namespace: string
  /** Empty: the collection. A watch of one object has its name. */
  readonly name: string
  readonly subresource: string
}

type Target = Omit<RequestInfo, 'verb'>

// Real servers forward these to the node or run them. The sandbox does not implement them.
const unserved: Readonly<Record<string, string>> = {
  proxy: 'the sandbox does not proxy to pods',
}

function segmentsOf(path: string): readonly string[] | undefined {
  try {
    const segments = path.split('/').filter((segment) => segment !== '')
    return path.includes('%') ? segments.map(decodeURIComponent) : segments
  } catch {
    // An invalid percent sign: no resource has such a path.
    return undefined
  }
}

function typesAt(
  segments: readonly string[],
  registry: ResourceRegistry,
): {
  readonly types: readonly ResourceType[]
  readonly rest: readonly string[]
} {
  const [root, ...tail] = segments
  const isCore = root === 'api'
  if (!isCore && root !== 'apis') return { types: [], rest: [] }
  const [group, version, ...rest] = isCore ? ['', ...tail] : tail
  return { types: registry.at(group ?? '', version ?? ''), rest }
}

function targetOf(types: readonly ResourceType[], segments: readonly string[]): Target | undefined {
  const [first, second, third] = segments
  const namespaces = types.find((type) => type.plural === 'namespaces')
  const isSubresource = namespaces?.subresources.some((part) => part.name === third) ?? false
  // namespaces/<name>/status is a subresource; namespaces/<name>/<anything else> is a resource in the namespace.
  const isInside = first === 'namespaces' && segments.length > 2 && !isSubresource
  const namespace = isInside ? (second ?? '') : ''
  const [plural, name = '', subresource = '', ...more] = isInside ? segments.slice(2) : segments
  const type = types.find((candidate) => candidate.plural === plural)
  if (type === undefined || more.length > 0) return undefined
  if (isInside && !type.namespaced) return undefined
  if (type.namespaced && namespace === '' && name !== '') return undefined
  return { type, namespace, name, subresource }
}

const objectVerbs: Readonly<Record<KubeRequest['method'], Verb | undefined>> = {
  GET: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
  POST: undefined,
}

function verbOf(request: KubeRequest, target: Target): Verb | undefined {
  if (target.subresource !== '') {
    return request.method === 'POST' ? 'create' : objectVerbs[request.method]
  }
  if (target.name !== '') return objectVerbs[request.method]
  switch (request.method) {
    case 'GET':
      return isOn(request.query?.['watch']) ? 'watch' : 'list'
    case 'POST':
      return target.type.namespaced && target.namespace === '' ? undefined : 'create'
    case 'DELETE':
      return target.type.namespaced && target.namespace === '' ? undefined : 'deletecollection'
    default:
      return undefined
  }
}

/** What is only created has no paths of single objects and of all namespaces. */
function isWithoutPath({ type, namespace, name }: Target): boolean {
  return unstoredTypes.includes(type) && (name !== '' || (type.namespaced && namespace === ''))
}

/** Of /api/v1/watch/pods, and of /api/v1/watch/namespaces/NAMESPACE/pods/NAME. */
function watchPathVerb({ method }: KubeRequest): Verb | undefined {
  return method === 'GET' ? 'watch' : undefined
}

function allowedVerbs(target: Target): ApiResult<readonly string[]> {
  if (target.subresource === '') return ok(target.type.verbs)
  const part = target.type.subresources.find(({ name }) => name === target.subresource)
  if (part !== undefined) return ok(part.verbs)
  if (target.type.custom !== undefined) return err(notFound(target.type, target.name))
  const sentence = ownField(unserved, target.subresource)
  return err(sentence === undefined ? noSuchResource() : notImplemented(sentence))
}

const pageNotFound: KubeResponse = {
  kind: 'text',
  status: 404,
  body: '404 page not found\n',
  contentType: 'text/plain; charset=utf-8',
}

/** The answer about a kind that does not exist or is read-only: it says what is missing, and no object is found. */
function missingKindAnswer({ type, name }: Target, verb: Verb | undefined): KubeStatus {
  const sentence = missingKindMessage(type.kind)
  const isLookUp = verb === 'get' || verb === 'delete'
  if (isLookUp && missingTypes.includes(type)) return notFound(type, name, sentence)
  return methodNotAllowed(sentence)
}

/** `kubectl autoscale` since 1.34 prints a message of its own instead of the server's, but it does print warnings. */
function withWarning(
  response: KubeResponse,
  { type }: Target,
  verb: Verb | undefined,
): KubeResponse {
  if (type.kind !== 'HorizontalPodAutoscaler' || verb !== 'create' || response.kind !== 'object')
    return response
  const warning = warningHeader([missingKindMessage(type.kind)])
  return { ...response, headers: { ...response.headers, ...defined({ warning }) } }
}

function isMissing(type: ResourceType): boolean {
  return (
    !type.verbs.includes('create') && !metricsTypes.includes(type) && !controlTypes.includes(type)
  )
}

/** Parses the method and path of a request. The error is the answer to an unknown path or method. */
export function requestInfo(
  request: KubeRequest,
  registry: ResourceRegistry,
): Result<RequestInfo, KubeResponse> {
  const segments = segmentsOf(request.path)
  const { types, rest } = typesAt(segments ?? [], registry)
  if (types.length === 0) return err(pageNotFound)
  const isWatchPath = rest[0] === 'watch'
  const target = targetOf(types, isWatchPath ? rest.slice(1) : rest)
  if (target === undefined || (isWatchPath && target.subresource !== '')) {
    const isCustom = types.every(({ custom }) => custom !== undefined)
    return err(isCustom ? pageNotFound : statusResponse(noSuchResource()))
  }
  if (isWithoutPath(target)) return err(statusResponse(noSuchResource()))
  const verb = isWatchPath ? watchPathVerb(request) : verbOf(request, target)
  if (missingTypes.includes(target.type)) {
    return err(withWarning(statusResponse(missingKindAnswer(target, verb)), target, verb))
  }
  const allowed = allowedVerbs(target)
  if (!allowed.ok) return err(statusResponse(allowed.error))
  if (verb === undefined || !allowed.value.includes(verb)) {
    const status = isMissing(target.type) ? missingKindAnswer(target, verb) : methodNotAllowed()
    return err(statusResponse(status))
  }
  return ok(withFields(target, { verb }))
}
