import { defined, withFields } from '../../shared/json.ts'
import type { Result } from '../../shared/result.ts'
import { fieldProblemsText } from '../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../shared/kubernetes/validation/field-problem.ts'
import type { KubeStatus } from '../../shared/kubernetes/objects.ts'
import type { KubeResponse } from '../../shared/kubernetes/request.ts'
import { groupResource } from './registry/resource-type.ts'
import type { FieldConflict } from './apply/field-managers.ts'
import type { ResourceType } from './registry/resource-type.ts'

/** A value, or the Status that is the answer instead. */
export type ApiResult<T> = Result<T, KubeStatus>

type Details = NonNullable<KubeStatus['details']>
type GroupResource = Pick<ResourceType, 'group' | 'plural'>

/** A Status with the words of a real API server. Source: apimachinery pkg/api/errors. */
function failure(
  code: number,
  reason: string | undefined,
  message: string,
  details?: Details,
): KubeStatus {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    ...defined({ reason, details }),
    code,
  }
}

function detailsOf(type: GroupResource, name: string, kind = type.plural): Details {
  const given = (text: string): string | undefined => (text === '' ? undefined : text)
  return defined({ name: given(name), group: given(type.group), kind: given(kind) })
}

/** `Lease.coordination.k8s.io`, `Pod`: the name of a kind in messages. */
function groupKind(type: Pick<ResourceType, 'group' | 'kind'>): string {
  return type.group === '' ? type.kind : `${type.kind}.${type.group}`
}

/** `why` is added to the usual message. */
export function notFound(type: ResourceType, name: string, why = ''): KubeStatus {
  const message = `${groupResource(type)} "${name}" not found${why === '' ? '' : `: ${why}`}`
  return failure(404, 'NotFound', message, detailsOf(type, name))
}

export function alreadyExists(
  type: ResourceType,
  name: string,
  existing: { readonly isDeleting: boolean },
): KubeStatus {
  const prefix = existing.isDeleting ? 'object is being deleted: ' : ''
  const message = `${prefix}${groupResource(type)} "${name}" already exists`
  return failure(409, 'AlreadyExists', message, detailsOf(type, name))
}

/** `resource` replaces the plural in the message: `Pod`, `pods/binding`. */
export function conflict(
  type: ResourceType,
  name: string,
  why: string,
  resource = groupResource(type),
): KubeStatus {
  const message = `Operation cannot be fulfilled on ${resource} "${name}": ${why}`
  // The details name the kind without its group.
  const kind = resource === groupResource(type) ? type.plural : resource.replace(/\..*/, '')
  return failure(409, 'Conflict', message, detailsOf(type, name, kind))
}

function conflictText(conflicts: readonly FieldConflict[]): string {
  const [first] = conflicts
  if (conflicts.length === 1 && first !== undefined)
    return `Apply failed with 1 conflict: conflict with ${first.manager}: ${first.field}`
  const managers = [...new Set(conflicts.map(({ manager }) => manager))].toSorted()
  const lines = managers.flatMap((manager) => [
    `conflicts with ${manager}:`,
    ...conflicts.filter((one) => one.manager === manager).map(({ field }) => `- ${field}`),
  ])
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`
}

/** Another manager has fields of an apply with other values. Source: managedfields NewConflictError. */
export function applyConflict(conflicts: readonly FieldConflict[]): KubeStatus {
  const causes = conflicts.map(({ manager, field }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${manager}`,
    field,
  }))
  return failure(409, 'Conflict', conflictText(conflicts), { causes })
}

/** The conflict that makes clients read again and retry. */
export function modifiedConflict(type: ResourceType, name: string): KubeStatus {
  return conflict(
    type,
    name,
    'the object has been modified; please apply your changes to the latest version and try again',
  )
}

/** The UID in the request differs from the stored one. */
export function uidConflict(
  type: ResourceType,
  object: { readonly namespace: string; readonly name: string },
  uids: { readonly given: string; readonly stored: string },
): KubeStatus {
  const stored = type.kind === 'ReplicationController' ? 'controllers' : type.plural
  const key = [stored, object.namespace, object.name].filter((part) => part !== '').join('/')
  return conflict(
    type,
    object.name,
    `StorageError: invalid object, Code: 4, Key: /registry/${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uids.given}, UID in object meta: ${uids.stored}`,
  )
}

export function invalid(
  type: Pick<ResourceType, 'group' | 'plural' | 'kind'>,
  name: string,
  problems: FieldProblems,
): KubeStatus {
  const message = `${groupKind(type)} "${name}" is invalid: ${fieldProblemsText(problems)}`
  const causes = problems.map((one) => ({
    reason: one.reason,
    message: one.message,
    field: one.field,
  }))
  return failure(422, 'Invalid', message, { ...detailsOf(type, name, type.kind), causes })
}

/** Invalid query options: `ListOptions.meta.k8s.io "" is invalid: …`. */
export function invalidOptions(kind: string, problems: FieldProblems): KubeStatus {
  return invalid({ group: 'meta.k8s.io', plural: '', kind }, '', problems)
}

/** The result of a patch cannot be decoded as its type. */
export function invalidPatch(shown: string, why: string): KubeStatus {
  const text = `Invalid value: ${JSON.stringify(shown)}: ${why}`
  const cause = { reason: 'FieldValueInvalid', message: text, field: 'patch' }
  return failure(422, 'Invalid', ` "" is invalid: patch: ${text}`, { causes: [cause] })
}

/** A JSON patch whose operations do not fit the object. */
export function unprocessable(): KubeStatus {
  const message = 'the server rejected our request due to an error in our request'
  return failure(422, 'Invalid', message, {})
}

export function forbidden(
  type: GroupResource,
  name: string,
  why: string,
  causes?: Details['causes'],
): KubeStatus {
  const what = name === '' ? groupResource(type) : `${groupResource(type)} "${name}"`
  const details = { ...detailsOf(type, name), ...defined({ causes }) }
  const prefix = type.plural === '' ? '' : `${what} is `
  return failure(403, 'Forbidden', `${prefix}forbidden: ${why}`, details)
}

export function unauthorized(): KubeStatus {
  return failure(401, 'Unauthorized', 'Unauthorized')
}

/** The listener failed to process the request. */
export function internalError(message: string): KubeStatus {
  return failure(500, 'InternalError', message)
}

export function badRequest(message: string): KubeStatus {
  return failure(400, 'BadRequest', message)
}

/** Source: apimachinery pkg/api/errors NewRequestEntityTooLargeError. */
export function requestTooLarge(why: string): KubeStatus {
  return failure(413, 'RequestEntityTooLarge', `Request entity too large: ${why}`)
}

/** The request would take longer than a server allows. */
export function requestTimeout(): KubeStatus {
  const why = 'request did not complete within requested timeout - context deadline exceeded'
  return failure(504, 'Timeout', `Timeout: ${why}`, {})
}

/** An error of the server without a reason. */
/** What a request waits for did not come within the time that it gave. */
export function waitTimeout(message: string): KubeStatus {
  return failure(504, 'Timeout', message)
}

const reasons: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Expired',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

/** An error that a user has asked for, with the reason that usually comes with the code. */
export function injectedError(code: number, message: string): KubeStatus {
  return failure(code, reasons[code], message)
}

export function serverError(message: string): KubeStatus {
  return failure(500, undefined, message)
}

export function noSuchResource(): KubeStatus {
  return failure(404, 'NotFound', 'the server could not find the requested resource', {})
}

export function methodNotAllowed(
  message = 'the server does not allow this method on the requested resource',
): KubeStatus {
  return failure(405, 'MethodNotAllowed', message, {})
}

export function notAcceptable(): KubeStatus {
  const message = '406: Not Acceptable\n\nAvailable representations: application/json'
  return failure(406, 'NotAcceptable', message, {})
}

/** The content type of a body is not supported. A real server sends no details. */
export function unsupportedBody(message: string): KubeStatus {
  return failure(415, 'UnsupportedMediaType', message)
}

/** The content type of a patch is not supported. */
export function unsupportedMediaType(message: string): KubeStatus {
  return failure(415, 'UnsupportedMediaType', message, {})
}

/** `retryAfterSeconds` 0: the server does not say when a retry can succeed. */
export function tooManyRequests(
  message: string,
  details: { readonly retryAfterSeconds: number; readonly causes: Details['causes'] & object },
): KubeStatus {
  const { retryAfterSeconds, causes } = details
  return failure(429, 'TooManyRequests', message, {
    causes,
    ...(retryAfterSeconds === 0 ? {} : { retryAfterSeconds }),
  })
}

/** A kubelet does not know the pod or the container of a log. Source: apimachinery pkg/api/errors NewGenericServerResponse. */
export function logNotFound(name: string): KubeStatus {
  const message = `the server could not find the requested resource ( pods/log ${name})`
  return failure(404, 'NotFound', message, { name, kind: 'pods/log' })
}

/** Source: apimachinery pkg/api/errors NewServiceUnavailable. */
export function serviceUnavailable(message: string): KubeStatus {
  return failure(503, 'ServiceUnavailable', message)
}

/** Real servers serve this and the sandbox does not. */
export function notImplemented(message: string): KubeStatus {
  return failure(501, 'NotImplemented', message)
}

/** The client has to list again. */
export function expired(message: string): KubeStatus {
  return failure(410, 'Expired', message)
}

/** A resource version that this server has not reached. */
export function tooLargeResourceVersion(given: number, current: number): KubeStatus {
  const message = `Timeout: Too large resource version: ${given}, current: ${current}`
  return failure(504, 'Timeout', message, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  })
}

/** The body of a success that has no object. */
export function success(code: number): KubeStatus {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code }
}

/** A success without its code. */
export type DeletedStatus = Omit<KubeStatus, 'code'>

/** The answer to a deletion that removed the object. */
export function deleted(type: ResourceType, name: string, uid: string): DeletedStatus {
  const { code: _, ...status } = success(200)
  return withFields(status, { details: withFields(detailsOf(type, name), { uid }) })
}

/** The Retry-After header that belongs to a Status. */
export function retryHeader(status: KubeStatus): Readonly<Record<string, string>> {
  const seconds = status.details?.retryAfterSeconds ?? 0
  return seconds > 0 ? { 'retry-after': String(seconds) } : {}
}

/** A Status as the answer to its request. */
export function statusResponse(status: KubeStatus): KubeResponse {
  const headers = retryHeader(status)
  const more = Object.keys(headers).length === 0 ? {} : { headers }
  return { kind: 'object', status: status.code, body: status, ...more }
}
